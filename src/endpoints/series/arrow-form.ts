import { Builder, type Offset } from 'flatbuffers'
import type { Form } from '../../api/endpoint.ts'
import type { SeriesColumns } from './columns.ts'

/**
 * Writes columns as an Apache Arrow stream with one schema and one record batch. `t` is a UTC timestamp in
 * milliseconds, every figure a nullable double. Source: Apache Arrow, Columnar Format 1.5, "Serialization and
 * Interprocess Communication", with Message.fbs and Schema.fbs.
 */
export const arrowForm: Form = {
  type: 'application/vnd.apache.arrow.stream',
  write: ({ t, columns }: SeriesColumns) => {
    const figures = Object.values(columns)
    const moments = BigInt64Array.from(t, (at) => BigInt(Date.parse(at)))
    const batch = batchOf(t.length, [{ nulls: 0, valid: nothing, values: bytesOf(moments) }, ...figures.map(columnOf)])
    return joined([...schemaMessage(Object.keys(columns)), ...batch, endOfStream])
  }
}

const VERSION_5 = 4
const SCHEMA = 1
const RECORD_BATCH = 3
const FLOATING_POINT = 3
const DOUBLE = 2
const TIMESTAMP = 10
const MILLISECOND = 1

const nothing = new Uint8Array(0)
const CONTINUATION = 0xffffffff
const endOfStream = framed(nothing)

/** Bytes of a column and its number of nulls. */
interface Column {
  readonly nulls: number
  /** Validity bitmap of Arrow: one bit per value, 0 for a null, lowest bit first. Empty if no value is null. */
  readonly valid: Uint8Array
  readonly values: Uint8Array
}

function columnOf(values: readonly (number | null)[]): Column {
  const nulls = values.filter((value) => value === null).length
  const valid = new Uint8Array(nulls === 0 ? 0 : Math.ceil(values.length / 8))
  if (nulls > 0) for (const [k, value] of values.entries()) if (value !== null) valid[k >> 3] |= 1 << (k & 7)
  return { nulls, valid, values: bytesOf(Float64Array.from(values, (value) => value ?? 0)) }
}

/**
 * The bytes of an array of numbers, without a copy. Arrow requires little-endian bytes, and every machine that runs
 * Node is little-endian.
 */
function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | BigInt64Array): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

function schemaMessage(names: readonly string[]): readonly Uint8Array[] {
  const to = new Builder()
  const zone = to.createString('UTC')
  const moment = table(to, [short(MILLISECOND), reference(zone)])
  const figure = table(to, [short(DOUBLE)])
  const fields = [
    fieldOf(to, 't', { isNullable: false, kind: TIMESTAMP, type: moment }),
    ...names.map((name) => fieldOf(to, name, { isNullable: true, kind: FLOATING_POINT, type: figure }))
  ]
  const listed = vector(to, OFFSET_BYTES, fields, (field) => to.addOffset(field))
  return [framed(messageOf(to, SCHEMA, table(to, [undefined, reference(listed)]), 0))]
}

interface FieldType {
  readonly isNullable: boolean
  readonly kind: number
  readonly type: Offset
}

function fieldOf(to: Builder, name: string, { isNullable, kind, type }: FieldType): Offset {
  const named = reference(to.createString(name))
  const children = reference(vector(to, OFFSET_BYTES, [], () => {}))
  return table(to, [named, byte(isNullable ? 1 : 0), byte(kind), reference(type), undefined, children])
}

function batchOf(rows: number, columns: readonly Column[]): readonly Uint8Array[] {
  const body: Uint8Array[] = []
  let length = 0
  const buffers = columns.flatMap(({ valid, values }) =>
    [valid, values].map((part): [number, number] => {
      const place: [number, number] = [length, part.length]
      body.push(part, padding(part.length))
      length += part.length + padding(part.length).length
      return place
    })
  )
  const to = new Builder()
  const nodes = reference(
    pairs(
      to,
      columns.map(({ nulls }) => [rows, nulls])
    )
  )
  const header = table(to, [long(rows), nodes, reference(pairs(to, buffers))])
  return [framed(messageOf(to, RECORD_BATCH, header, length)), ...body]
}

function messageOf(to: Builder, kind: number, header: Offset, bodyLength: number): Uint8Array {
  to.finish(table(to, [short(VERSION_5), byte(kind), reference(header), long(bodyLength)]))
  return to.asUint8Array()
}

/** Adds one field to a FlatBuffers table; `slot` is the field's position in the table's schema. */
type AddField = (to: Builder, slot: number) => void

const byte =
  (value: number): AddField =>
  (to, slot) =>
    to.addFieldInt8(slot, value, 0)
const short =
  (value: number): AddField =>
  (to, slot) =>
    to.addFieldInt16(slot, value, 0)
const long =
  (value: number): AddField =>
  (to, slot) =>
    to.addFieldInt64(slot, BigInt(value), 0n)
const reference =
  (value: Offset): AddField =>
  (to, slot) =>
    to.addFieldOffset(slot, value, 0)

/** Writes a FlatBuffers table; its fields are in schema order. A field that is undefined keeps its default. */
function table(to: Builder, fields: readonly (AddField | undefined)[]): Offset {
  to.startObject(fields.length)
  for (const [slot, add] of fields.entries()) add?.(to, slot)
  return to.endObject()
}

const OFFSET_BYTES = 4

/** Writes a vector. FlatBuffers are filled from their end, so the last item is written first. */
function vector<Item>(to: Builder, bytes: number, items: readonly Item[], write: (item: Item) => void): Offset {
  to.startVector(bytes, items.length, bytes)
  for (const item of items.toReversed()) write(item)
  return to.endVector()
}

/** Writes a vector of structs of two 8-byte numbers. */
function pairs(to: Builder, items: readonly (readonly [number, number])[]): Offset {
  return vector(to, 16, items, ([first, second]) => {
    to.prep(8, 16)
    to.writeInt64(BigInt(second))
    to.writeInt64(BigInt(first))
  })
}

/** Wraps a message for the Arrow stream: marker, length, and the message padded to 8 bytes. */
function framed(message: Uint8Array): Uint8Array {
  const filled = joined([message, padding(message.length)])
  const head = new DataView(new ArrayBuffer(8))
  head.setUint32(0, CONTINUATION, true)
  head.setUint32(4, filled.length, true)
  return joined([new Uint8Array(head.buffer), filled])
}

function padding(length: number): Uint8Array {
  return new Uint8Array(-length & 7)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
