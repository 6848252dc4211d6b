/** A table of the archive. If rows have the same `orderBy` columns, only the one written last counts. */
export interface ArchiveTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  readonly settings?: string
}

/** A database view. In its query, `{name}` stands for the table of that name. */
export interface ArchiveView {
  readonly name: string
  readonly query: string
}

export interface AddedColumns {
  readonly table: string
  readonly columns: readonly string[]
}

/** Spelling of a column in statements. `right` must be quoted because it is also a keyword. */
export const identifier = (column: string) => (column === 'right' ? '`right`' : column)

/** SQL types and compression of columns that several tables have. */
export const columnTypes = {
  symbol: 'LowCardinality(String)',
  moment: "DateTime64(3, 'UTC') CODEC(Delta, ZSTD(3))",
  fidelity: "Enum8('recorded' = 1, 'imported' = 2)",
  price: 'Float64 CODEC(ZSTD(3))',
  floats: 'Array(Float64) CODEC(ZSTD(3))',
  /** Whole numbers, one for each contract of a snapshot. T64 drops the bits that no value needs. */
  counts: 'Array(Int32) CODEC(T64, ZSTD(6))'
} as const

export const symbolColumn = `symbol ${columnTypes.symbol}`
export const momentColumn = (name: string) => `${name} ${columnTypes.moment}`
export const fidelityColumn = `fidelity ${columnTypes.fidelity}`
/** Column with the time at which the write of the row began. */
export const writtenColumn = "written DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(3))"
/**
 * SQL of the partition key: each partition holds one week. A deletion rewrites whole partitions, and a read opens only
 * the partitions of its weeks.
 */
export const weekly = 'toMonday(session)'
