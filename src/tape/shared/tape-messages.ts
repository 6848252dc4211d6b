import { Deserializer, Serializer } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { foldVersions } from '../../flow/folds.ts'
import { emptyPrints, type PrintColumns, type Prints, printColumns, type TapeKind } from '../../market/print.ts'
import type { Series } from '../../market/series.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { TapeImage } from '../tape-image.ts'
import type { FollowReason } from '../tape-port.ts'

// Messages about tapes between a collector and members that serve, and the bytes of rows and images.

export const imageKey = (symbol: Ticker) => `tapes:${symbol}`
/** Seconds for which images are kept: for the members that wait for one. */
export const IMAGE_KEPT = 30

/** Told by the collector. */
export type TapeNews =
  | SentRows
  /** Tapes of a symbol were put, for members that wait for them. */
  | { readonly kind: 'image'; readonly symbol: Ticker }
  /**
   * Told each second: milliseconds since the feed said anything, and how many rows were sent of each tape, by its name,
   * of the symbols that members follow.
   */
  | {
      readonly kind: 'beat'
      readonly silentFor: number
      readonly symbols: Readonly<Record<Ticker, Readonly<Record<string, number>>>>
    }

/** New rows of a tape. */
export interface SentRows {
  readonly kind: 'rows'
  readonly symbol: Ticker
  /** Name of the tape: another one begins anew. */
  readonly tape: string
  readonly of: TapeKind
  readonly session: IsoDate
  readonly unit: number
  readonly sumsOnly: boolean
  /** Rows of the tape before these. */
  readonly from: number
  /** Bytes of `RowsBody`, base64. */
  readonly body: string
}

/** Told by members that serve. */
export type WantedTape =
  | { readonly kind: 'keep'; readonly symbols: readonly (readonly [Ticker, FollowReason])[] }
  | { readonly kind: 'image'; readonly symbol: Ticker; readonly why: FollowReason }

export interface RowsBody {
  readonly rows: number
  /** All columns, one after the other. */
  readonly columns: Uint8Array
  /** Number of series before, and the series that are new. */
  readonly firstSeries: number
  readonly series: Series
  /** Greeks of the series from `first` on, for all rows; undefined before the first snapshot. */
  readonly greeks:
    | {
        readonly since: number
        readonly next: IsoDate | undefined
        readonly first: number
        readonly values: Float64Array
      }
    | undefined
}

/** An image under the name of its tape. */
export interface NamedImage {
  readonly tape: string
  readonly image: TapeImage
}

export function packRows(prints: PrintColumns, from: number, to: number): Uint8Array {
  return Buffer.concat(
    printColumns.map((name) => {
      const { buffer, byteOffset, byteLength } = prints[name].subarray(from, to)
      return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
    })
  )
}

export function unpackRows({ rows, columns }: RowsBody): Prints {
  const prints = emptyPrints(rows)
  let at = 0
  for (const name of printColumns) {
    const { buffer, byteOffset, byteLength } = prints[name]
    new Uint8Array(buffer, byteOffset, byteLength).set(columns.subarray(at, (at += byteLength)))
  }
  return prints
}

/** The series from number `first` on. */
export function seriesFrom(series: Series, first: number): Series {
  if (first === 0) return series
  const { length, expirations, expiration, strike, right, adjusted } = series
  return {
    length: length - first,
    expirations,
    expiration: expiration.subarray(first),
    strike: strike.subarray(first),
    right: right.subarray(first),
    adjusted: adjusted.subarray(first)
  }
}

export const packBody = (body: RowsBody): string => packed(body).toString('base64')
export const unpackBody = (body: string): RowsBody => unpacked(Buffer.from(body, 'base64')) as RowsBody

export function packImages(images: readonly NamedImage[]): Uint8Array {
  return packed({ foldVersions, images })
}

/** The images of a symbol; undefined if a service with other folds made them. */
export function unpackImages(bytes: Uint8Array): readonly NamedImage[] | undefined {
  const read = unpacked(bytes) as { readonly foldVersions: string; readonly images: readonly NamedImage[] }
  return read.foldVersions === foldVersions ? read.images : undefined
}

/** Fastest compression: rows and states shrink to a quarter by it already. */
const LEVEL = 1

/** Packs plain data. Arrays that are views of one buffer are so again when they are unpacked. */
function packed(value: unknown): Buffer {
  const serializer = new Serializer()
  serializer.writeHeader()
  serializer.writeValue(unshared(value))
  return deflateRawSync(serializer.releaseBuffer(), { level: LEVEL })
}

function unpacked(bytes: Uint8Array): unknown {
  const deserializer = new Deserializer(inflateRawSync(bytes))
  deserializer.readHeader()
  return withKinds(deserializer.readValue())
}

/** Kinds of column that states name, which are written by their names. */
const columnKinds = { Float32Array, Float64Array } as const
const KIND = 'kind of column'

function withKinds(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(withKinds)
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, withKinds(one)]))
  if (KIND in value) return columnKinds[value[KIND] as keyof typeof columnKinds]
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withKinds(one)]))
}

/** Copies the data out of shared memory, which cannot be written, and names the kind of each column. */
function unshared(value: unknown): unknown {
  if (typeof value === 'function') return { [KIND]: value.name }
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) {
    if (!(value.buffer instanceof SharedArrayBuffer)) return value
    return (value as Uint8Array).slice()
  }
  if (Array.isArray(value)) return value.map(unshared)
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, unshared(one)]))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unshared(one)]))
}
