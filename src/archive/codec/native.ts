// ClickHouse's Native format: blocks of columns, each with its name, type and values. Source: ClickHouse documentation,
// Formats, Native.

/** Values of one column of a block. */
export type NativeColumn =
  | Float64Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Uint8Array
  | Uint16Array
  | readonly string[]
  | NativeArrays

/** A column of arrays: row r holds `flat` from ends[r - 1] (0 for the first row) to ends[r]. */
export interface NativeArrays {
  readonly ends: readonly number[]
  readonly flat: Exclude<NativeColumn, NativeArrays>
}

export interface NativeBlock {
  readonly rows: number
  readonly columns: Readonly<Record<string, NativeColumn>>
}

/** Reads all blocks of a query result. Values are copied, because typed arrays need aligned memory. */
export function readNative(bytes: Uint8Array): readonly NativeBlock[] {
  const cursor = { bytes, at: 0 }
  const blocks: NativeBlock[] = []
  while (cursor.at < bytes.length) {
    const count = readCount(cursor)
    const rows = readCount(cursor)
    const columns: Record<string, NativeColumn> = {}
    for (let k = 0; k < count; k++) {
      const name = readText(cursor)
      columns[name] = readColumn(cursor, readText(cursor), rows)
    }
    if (rows > 0) blocks.push({ rows, columns })
  }
  return blocks
}

interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

/** Reads a variable-length integer: seven bits per byte, lowest first. */
function readCount(cursor: Cursor): number {
  let value = 0
  for (let weight = 1; ; weight *= 128) {
    const byte = cursor.bytes[cursor.at++]
    value += (byte & 127) * weight
    if (byte < 128) return value
    if (byte === undefined) throw new Error('the answer of the database ends too early')
  }
}

const utf8 = new TextDecoder()

function readText(cursor: Cursor): string {
  const length = readCount(cursor)
  const start = cursor.at
  cursor.at += length
  // A text decoder does not accept shared memory, so the few bytes are copied.
  return utf8.decode(cursor.bytes.slice(start, cursor.at))
}

function readColumn(cursor: Cursor, type: string, rows: number): NativeColumn {
  const inner = /^Array\((.*)\)$/.exec(type)?.[1]
  if (inner === undefined) return readFlat(cursor, type, rows)
  const ends = Array.from(readFlat(cursor, 'UInt64', rows) as BigUint64Array, Number)
  return { ends, flat: readFlat(cursor, inner, ends.at(-1) ?? 0) }
}

const kinds = {
  Float64: Float64Array,
  Int32: Int32Array,
  UInt32: Uint32Array,
  Int64: BigInt64Array,
  UInt64: BigUint64Array,
  UInt8: Uint8Array,
  UInt16: Uint16Array,
  Date: Uint16Array,
  Date32: Int32Array
} as const

function readFlat(cursor: Cursor, type: string, rows: number): Exclude<NativeColumn, NativeArrays> {
  if (type === 'String') return Array.from({ length: rows }, () => readText(cursor))
  const Kind = kinds[type as keyof typeof kinds]
  if (Kind === undefined) throw new Error(`a column of type ${type} is not read here`)
  const start = cursor.at
  cursor.at += rows * Kind.BYTES_PER_ELEMENT
  if (cursor.at > cursor.bytes.length) throw new Error('the answer of the database ends too early')
  const copy = new Uint8Array(cursor.at - start)
  copy.set(cursor.bytes.subarray(start, cursor.at))
  return new Kind(copy.buffer)
}
