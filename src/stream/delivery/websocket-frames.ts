import { HIGH_WATER_MARK } from '../protocol/limits.ts'

// WebSocket frames are built by hand and joined, because one write of many small frames is much cheaper than many sends
// of the package ws. With corked `ws.send`, one buffer per frame, 1000 connections with 8 frames due on each get 43 %
// fewer frames per CPU second, and 50,000 subscriptions at 100 ms take twice the CPU (bench `stream`, Node 20).
//
// Bytes are kept as byte strings: one character, 0 to 255, for each byte. Joining strings is the fastest way to join
// frames.

export interface Wire {
  /** Bytes written that the network has not taken yet. Infinity while nothing can be written, as during compression. */
  readonly unsent: number
  /** Payloads of at least this many bytes are compressed; undefined if the client does not offer compression. */
  readonly compressFrom: number | undefined
  /** Writes complete frames, given as a byte string. */
  write(frames: string): void
  /** Compresses a payload and writes it as one frame. `unsent` is Infinity until that is done. */
  writeCompressed(payload: string): void
  ping(): void
  /** Sends a close frame and ends the socket within a few seconds. Nothing may be written afterwards. */
  close(code: number, reason: string): void
}

const FINAL_TEXT_FRAME = 0x81
const SHORT = 126
const shortHeads = Array.from({ length: SHORT }, (_, length) => String.fromCharCode(FINAL_TEXT_FRAME, length))

/** Header of a final, unmasked text frame, a byte string. RFC 6455, section 5.2. */
export function frameHead(length: number): string {
  if (length < SHORT) return shortHeads[length]
  const bytes = [length >>> 24, length >> 16, length >> 8, length].map((byte) => byte & 0xff)
  if (length < 65_536) return String.fromCharCode(FINAL_TEXT_FRAME, 126, ...bytes.slice(2))
  return String.fromCharCode(FINAL_TEXT_FRAME, 127, 0, 0, 0, 0, ...bytes)
}

/** UTF-8 bytes of a text as a byte string. A plain ASCII text is returned as it is. */
export function utf8Bytes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches exactly the range of ASCII
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** Maximum bytes in one write. A client that needs thirty seconds to read that much is slow, but alive. */
const CHUNK_BYTES = 64 * 1024

/** Joins frames into writes of up to `CHUNK_BYTES`, until the socket has `HIGH_WATER_MARK` unsent bytes. */
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

  /** Adds a payload, a byte string, as one frame. It may stay unwritten until `finish`. */
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
