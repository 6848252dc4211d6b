import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { tableForms } from '../../api/rows/forms.ts'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** A response body that is sent many times. Each compressed form is computed when first needed and kept. */
export interface Encodable {
  readonly body: Buffer
  readonly compressed: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
}

/**
 * How hard to compress: `quick` while a client waits, `thorough` for files that are compressed once and sent for weeks.
 */
export type Effort = 'quick' | 'thorough'
const levels: Readonly<Record<Effort, Readonly<Record<Encoding, number>>>> = {
  // Brotli takes a third of the time of its level 4, and gzip half to two thirds of the time of its level 6. Bodies get
  // up to a fifth larger.
  quick: { br: 1, gzip: 4 },
  thorough: { br: 9, gzip: 9 } // the highest level of brotli takes ten times as long
}

/** Bodies of fewer bytes than this gain nothing from compression. */
export const MIN_COMPRESSED = 1024
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

const accepts: Readonly<Record<Encoding, RegExp>> = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i
}

let lastRead: { readonly accepted: string; readonly encoding: Encoding | undefined } | undefined

/** Selects the compression for a body from those that the client accepts; undefined for none. */
export function encodingFor(accepted: string | undefined, size: number): Encoding | undefined {
  if (accepted === undefined || size < MIN_COMPRESSED) return undefined
  // Most requests in a row have the same header, so the last result is kept.
  if (lastRead?.accepted !== accepted) {
    lastRead = { accepted, encoding: encodings.find((encoding) => accepts[encoding].test(accepted)) }
  }
  return lastRead.encoding
}

/** Compressed form of a body. It is computed when first needed, and a promise until it is ready. */
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
 * The media type that a caller prefers among those offered for a response. Undefined for JSON, which is also sent if the
 * caller accepts none of them. Among equally preferred types, the one that the Accept header names most exactly wins,
 * then JSON. Source: RFC 9110, section 12.5.1.
 */
export function preferredType(offered: readonly string[], accepted: string | undefined): string | undefined {
  if (accepted === undefined) return undefined
  const ranges = accepted.slice(0, MAX_ACCEPT_LENGTH).toLowerCase().split(',').map(rangeOf)
  let [wanted, best]: [string, Rating] = [JSON_TYPE, ratingOf(JSON_TYPE, ranges)]
  for (const type of offered) {
    const rating = ratingOf(type, ranges)
    if (isAbove(rating, best)) [wanted, best] = [type, rating]
  }
  return wanted === JSON_TYPE ? undefined : wanted
}

/** So much of an Accept header is read, characters. */
const MAX_ACCEPT_LENGTH = 2000
const tableTypes = tableForms.map(({ type }) => type)

let lastPreference: { readonly accepted: string; readonly isJson: boolean } | undefined

/** Whether a caller prefers JSON to the forms that every answer has. */
export function prefersJson(accepted: string | undefined): boolean {
  if (accepted === undefined) return true
  if (lastPreference?.accepted !== accepted) {
    lastPreference = { accepted, isJson: preferredType(tableTypes, accepted) === undefined }
  }
  return lastPreference.isJson
}

function rangeOf(text: string): { readonly range: string; readonly quality: number } {
  const [range, ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { range, quality: Number.isFinite(quality) ? quality : 0 }
}

/**
 * Finds how much a caller wants a media type. The most exact entry of the Accept header counts: the type itself, else
 * its family (such as text), else any type.
 */
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
