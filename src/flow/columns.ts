import { grownLength } from '../memory/grown-length.ts'
import { sharedMemory } from '../memory/shared-memory.ts'

type Column = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array

/** A table stored as columns (arrays) of equal length; one index is one row. */
export type Columns<Name extends string = string> = { readonly [column in Name]: Column }

export type ColumnKinds = Readonly<Record<string, new (length: number) => Column>>

type SharedKind = { new (memory: SharedArrayBuffer, offset: number, length: number): Column; BYTES_PER_ELEMENT: number }

export type ColumnsOf<Kinds extends ColumnKinds> = { readonly [Name in keyof Kinds]: InstanceType<Kinds[Name]> }

export function emptyColumns<Kinds extends ColumnKinds>(kinds: Kinds, length: number): ColumnsOf<Kinds> {
  const made = Object.entries(kinds).map(([name, Kind]) => [name, new Kind(length)])
  return Object.fromEntries(made) as ColumnsOf<Kinds>
}

/** Creates columns of zeros in one shared buffer that every thread can read. */
export function sharedColumns<Kinds extends ColumnKinds>(kinds: Kinds, length: number): ColumnsOf<Kinds> {
  const widths = Object.entries(kinds).map(([name, Kind]) => ({ name, Kind: Kind as unknown as SharedKind }))
  const widest = widths.sort((a, b) => b.Kind.BYTES_PER_ELEMENT - a.Kind.BYTES_PER_ELEMENT)
  const row = widest.reduce((sum, { Kind }) => sum + Kind.BYTES_PER_ELEMENT, 0)
  const memory = sharedMemory(row * length)
  let offset = 0
  const made = widest.map(({ name, Kind }) => {
    const column = new Kind(memory, offset, length)
    offset += column.byteLength
    return [name, column]
  })
  return Object.fromEntries(made) as ColumnsOf<Kinds>
}

/** Copies the first `length` rows into shared memory. */
export function sharedRows<Kinds extends ColumnKinds>(kinds: Kinds, columns: ColumnsOf<Kinds>, length: number) {
  const rows = sharedColumns(kinds, length)
  for (const name in kinds) rows[name].set(columns[name].subarray(0, length))
  return rows
}

/** Copies rows in the given order into shared memory. */
export function sharedOrder<Kinds extends ColumnKinds>(
  kinds: Kinds,
  columns: ColumnsOf<Kinds>,
  order: ArrayLike<number>
) {
  return inOrder(kinds, columns, order, sharedColumns(kinds, order.length))
}

export function rowsInOrder<Kinds extends ColumnKinds>(
  kinds: Kinds,
  columns: ColumnsOf<Kinds>,
  order: ArrayLike<number>
) {
  return inOrder(kinds, columns, order, emptyColumns(kinds, order.length))
}

function inOrder<Kinds extends ColumnKinds>(
  kinds: Kinds,
  columns: ColumnsOf<Kinds>,
  order: ArrayLike<number>,
  target: ColumnsOf<Kinds>
): ColumnsOf<Kinds> {
  for (const name in kinds) gather(columns[name], order, target[name])
  return target
}

function gather(from: Column, order: ArrayLike<number>, to: Column): void {
  for (let k = 0; k < order.length; k++) to[k] = from[order[k]]
}

/** Returns the columns if they have room for `rows`, else copies that are longer by a factor of `growth` at least. */
export function withRoom<Given extends Columns>(columns: Given, rows: number, growth?: number): Given {
  const { length } = lengthOf(columns)
  if (rows <= length) return columns
  const longer = grownLength(length, rows, growth)
  return mapped(columns, (column) => {
    const copy = new (column.constructor as new (length: number) => Column)(longer)
    copy.set(column)
    return copy
  })
}

export function copyOf<Given extends Columns>(columns: Given): Given {
  return mapped(columns, (column) => column.slice())
}

/** Removes one of the first `length` rows; later rows move up. */
export function removeRow(columns: Columns, row: number, length: number): void {
  for (const name in columns) columns[name].copyWithin(row, row + 1, length)
}

/** Inserts a free row before `row`. The columns must be longer than `length`. */
export function insertRow(columns: Columns, row: number, length: number): void {
  for (const name in columns) columns[name].copyWithin(row + 1, row, length)
}

function lengthOf(columns: Columns): Column {
  for (const name in columns) return columns[name]
  throw new Error('columns without a column')
}

function mapped<Given extends Columns>(columns: Given, made: (column: Column) => Column): Given {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, made(column)])) as Given
}
