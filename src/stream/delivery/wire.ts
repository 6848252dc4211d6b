/**
 * A socket as the stream uses it. Frames are passed as binary text, one character for each byte, because that is the
 * fastest way to join many small ones into one write.
 */
export interface Wire {
  /** Bytes written and not taken by the network. Infinity while nothing can be written, as under compression. */
  readonly unsent: number
  /** Bytes from which a frame is worth compressing; undefined where the client does not want it. */
  readonly compressFrom: number | undefined
  /** Writes whole frames. */
  write(frames: string): void
  /** Compresses one payload and writes it as a frame; `unsent` is Infinity until that is done. */
  writeCompressed(payload: string): void
  ping(): void
  /** Sends a close frame, and ends at the latest after a few seconds. Nothing may be written any more. */
  close(code: number, reason: string): void
}

const SHORT = 126
const shortHeads = Array.from({ length: SHORT }, (_, length) => `\x81${String.fromCharCode(length)}`)
const byte = (value: number) => String.fromCharCode(value & 0xff)

/** The head of a final, unmasked text frame. RFC 6455, section 5.2. */
export function frameHead(length: number): string {
  if (length < SHORT) return shortHeads[length]
  if (length < 65_536) return `\x81\x7e${byte(length >> 8)}${byte(length)}`
  return `\x81\x7f\0\0\0\0${byte(length >>> 24)}${byte(length >> 16)}${byte(length >> 8)}${byte(length)}`
}

/** The UTF-8 bytes of a text as binary text: the text itself where it is plain ASCII. */
export function bytesOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is what is asked for
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}
