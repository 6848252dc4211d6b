/** A table of the archive. Of rows that agree in `orderBy` the one written last stays. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  readonly settings?: string
}

/** A query with a name; `of` are the tables it reads, written {name} in it. */
export interface View {
  readonly name: string
  readonly query: string
}

/** Columns that a table of an earlier version gained. */
export interface AddedColumns {
  readonly table: string
  readonly columns: readonly string[]
}

// Columns that several tables have.

export const price = 'Float64 CODEC(ZSTD(3))'
/** Whole numbers along the contracts of a snapshot. T64 cuts the bits that no value needs. */
export const counts = 'Array(Int32) CODEC(T64, ZSTD(6))'
export const written = "written DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(3))"
export const symbol = 'symbol LowCardinality(String)'
export const moment = (name: string) => `${name} DateTime64(3, 'UTC') CODEC(Delta, ZSTD(3))`
export const fidelity = "fidelity Enum8('recorded' = 1, 'imported' = 2)"
/** A week to a part of the disk: snapshots are thinned out by rewriting parts, and a read opens those of its week alone. */
export const weekly = 'toMonday(session)'
