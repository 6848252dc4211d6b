import { type FileHandle, open } from 'node:fs/promises'
import { crc32, deflateRawSync } from 'node:zlib'

/** A new zip file that grows by one file at a time; only its directory stays in memory. */
export interface ZipWriter {
  add(name: string, text: string): Promise<void>
  /** Writes the directory and closes the file. */
  finish(): Promise<void>
}

/** Files that a directory of this form can count. */
const MAX_ENTRIES = 65_535
/** Bytes that a position of this form can name. */
const MAX_BYTES = 2 ** 32 - 1
const VERSION = 20
const DEFLATED = 8
/** Midnight of 1980-01-01, the first moment that the form knows: a file's time says nothing here. */
const NO_DATE = 0x21

/** Creates a zip. Throws if the file exists. Source: PKWARE, APPNOTE 6.3.3, sections 4.3.7, 4.3.12 and 4.3.16. */
export async function zipWriter(path: string): Promise<ZipWriter> {
  const file = await open(path, 'wx', 0o600)
  const directory: Buffer[] = []
  let offset = 0
  return {
    async add(name, text) {
      const bytes = Buffer.from(text)
      const packed = deflateRawSync(bytes)
      const title = Buffer.from(name)
      const shared = Buffer.alloc(26)
      shared.writeUInt16LE(VERSION, 0)
      shared.writeUInt16LE(DEFLATED, 4)
      shared.writeUInt16LE(NO_DATE, 8)
      shared.writeUInt32LE(crc32(bytes), 10)
      shared.writeUInt32LE(packed.length, 14)
      shared.writeUInt32LE(bytes.length, 18)
      shared.writeUInt16LE(title.length, 22)
      const place = Buffer.alloc(14)
      place.writeUInt32LE(offset, 10)
      directory.push(Buffer.concat([word(0x02014b50), Buffer.from([VERSION, 0]), shared, place, title]))
      offset += await append(file, [word(0x04034b50), shared, title, packed])
      if (directory.length > MAX_ENTRIES || offset > MAX_BYTES) {
        await file.close()
        throw new Error('a zip of LEAN holds 65,535 files and 4 GB at most')
      }
    },
    async finish() {
      const end = Buffer.alloc(18)
      end.writeUInt16LE(directory.length, 4)
      end.writeUInt16LE(directory.length, 6)
      end.writeUInt32LE(
        directory.reduce((sum, { length }) => sum + length, 0),
        8
      )
      end.writeUInt32LE(offset, 12)
      await append(file, [...directory, word(0x06054b50), end])
      await file.close()
    }
  }
}

async function append(file: FileHandle, parts: readonly Buffer[]): Promise<number> {
  const bytes = Buffer.concat(parts)
  await file.appendFile(bytes)
  return bytes.length
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
