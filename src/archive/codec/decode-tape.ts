import type { Settlement } from '../../market/clock.ts'
import { copyPrints, emptyPrints, type PrintColumns, type Prints, printColumns } from '../../market/print.ts'
import { type Series, SeriesList, stockSeries } from '../../market/series.ts'
import type { IsoDate } from '../../market/units.ts'
import type { StoredTape } from '../store.ts'
import { readNative } from './native.ts'
import { rowsOf } from './native-rows.ts'

/** A tape as it was written. */
export interface RestoredTape {
  readonly prints: Prints
  readonly series: Series
}

/** The prints of a stored tape in their order, and their series. A row that was written twice is there once. */
export function decodeTape({ kind, packed }: StoredTape): RestoredTape {
  const blocks = readNative(packed.rows)
  const prints = emptyPrints(blocks.reduce((sum, { rows }) => sum + rows, 0))
  let length = 0
  let last = -1
  for (const { rows, columns } of blocks) {
    const position = columns['position'] as Uint32Array
    const known = columns['known'] as Float64Array
    const behind = columns['behind'] as Float64Array
    const block = { ...columns, ts: known.map((moment, k) => moment - behind[k]) } as unknown as PrintColumns
    // Rows that came twice lie beside each other, so nearly always a block is copied in one piece.
    let from = 0
    for (let k = 0; k <= rows; k++) {
      if (k < rows && position[k] > last) {
        last = position[k]
        continue
      }
      copyPrints(block, from, k, prints, length)
      length += k - from
      from = k + 1
    }
  }
  return { prints: length === prints.length ? prints : part(prints, length), series: seriesOf(kind, packed.series) }
}

function part(prints: Prints, length: number): Prints {
  const columns = printColumns.map((name) => [name, prints[name].subarray(0, length)])
  return { ...Object.fromEntries(columns), length } as Prints
}

function seriesOf(kind: StoredTape['kind'], packed: Uint8Array): Series {
  if (kind === 'stock') return stockSeries
  const list = new SeriesList()
  for (const row of rowsOf(packed)) {
    list.numberOf({
      date: row['date'] as IsoDate,
      root: row['root'] as string,
      settlement: row['settlement'] as Settlement,
      strike: row['strike'] as number,
      right: row['right'] as number,
      adjusted: row['adjusted'] === 1
    })
  }
  return list.columns
}
