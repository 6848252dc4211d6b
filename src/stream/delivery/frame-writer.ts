import { HIGH_WATER_MARK } from '../protocol/limits.ts'
import { frameHead, type Wire } from './wire.ts'

/** Bytes of one write. A reader that takes one write in thirty seconds is slow, but alive. */
const CHUNK_BYTES = 64 * 1024

/** Joins frames into writes of a chunk each, up to the high-water mark of unsent bytes. */
export class FrameWriter {
  readonly #wire: Wire
  #joined = ''
  #room: number

  constructor(wire: Wire) {
    this.#wire = wire
    this.#room = HIGH_WATER_MARK - wire.unsent
  }

  get hasRoom(): boolean {
    return this.#room > 0
  }

  /** Writes one payload as a frame; the write may wait for more of them until `finish`. */
  put(payload: string): void {
    const { compressFrom } = this.#wire
    if (compressFrom !== undefined && payload.length >= compressFrom) {
      this.finish()
      this.#wire.writeCompressed(payload)
      this.#room = 0
      return
    }
    this.#joined += frameHead(payload.length) + payload
    this.#room -= payload.length
    if (this.#joined.length >= CHUNK_BYTES) this.finish()
  }

  finish(): void {
    if (this.#joined !== '') this.#wire.write(this.#joined)
    this.#joined = ''
  }
}
