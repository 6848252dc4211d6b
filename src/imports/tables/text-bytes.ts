const NEWLINE = 10
const RETURN = 13

/** Converts the bytes of a text to UTF-8 with lines that end in a newline, piece by piece. */
export interface TextBytes {
  next(bytes: Buffer): Buffer
  /** The bytes that are left after the last piece. */
  end(): Buffer
}

/** Encodings by their byte order marks. */
const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]]
]

/**
 * Returns a converter for the text that begins with `first`: UTF-8 with or without a byte order mark, UTF-16 with a
 * mark, or without one if every other byte is 0. A text whose lines end in carriage returns alone gets newlines.
 */
export function textBytesFor(first: Buffer): TextBytes {
  const marked = marks.find(([, mark]) => mark.every((byte, k) => first[k] === byte))
  const encoding = marked?.[0] ?? unmarkedEncoding(first)
  let skip = marked?.[1].length ?? 0
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding)
  const decoded = (bytes: Buffer, more: boolean) =>
    decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: more }))
  const returnsOnly = isWithReturnsOnly(
    decoder === undefined ? first : Buffer.from(new TextDecoder(encoding).decode(first))
  )
  const lined = (bytes: Buffer) => {
    if (!returnsOnly) return bytes
    const copy = Buffer.from(bytes)
    for (let at = copy.indexOf(RETURN); at >= 0; at = copy.indexOf(RETURN, at)) copy[at] = NEWLINE
    return copy
  }
  return {
    next(bytes) {
      const text = skip === 0 ? bytes : bytes.subarray(skip)
      skip = 0
      return lined(decoded(text, true))
    },
    end: () => lined(decoded(Buffer.alloc(0), false))
  }
}

function unmarkedEncoding(first: Buffer): string {
  if (first.length < 4) return 'utf-8'
  if (first[0] !== 0 && first[1] === 0 && first[2] !== 0 && first[3] === 0) return 'utf-16le'
  return first[0] === 0 && first[1] !== 0 && first[2] === 0 && first[3] !== 0 ? 'utf-16be' : 'utf-8'
}

function isWithReturnsOnly(first: Buffer): boolean {
  return first.includes(RETURN) && !first.includes(NEWLINE)
}
