import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32, createGunzip } from 'node:zlib'
import { FilesError } from '../import-files.ts'

export interface LineBlock {
  readonly bytes: Buffer
  /** Number of the block's first line in the file, counted from 1. */
  readonly firstLine: number
  /** Number of bytes read so far: bytes of the file on disk, or bytes of the text if a function opens it. */
  readonly done: number
}

/** Source of a text: the path of a file, or a function that opens the text, with its checksum. */
export type TextPlace = string | OpenedText

interface OpenedText {
  readonly open: () => Promise<Readable>
  /** CRC-32 of the text. */
  readonly checksum: number
}

const BLOCK = 1024 * 1024
/** Maximum length of a line, bytes. */
const MAX_LINE = 1024 * 1024
const NEWLINE = 10

/**
 * Reads text in blocks of whole lines. A file may be gzipped. A byte order mark is dropped. Throws a `FilesError` if a
 * text that a function opens cannot be read.
 */
export async function* lineBlocks(place: TextPlace): AsyncGenerator<LineBlock> {
  let rest: Buffer = Buffer.alloc(0)
  let firstLine = 1
  let isFirst = true
  let done = 0
  for await (const { bytes, read } of typeof place === 'string' ? bytesIn(place) : bytesOf(place)) {
    done = read
    const last = bytes.lastIndexOf(NEWLINE)
    if (last < 0) {
      rest = Buffer.concat([rest, bytes])
      if (rest.length > MAX_LINE) throw new FilesError('it is no table: it has a line of over a megabyte')
      continue
    }
    const whole = Buffer.concat([rest, bytes.subarray(0, last + 1)])
    rest = bytes.subarray(last + 1)
    yield { bytes: isFirst ? withoutMark(whole) : whole, firstLine, done }
    firstLine += linesIn(whole)
    isFirst = false
  }
  if (rest.length > 0) yield { bytes: isFirst ? withoutMark(rest) : rest, firstLine, done }
}

interface Bytes {
  readonly bytes: Buffer
  readonly read: number
}

async function* bytesIn(path: string): AsyncGenerator<Bytes> {
  const packed = await isPacked(path) // checked before the stream exists, because its errors need a listener at once
  const source = createReadStream(path, { highWaterMark: BLOCK })
  const unpacked = packed ? source.pipe(createGunzip({ chunkSize: BLOCK })) : source
  if (unpacked !== source) source.on('error', (error) => unpacked.destroy(error))
  try {
    for await (const bytes of unpacked as AsyncIterable<Buffer>) yield { bytes, read: source.bytesRead }
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

async function* bytesOf({ open, checksum }: OpenedText): AsyncGenerator<Bytes> {
  let [read, sum] = [0, 0]
  let source: Readable | undefined
  try {
    source = await open()
    for await (const bytes of source as AsyncIterable<Buffer>) {
      sum = crc32(bytes, sum)
      yield { bytes, read: (read += bytes.length) }
    }
    if (sum !== checksum) throw new Error('it is damaged: its check sum does not fit')
  } catch (error) {
    throw new FilesError(error instanceof Error ? error.message : String(error))
  } finally {
    source?.destroy()
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
