import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { FilesError } from './files.ts'

/** A stretch of a text file: whole lines only. */
export interface LineBlock {
  readonly bytes: Buffer
  /** Number of its first line, counted from 1. */
  readonly firstLine: number
  /** Bytes of the file read so far, packed where it is packed. */
  readonly done: number
}

const BLOCK = 1024 * 1024
/** Longer than any line of a table. */
const MAX_LINE = 1024 * 1024
const NEWLINE = 10

/** Reads a text file, packed with gzip or not, in blocks of whole lines. A mark of byte order at its start is dropped. */
export async function* lineBlocks(path: string): AsyncGenerator<LineBlock> {
  const packed = await isPacked(path) // before there is a stream: its errors need a listener from its first moment
  const source = createReadStream(path, { highWaterMark: BLOCK })
  const bytes = packed ? source.pipe(createGunzip({ chunkSize: BLOCK })) : source
  if (bytes !== source) source.on('error', (error) => bytes.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  let firstLine = 1
  let isFirst = true
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      const last = chunk.lastIndexOf(NEWLINE)
      if (last < 0) {
        rest = Buffer.concat([rest, chunk])
        if (rest.length > MAX_LINE) throw new FilesError(`${path} is no table: it has a line of over a megabyte`)
        continue
      }
      const whole = Buffer.concat([rest, chunk.subarray(0, last + 1)])
      rest = chunk.subarray(last + 1)
      yield { bytes: isFirst ? withoutMark(whole) : whole, firstLine, done: source.bytesRead }
      firstLine += linesIn(whole)
      isFirst = false
    }
    if (rest.length > 0) yield { bytes: isFirst ? withoutMark(rest) : rest, firstLine, done: source.bytesRead }
  } finally {
    source.destroy()
    bytes.destroy()
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}
