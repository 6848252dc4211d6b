/** Type of a column. A date is yyyy-MM-dd, a timestamp a text that names an instant. */
export type ArrowType = 'number' | 'boolean' | 'string' | 'date' | 'timestamp'

export interface ArrowColumn {
  readonly name: string
  readonly type: ArrowType
  readonly nullable: boolean
  /** All texts of the column; they are written once, and rows refer to them. Undefined for any texts. */
  readonly words?: readonly string[] | undefined
  readonly unit?: string | undefined
}

/** The bytes of a column as Arrow lays them out, and its number of nulls. */
export interface ColumnBuffers {
  readonly nulls: number
  readonly buffers: readonly Uint8Array[]
}

type Values = readonly unknown[]

const MILLISECONDS_PER_DAY = 86_400_000
const utf8 = new TextEncoder()

/**
 * Lays a column out: the bits of what is not null (empty if no value is), then the values. Null and undefined are null.
 * Source: Apache Arrow, Columnar Format 1.5, "Physical Memory Layout".
 */
export function columnBuffers({ type, words }: ArrowColumn, values: Values): ColumnBuffers {
  if (words !== undefined) return withNulls(values, [wordBuffer(words, values)])
  const numbers = numbersOf[type]
  if (numbers !== undefined) return withNulls(values, [bytesOf(numbers(values))])
  if (type === 'boolean') return withNulls(values, [bits(values, (value) => value === true)])
  return withNulls(values, textBuffers(values))
}

const numbersOf: Readonly<Partial<Record<ArrowType, (values: Values) => ArrayBufferView>>> = {
  number: (values) => Float64Array.from(values, (value) => (isAbsent(value) ? 0 : (value as number))),
  timestamp: (values) => BigInt64Array.from(values, (value) => (isAbsent(value) ? 0n : BigInt(instantOf(value)))),
  date: (values) => Int32Array.from(values, (value) => (isAbsent(value) ? 0 : instantOf(value) / MILLISECONDS_PER_DAY))
}

/** Offsets of texts and their bytes, one after the other. */
export function textBuffers(values: Values): readonly Uint8Array[] {
  const offsets = new Int32Array(values.length + 1)
  const texts = values.map((value) => utf8.encode(isAbsent(value) ? '' : String(value)))
  for (const [k, { length }] of texts.entries()) offsets[k + 1] = offsets[k] + length
  return [bytesOf(offsets), joined(texts)]
}

function wordBuffer(words: readonly string[], values: Values): Uint8Array {
  const places = new Map(words.map((word, place) => [word, place]))
  return bytesOf(
    Int32Array.from(values, (value) => {
      const place = isAbsent(value) ? 0 : places.get(String(value))
      if (place === undefined) throw new Error(`'${value}' is none of the words of its column`)
      return place
    })
  )
}

function withNulls(values: Values, buffers: readonly Uint8Array[]): ColumnBuffers {
  const nulls = values.filter(isAbsent).length
  const valid = nulls === 0 ? new Uint8Array(0) : bits(values, (value) => !isAbsent(value))
  return { nulls, buffers: [valid, ...buffers] }
}

/** One bit for each value, lowest first. */
function bits(values: Values, isSet: (value: unknown) => boolean): Uint8Array {
  const set = new Uint8Array(Math.ceil(values.length / 8))
  for (const [k, value] of values.entries()) if (isSet(value)) set[k >> 3] |= 1 << (k & 7)
  return set
}

const isAbsent = (value: unknown) => value === null || value === undefined

function instantOf(value: unknown): number {
  const instant = Date.parse(String(value))
  if (Number.isNaN(instant)) throw new Error(`'${value}' is no time`)
  return instant
}

/**
 * The bytes of an array of numbers, without a copy. Arrow requires little-endian bytes, and every machine that runs
 * Node is little-endian.
 */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
