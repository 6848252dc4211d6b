import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './job-folder.ts'

/** A part while it is written. What was written since the last `sync` may be lost in a sudden stop. */
export class PartFile {
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #bytes = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Begins a part, in place of anything that a sudden stop left under its name. */
  static async begin(path: string): Promise<PartFile> {
    const part = new PartFile(await open(path, 'w', 0o600))
    await syncFolder(dirname(path))
    return part
  }

  /** Goes on with a part behind its first `kept` bytes. Throws if the file has fewer. */
  static async resume(path: string, kept: number): Promise<PartFile> {
    const part = new PartFile(await open(path, 'r+'))
    try {
      const { size } = await part.#file.stat()
      if (size < kept) throw new Error(`a part has ${size} bytes, and ${kept} were written`)
      await part.#file.truncate(kept)
      if (kept > 0) for await (const bytes of createReadStream(path, { end: kept - 1 })) part.#hash.update(bytes)
      part.#bytes = kept
      return part
    } catch (error) {
      await part.close()
      throw error
    }
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, from, bytes.length - from, this.#bytes + from)
      from += bytesWritten
    }
    this.#hash.update(bytes)
    this.#bytes += bytes.length
  }

  /** Resolves once everything so far is safely on the disk. */
  sync(): Promise<void> {
    return this.#file.datasync()
  }

  /** SHA-256 of the whole part, in hexadecimal. */
  async finish(): Promise<string> {
    await this.sync()
    await this.close()
    return this.#hash.digest('hex')
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
