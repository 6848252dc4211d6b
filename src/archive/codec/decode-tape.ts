import type { Settlement } from '../../market/clock.ts'
import {
  CANCEL,
  copyPrints,
  emptyPrints,
  type PrintColumns,
  type Prints,
  pickPrints,
  slicePrints
} from '../../market/print.ts'
import { type Series, SeriesList, stockSeries } from '../../market/series.ts'
import type { IsoDate } from '../../market/units.ts'
import type { StoredTape } from '../history-store.ts'
import { type NativeBlock, readNative } from './native.ts'
import { rowsOf } from './native-rows.ts'

export interface RestoredTape {
  readonly prints: Prints
  readonly series: Series
  /** Position after the last row. Exceeds the number of prints if rows were lost on the way to the archive. */
  readonly end: number
}

/**
 * Restores the prints of a stored tape in order, with their series. If a row was written twice, the later one counts.
 * If rows were lost, the cancels of lost prints are omitted as well.
 */
export function decodeTape({ kind, packed }: StoredTape): RestoredTape {
  const prints = emptyPrints(packed.end)
  let length = 0
  let last = -1
  for (const { rows, columns } of blocksOf(packed.rows)) {
    const position = columns['position'] as Uint32Array
    const known = columns['known'] as Float64Array
    const behind = columns['behind'] as Float64Array
    const block = { ...columns, ts: known.map((moment, k) => moment - behind[k]) } as unknown as PrintColumns
    // Duplicate rows are adjacent, so a block can nearly always be copied in one piece.
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
  const read = length === prints.length ? prints : slicePrints(prints, 0, length)
  const end = last + 1
  return { prints: length === end ? read : withoutLoneCancels(read), series: seriesOf(kind, packed.series), end }
}

/** Reads piece by piece, so that the values of one piece at a time are in memory beside the bytes. */
function* blocksOf(pieces: readonly Uint8Array[]): Generator<NativeBlock> {
  for (const piece of pieces) yield* readNative(piece)
}

function withoutLoneCancels(prints: Prints): Prints {
  const standing = new Map<string, number>()
  const kept: number[] = []
  for (let at = 0; at < prints.length; at++) {
    const { sequence, exchange, instrument, ts, price, size, flags } = prints
    const name = [sequence, exchange, instrument, ts, price, size].map((column) => column[at]).join(' ')
    const count = standing.get(name) ?? 0
    const isCancel = (flags[at] & CANCEL) !== 0
    if (isCancel && count === 0) continue
    standing.set(name, count + (isCancel ? -1 : 1))
    kept.push(at)
  }
  return pickPrints(prints, kept)
}

function seriesOf(kind: StoredTape['kind'], packed: Uint8Array): Series {
  if (kind === 'stock') return stockSeries
  const list = new SeriesList()
  for (const row of rowsOf(packed)) {
    const number = list.numberOf({
      date: row['date'] as IsoDate,
      root: row['root'] as string,
      settlement: row['settlement'] as Settlement,
      strike: row['strike'] as number,
      right: row['right'] as number,
      adjusted: row['adjusted'] === 1
    })
    if (number !== row['instrument']) throw new Error(`the tape has lost the series before number ${row['instrument']}`)
  }
  return list.columns
}
