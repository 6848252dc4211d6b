import { Builder, ByteBuffer, type Offset } from 'flatbuffers'
import { type ArrowColumn, type ArrowType, type ColumnBuffers, columnBuffers, joined, textBuffers } from './buffers.ts'
import { type AddField, byte, int, long, pairs, reference, referenceVector, short, table } from './flat-tables.ts'

export const ARROW_STREAM = 'application/vnd.apache.arrow.stream'

/**
 * Writes a table as an Apache Arrow stream: a schema, then batches of rows, then `arrowEnd`. Numbers are doubles,
 * timestamps UTC in milliseconds; a unit is metadata of its column. Source: Apache Arrow, Columnar Format 1.5,
 * "Serialization and Interprocess Communication", with Message.fbs and Schema.fbs.
 */
export function arrowHead(columns: readonly ArrowColumn[]): Uint8Array {
  const dictionaries = columns.flatMap(({ words }, id) => (words === undefined ? [] : [dictionaryBatch(id, words)]))
  return joined([schemaMessage(columns), ...dictionaries])
}

/** Writes rows as one batch. `values` has the values of each column. */
export function arrowBatch(columns: readonly ArrowColumn[], values: readonly (readonly unknown[])[], rows: number) {
  const { header, body, to } = recordBatch(
    rows,
    columns.map((column, k) => columnBuffers(column, values[k]))
  )
  return messageOf(to, RECORD_BATCH, header, body)
}

const VERSION_5 = 4
const SCHEMA = 1
const DICTIONARY_BATCH = 2
const RECORD_BATCH = 3

const nothing = new Uint8Array(0)
const CONTINUATION = 0xffffffff
export const arrowEnd = framed(nothing)

const DOUBLE = 2
const DAY = 0
const MILLISECOND = 1

/** Number of each type in Type of Schema.fbs, and its fields. */
const types: Readonly<Record<ArrowType, readonly [kind: number, fields: (to: Builder) => readonly AddField[]]>> = {
  number: [3, () => [short(DOUBLE)]],
  string: [5, () => []],
  boolean: [6, () => []],
  date: [8, () => [short(DAY, MILLISECOND)]],
  timestamp: [
    10,
    (to) => {
      const zone = to.createString('UTC')
      return [short(MILLISECOND), reference(zone)]
    }
  ]
}

function schemaMessage(columns: readonly ArrowColumn[]): Uint8Array {
  const to = new Builder()
  const listed = referenceVector(
    to,
    columns.map((column, id) => fieldOf(to, column, id))
  )
  return messageOf(to, SCHEMA, table(to, [undefined, reference(listed)]), [])
}

function fieldOf(to: Builder, { name, type, nullable, words, unit }: ArrowColumn, id: number): Offset {
  const named = reference(to.createString(name))
  const [kind, fields] = types[type]
  const typed = reference(table(to, fields(to)))
  const dictionary = words === undefined ? undefined : reference(dictionaryEncoding(to, id))
  const children = reference(referenceVector(to, []))
  const metadata = unit === undefined ? undefined : reference(referenceVector(to, [keyValue(to, 'unit', unit)]))
  return table(to, [named, byte(nullable ? 1 : 0), byte(kind), typed, dictionary, children, metadata])
}

function dictionaryEncoding(to: Builder, id: number): Offset {
  const index = table(to, [int(32), byte(1)]) // signed
  return table(to, [long(id), reference(index)])
}

function keyValue(to: Builder, key: string, value: string): Offset {
  const [named, held] = [to.createString(key), to.createString(value)]
  return table(to, [reference(named), reference(held)])
}

function dictionaryBatch(id: number, words: readonly string[]): Uint8Array {
  const { header, body, to } = recordBatch(words.length, [{ nulls: 0, buffers: [nothing, ...textBuffers(words)] }])
  return messageOf(to, DICTIONARY_BATCH, table(to, [long(id), reference(header)]), body)
}

function recordBatch(rows: number, columns: readonly ColumnBuffers[]) {
  const body: Uint8Array[] = []
  let length = 0
  const buffers = columns.flatMap((column) =>
    column.buffers.map((part): [number, number] => {
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
  return { to, header, body }
}

function messageOf(to: Builder, kind: number, header: Offset, body: readonly Uint8Array[]): Uint8Array {
  const bodyLength = body.reduce((sum, { length }) => sum + length, 0)
  to.finish(table(to, [short(VERSION_5), byte(kind), reference(header), long(bodyLength)]))
  return joined([framed(to.asUint8Array()), ...body])
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

/** Number of rows in batches that `arrowBatch` wrote. */
export function countArrowRows(batches: Uint8Array): number {
  let rows = 0
  for (let at = 0; at < batches.length; ) {
    const view = new DataView(batches.buffer, batches.byteOffset + at)
    const length = view.getUint32(4, true)
    const message = new ByteBuffer(batches.subarray(at + 8, at + 8 + length))
    const root = message.readInt32(message.position()) + message.position()
    const header = message.__indirect(root + message.__offset(root, HEADER_FIELD))
    rows += longAt(message, header, ROWS_FIELD)
    at += 8 + length + longAt(message, root, BODY_FIELD)
  }
  return rows
}

/** Places of fields in the tables Message and RecordBatch: 4 bytes, then 2 for each field before. */
const HEADER_FIELD = 8
const BODY_FIELD = 10
const ROWS_FIELD = 4

function longAt(message: ByteBuffer, table: number, field: number): number {
  const place = message.__offset(table, field)
  return place === 0 ? 0 : Number(message.readInt64(table + place))
}
