import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

// Format of a session file, little endian: CRC-32 of its name and index (4 bytes), the index, then the packed
// snapshots. The index has 8 bytes per snapshot: length and CRC-32 of its bytes.

const HEAD_BYTES = 4
const ENTRY_BYTES = 8

/** A file with the packed snapshots of one session, ascending by moment. */
export class SessionFile {
  readonly #file: FileHandle
  readonly #index: Buffer
  /** Byte positions: the start of each snapshot, and the end of the last one. */
  readonly #places: Float64Array

  private constructor(file: FileHandle, index: Buffer) {
    const count = index.length / ENTRY_BYTES
    this.#file = file
    this.#index = index
    this.#places = new Float64Array(count + 1)
    this.#places[0] = HEAD_BYTES + index.length
    for (let k = 0; k < count; k++) this.#places[k + 1] = this.#places[k] + index.readUInt32LE(ENTRY_BYTES * k)
  }

  /** Opens a file with `count` snapshots. Rejects if the file is missing or its index does not belong to `name`. */
  static async open(path: string, name: string, count: number): Promise<SessionFile> {
    const file = await open(path, 'r')
    try {
      const start = Buffer.alloc(HEAD_BYTES + ENTRY_BYTES * count)
      const { bytesRead } = await file.read(start, 0, start.length, 0)
      const index = start.subarray(HEAD_BYTES)
      if (bytesRead < start.length || start.readUInt32LE(0) !== checkOf(name, index)) throw new Error('damaged index')
      return new SessionFile(file, index)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Bytes of the snapshot at index `at`; undefined if they are damaged. */
  async read(at: number): Promise<Buffer | undefined> {
    const length = this.#places[at + 1] - this.#places[at]
    const bytes = Buffer.allocUnsafeSlow(length)
    const { bytesRead } = await this.#file.read(bytes, 0, length, this.#places[at])
    return bytesRead === length && crc32(bytes) === this.#index.readUInt32LE(ENTRY_BYTES * at + 4) ? bytes : undefined
  }

  /** Waits for running reads; later ones are refused. */
  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Writes a file with `count` snapshots; returns its size in bytes. */
export async function writeSessionFile(
  path: string,
  name: string,
  count: number,
  snapshots: AsyncIterable<Uint8Array>
): Promise<number> {
  const start = Buffer.alloc(HEAD_BYTES + ENTRY_BYTES * count)
  const file = await open(path, 'w', 0o600)
  try {
    let bytes = start.length
    let at = HEAD_BYTES
    await file.appendFile(start)
    for await (const snapshot of snapshots) {
      start.writeUInt32LE(snapshot.length, at)
      start.writeUInt32LE(crc32(snapshot), at + 4)
      at += ENTRY_BYTES
      bytes += snapshot.length
      await file.appendFile(snapshot)
    }
    start.writeUInt32LE(checkOf(name, start.subarray(HEAD_BYTES)), 0)
    await file.write(start, 0, start.length, 0)
    return bytes
  } finally {
    await file.close()
  }
}

/** Says what is wrong with the bytes of a session file, whatever its number of snapshots; undefined if it is sound. */
export function damageOfSessionFile(bytes: Buffer, name: string): string | undefined {
  const lengths: number[] = []
  let end = HEAD_BYTES
  while (end < bytes.length) {
    const at = HEAD_BYTES + ENTRY_BYTES * lengths.length
    if (at + ENTRY_BYTES > bytes.length) break
    lengths.push(bytes.readUInt32LE(at))
    end += ENTRY_BYTES + lengths.at(-1)!
  }
  let place = HEAD_BYTES + ENTRY_BYTES * lengths.length
  if (end !== bytes.length || bytes.length < HEAD_BYTES) return 'its length does not fit its index'
  const index = bytes.subarray(HEAD_BYTES, place)
  if (bytes.readUInt32LE(0) !== checkOf(name, index)) return 'the checksum of its index is wrong'
  for (const [k, length] of lengths.entries()) {
    if (crc32(bytes.subarray(place, place + length)) !== index.readUInt32LE(ENTRY_BYTES * k + 4)) {
      return `the checksum of snapshot ${k + 1} of ${lengths.length} is wrong`
    }
    place += length
  }
  return undefined
}

function checkOf(name: string, index: Buffer): number {
  return crc32(index, crc32(name))
}
