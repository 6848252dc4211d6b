import { FilesError } from '../import-files.ts'
import { isJson, jsonRows } from './json-rows.ts'
import { type TextBytes, textBytesFor } from './text-bytes.ts'
import { continued, type ReadBytes, type TextPlace, unpackedBytes } from './unpacked-bytes.ts'

export interface LineBlock {
  readonly bytes: Buffer
  /** Number of the block's first line in the file, counted from 1. */
  readonly firstLine: number
  /** Number of bytes read so far: bytes of the file on disk, or bytes of the text if a function opens it. */
  readonly done: number
}

/** Maximum length of a line, bytes. */
const MAX_LINE = 1024 * 1024
/** Minimum size of the first block of a longer text, bytes: enough to see how the table is written. */
export const MIN_FIRST_BLOCK = 64 * 1024
const NEWLINE = 10

/**
 * Reads text in blocks of whole lines. A file may be gzipped. The text may be UTF-8 or UTF-16; its lines may end in any
 * usual way. Throws a `FilesError` if a text that a function opens cannot be read.
 */
export async function* lineBlocks(place: TextPlace): AsyncGenerator<LineBlock> {
  let rest: Buffer = Buffer.alloc(0)
  let firstLine = 1
  let done = 0
  for await (const { bytes, read } of convertedBytes(unpackedBytes(place))) {
    done = Math.max(done, read)
    const last = bytes.lastIndexOf(NEWLINE)
    if (last < 0) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      if (rest.length > MAX_LINE) throw new FilesError('it is no table: it has a line of over a megabyte')
      continue
    }
    const whole = Buffer.concat([rest, bytes.subarray(0, last + 1)])
    rest = bytes.subarray(last + 1)
    yield { bytes: whole, firstLine, done }
    firstLine += linesIn(whole)
  }
  if (rest.length > 0) yield { bytes: rest, firstLine, done }
}

/** Converts bytes to UTF-8 with newlines, and JSON to lines of CSV. */
async function* convertedBytes(source: AsyncGenerator<ReadBytes>): AsyncGenerator<ReadBytes> {
  const progress = { read: 0 }
  const pieces = textPieces(source, progress)
  try {
    const { value: first, done } = await pieces.next()
    if (done) return
    const all = continued(first, pieces)
    for await (const bytes of isJson(first) ? jsonRows(all) : all) yield { bytes, read: progress.read }
  } finally {
    await pieces.return(undefined)
  }
}

/** Pieces of a text in UTF-8 with newlines. */
async function* textPieces(source: AsyncGenerator<ReadBytes>, progress: { read: number }): AsyncGenerator<Buffer> {
  let text: TextBytes | undefined
  for await (const { bytes, read, isAll } of withLongFirst(source)) {
    text ??= textBytesFor(bytes)
    const piece = text.next(bytes)
    progress.read = read
    // The last line of a short text belongs to the block in which its form is recognized.
    yield isAll && piece.length > 0 ? Buffer.concat([piece, Buffer.from('\n')]) : piece
  }
  if (text !== undefined) yield text.end()
}

/** Joins the first pieces to one of `MIN_FIRST_BLOCK` bytes, or to the whole text if it is shorter. */
async function* withLongFirst(
  source: AsyncGenerator<ReadBytes>
): AsyncGenerator<ReadBytes & { readonly isAll?: boolean }> {
  let waiting: Buffer[] | undefined = []
  let [size, read] = [0, 0]
  try {
    for await (const piece of source) {
      read = piece.read
      if (waiting === undefined) {
        yield piece
        continue
      }
      waiting.push(piece.bytes)
      size += piece.bytes.length
      if (size < MIN_FIRST_BLOCK) continue
      const bytes = Buffer.concat(waiting)
      waiting = undefined
      yield { bytes, read }
    }
  } catch (error) {
    if (waiting !== undefined) yield { bytes: Buffer.concat(waiting), read }
    throw error
  }
  if (waiting !== undefined) yield { bytes: Buffer.concat(waiting), read, isAll: true }
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}
