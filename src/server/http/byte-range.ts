/** First and last byte of a part of a file, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * Reads a Range header for a file of so many bytes. Undefined for the whole file: without the header, and for units or
 * several ranges that are not served. `unsatisfiable` if the range lies behind the end. Source: RFC 9110, section 14.2.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || (from === '' && to === '')) return undefined
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'unsatisfiable' : { first: bytes - length, last: bytes - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return undefined
  return first >= bytes ? 'unsatisfiable' : { first, last: Math.min(to === '' ? bytes : Number(to), bytes - 1) }
}
