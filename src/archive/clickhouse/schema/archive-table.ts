/** A table of the archive. Of rows that agree in `orderBy` the one written last stays. */
export interface ArchiveTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  readonly settings?: string
}

/** A query with a name; `of` are the tables it reads, written {name} in it. */
export interface ArchiveView {
  readonly name: string
  readonly query: string
}

/** Columns that a table of an earlier version gained. */
export interface AddedColumns {
  readonly table: string
  readonly columns: readonly string[]
}

/** The name of a column as statements write it: `right` is also a kind of join. */
export const identifier = (column: string) => (column === 'right' ? '`right`' : column)

/** SQL types of columns that several tables have, with their compression. */
export const columnTypes = {
  symbol: 'LowCardinality(String)',
  moment: "DateTime64(3, 'UTC') CODEC(Delta, ZSTD(3))",
  fidelity: "Enum8('recorded' = 1, 'imported' = 2)",
  price: 'Float64 CODEC(ZSTD(3))',
  floats: 'Array(Float64) CODEC(ZSTD(3))',
  /** Whole numbers for the contracts of a snapshot. T64 cuts the bits that no value needs. */
  counts: 'Array(Int32) CODEC(T64, ZSTD(6))'
} as const

export const symbolColumn = `symbol ${columnTypes.symbol}`
export const momentColumn = (name: string) => `${name} ${columnTypes.moment}`
export const fidelityColumn = `fidelity ${columnTypes.fidelity}`
/** The moment at which the write of a row began. */
export const writtenColumn = "written DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(3))"
/** One partition for each week: thinning out snapshots rewrites whole partitions, and a read opens those of its week alone. */
export const weekly = 'toMonday(session)'
