import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, createGunzip } from 'node:zlib'
import { FilesError } from '../import-files.ts'

/** Source of a text: the path of a file, or a function that opens the text, with its checksum. */
export type TextPlace = string | OpenedText

interface OpenedText {
  readonly open: () => Promise<Readable>
  /** CRC-32 of the text. */
  readonly checksum: number
}

export interface ReadBytes {
  readonly bytes: Buffer
  /** Number of bytes read so far: bytes of the file on disk, or bytes of the text if a function opens it. */
  readonly read: number
}

/** Maximum number of bytes read at once. */
const BLOCK = 1024 * 1024

/** Compressions of a file by the bytes it begins with. */
const packings = { gzip: [0x1f, 0x8b], zstd: [0x28, 0xb5, 0x2f, 0xfd] } as const
export type Packing = keyof typeof packings

/** How a file is compressed; undefined if it is not. */
export async function packingOf(path: string): Promise<Packing | undefined> {
  const begin = await firstBytes(path, 4)
  return (Object.keys(packings) as Packing[]).find((name) => packings[name].every((byte, k) => begin[k] === byte))
}

/** The first bytes of a file. */
export async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads the bytes of a text. A text may be gzipped. Throws a `FilesError` if a text that a function opens is damaged. */
export function unpackedBytes(place: TextPlace): AsyncGenerator<ReadBytes> {
  return typeof place === 'string' ? bytesIn(place) : bytesOf(place)
}

async function* bytesIn(path: string): AsyncGenerator<ReadBytes> {
  const packing = await packingOf(path) // checked before the stream exists, because its errors need a listener at once
  const source = createReadStream(path, { highWaterMark: BLOCK })
  const unpacked = packing === 'gzip' ? source.pipe(createGunzip({ chunkSize: BLOCK })) : source
  if (unpacked !== source) source.on('error', (error) => unpacked.destroy(error))
  try {
    for await (const bytes of unpacked as AsyncIterable<Buffer>) yield { bytes, read: source.bytesRead }
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

async function* bytesOf(text: OpenedText): AsyncGenerator<ReadBytes> {
  const progress = { read: 0 }
  const checked = checkedBytes(text, progress)
  try {
    const { value: first, done } = await checked.next()
    if (done) return
    const rest = continued(first, checked)
    const isPacked = packings.gzip.every((byte, k) => first[k] === byte)
    const bytes = isPacked ? gunzipped(rest) : rest
    for await (const piece of bytes as AsyncIterable<Buffer>) yield { bytes: piece, read: progress.read }
  } finally {
    await checked.return(undefined)
  }
}

function gunzipped(bytes: AsyncGenerator<Buffer>): Readable {
  const source = Readable.from(bytes)
  const unpacked = createGunzip({ chunkSize: BLOCK })
  source.on('error', (error) => unpacked.destroy(error))
  return source.pipe(unpacked)
}

/** The pieces of a text whose first one was taken already. */
export async function* continued(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function* checkedBytes({ open, checksum }: OpenedText, progress: { read: number }): AsyncGenerator<Buffer> {
  let sum = 0
  let source: Readable | undefined
  try {
    source = await open()
    for await (const bytes of source as AsyncIterable<Buffer>) {
      sum = crc32(bytes, sum)
      progress.read += bytes.length
      yield bytes
    }
    if (sum !== checksum) throw new Error('it is damaged: its check sum does not fit')
  } catch (error) {
    throw new FilesError(error instanceof Error ? error.message : String(error))
  } finally {
    source?.destroy()
  }
}
