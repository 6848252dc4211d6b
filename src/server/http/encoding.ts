import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MaybePromise } from '../../api/maybe-promise.ts'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** A body that is sent many times, and its compressed forms, each made when somebody first accepts it. */
export interface Encodable {
  readonly body: Buffer
  readonly compressed: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
}

/** How much work goes into a form: little while a client waits for it, more for what is compressed once and sent for weeks. */
export type Effort = 'quick' | 'thorough'
const levels: Readonly<Record<Effort, Readonly<Record<Encoding, number>>>> = {
  // Brotli takes a third of the time of step 4, gzip half to two thirds of that of 6; answers are up to a fifth larger.
  quick: { br: 1, gzip: 4 },
  thorough: { br: 9, gzip: 9 } // the last step of brotli takes ten times as long
}

/** Bodies below this gain nothing from compression, bytes. */
export const MIN_COMPRESSED = 1024
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

const accepts: Readonly<Record<Encoding, RegExp>> = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i
}

let lastRead: { readonly accepted: string; readonly encoding: Encoding | undefined } | undefined

/** The encoding to send a body in, from what the client accepts. Undefined: as it is. */
export function encodingFor(accepted: string | undefined, size: number): Encoding | undefined {
  if (accepted === undefined || size < MIN_COMPRESSED) return undefined
  // Most clients of a time accept the same.
  if (lastRead?.accepted !== accepted) {
    lastRead = { accepted, encoding: encodings.find((encoding) => accepts[encoding].test(accepted)) }
  }
  return lastRead.encoding
}

/** The bytes under an encoding, compressed the first time they are asked for; a promise until they are made. */
export function encoded({ body, compressed }: Encodable, encoding: Encoding, effort: Effort): MaybePromise<Buffer> {
  const kept = compressed[encoding]
  if (kept !== undefined) return kept
  const level = levels[effort][encoding]
  const bytes =
    encoding === 'gzip'
      ? toGzip(body, { level })
      : toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
  const made = bytes.then(
    (bytes) => (compressed[encoding] = bytes),
    (error) => {
      delete compressed[encoding] // the next caller has another attempt
      throw error
    }
  )
  compressed[encoding] = made
  return made
}
