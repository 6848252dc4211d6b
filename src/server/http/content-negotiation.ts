import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Endpoint } from '../../api/endpoint.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** A body that is sent many times, and its compressed encodings, each computed on first demand. */
export interface Encodable {
  readonly body: Buffer
  readonly compressed: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
}

/** Compression effort: quick while a client waits, thorough for files that are compressed once and sent for weeks. */
export type Effort = 'quick' | 'thorough'
const levels: Readonly<Record<Effort, Readonly<Record<Encoding, number>>>> = {
  // Brotli takes a third of the time of level 4, gzip half to two thirds of level 6; bodies are up to a fifth larger.
  quick: { br: 1, gzip: 4 },
  thorough: { br: 9, gzip: 9 } // the highest level of brotli takes ten times as long
}

/** Bodies below this size gain nothing from compression, bytes. */
export const MIN_COMPRESSED = 1024
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

const accepts: Readonly<Record<Encoding, RegExp>> = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i
}

let lastRead: { readonly accepted: string; readonly encoding: Encoding | undefined } | undefined

/** Selects the encoding for a body by the client's Accept-Encoding; undefined for none. */
export function encodingFor(accepted: string | undefined, size: number): Encoding | undefined {
  if (accepted === undefined || size < MIN_COMPRESSED) return undefined
  // Consecutive clients mostly send the same header, so the last result is cached.
  if (lastRead?.accepted !== accepted) {
    lastRead = { accepted, encoding: encodings.find((encoding) => accepts[encoding].test(accepted)) }
  }
  return lastRead.encoding
}

/** Compressed bytes of a body, computed on first demand; a promise while they are being computed. */
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
      delete compressed[encoding]
      throw error
    }
  )
  compressed[encoding] = made
  return made
}

const JSON_TYPE = 'application/json'

interface Rating {
  readonly quality: number
  readonly closeness: number
}

/**
 * The media type a caller prefers for a response; undefined for JSON, which is also sent if no offered type is
 * accepted. Among equal preferences the most specific one wins, then JSON. Source: RFC 9110, section 12.5.1.
 */
export function wantedForm({ forms }: Pick<Endpoint, 'forms'>, accepted: string | undefined): string | undefined {
  if (forms.length === 0 || accepted === undefined) return undefined
  const ranges = accepted.toLowerCase().split(',').map(rangeOf)
  let [wanted, best]: [string, Rating] = [JSON_TYPE, ratingOf(JSON_TYPE, ranges)]
  for (const { type } of forms) {
    const rating = ratingOf(type, ranges)
    if (isAbove(rating, best)) [wanted, best] = [type, rating]
  }
  return wanted === JSON_TYPE ? undefined : wanted
}

function rangeOf(text: string): { readonly range: string; readonly quality: number } {
  const [range, ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { range, quality: Number.isFinite(quality) ? quality : 0 }
}

/** Rates a media type by the most specific matching range: the type itself, its family, or anything. */
function ratingOf(type: string, ranges: readonly ReturnType<typeof rangeOf>[]): Rating {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  let best: Rating = { quality: 0, closeness: -1 }
  for (const { range, quality } of ranges) {
    const closeness = names.indexOf(range)
    if (closeness > best.closeness) best = { quality, closeness }
  }
  return best
}

function isAbove(one: Rating, other: Rating): boolean {
  return (
    one.quality > other.quality || (one.quality === other.quality && one.quality > 0 && one.closeness > other.closeness)
  )
}
