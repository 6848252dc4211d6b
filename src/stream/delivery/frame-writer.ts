import { UNSENT_MARK } from '../catalog/limits.ts'
import { frameHead, type Wire } from './wire.ts'

/** Bytes of one write: a reader that takes one of them in thirty seconds is slow, but alive. */
const CHUNK_BYTES = 64 * 1024

/** Joins payloads to writes of a chunk each, for as long as the wire takes them. */
export class FrameWriter {
  readonly #wire: Wire
  #joined = ''
  #room: number

  constructor(wire: Wire) {
    this.#wire = wire
    this.#room = UNSENT_MARK - wire.unsent
  }

  get hasRoom(): boolean {
    return this.#room > 0
  }

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
