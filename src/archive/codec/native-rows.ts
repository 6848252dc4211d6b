import { type NativeArrays, type NativeColumn, readNative } from './native.ts'

/**
 * A value in a small query result. 64-bit integers become ordinary numbers, since moments and counts are far below
 * 2^53.
 */
export type NativeValue = number | string | readonly number[] | readonly string[]

/** Rows of a small query result, in order. */
export function rowsOf(bytes: Uint8Array): readonly Readonly<Record<string, NativeValue>>[] {
  return readNative(bytes).flatMap(({ rows, columns }) =>
    Array.from({ length: rows }, (_, at) =>
      Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, fieldOf(column, at)]))
    )
  )
}

function fieldOf(column: NativeColumn, at: number): NativeValue {
  if (!isNested(column)) return plain(column[at])
  const values = column.flat.slice(at === 0 ? 0 : column.ends[at - 1], column.ends[at])
  return Array.from(values as ArrayLike<number | string | bigint>, plain) as readonly number[] | readonly string[]
}

function isNested(column: NativeColumn): column is NativeArrays {
  return 'ends' in column
}

function plain(value: number | string | bigint): number | string {
  return typeof value === 'bigint' ? Number(value) : value
}
