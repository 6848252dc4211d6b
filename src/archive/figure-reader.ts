import { LRUCache } from 'lru-cache'
import { type FigureColumns, type FigureRequest, figuresAsOf } from '../market/figure-row.ts'
import type { HistoryStore } from './history-store.ts'

/** Maximum number of cached figures, 8 bytes each. */
const MAX_NUMBERS = 1_000_000

/**
 * Reads figures that were computed from past snapshots, such as the gamma exposure over time. Prices before a split are
 * returned in the scale of the moment. The archive is queried
 * every time, but equal results are returned as the same object, so that results memoized on it stay valid.
 */
export class FigureReader {
  readonly #archive: Pick<HistoryStore, 'figures' | 'splits'>
  readonly #held = new LRUCache<string, FigureColumns>({
    maxSize: MAX_NUMBERS,
    sizeCalculation: ({ t, columns }) => 1 + t.length * (1 + columns.length)
  })

  constructor(archive: Pick<HistoryStore, 'figures' | 'splits'>) {
    this.#archive = archive
  }

  async read(request: FigureRequest): Promise<FigureColumns> {
    const key = JSON.stringify(request)
    const [stored, splits] = await Promise.all([this.#archive.figures(request), this.#archive.splits(request.symbol)])
    const found = figuresAsOf(stored, request, splits)
    const held = this.#held.get(key)
    if (held !== undefined && areSame(held, found)) return held
    this.#held.set(key, found)
    return found
  }
}

function areSame(one: FigureColumns, other: FigureColumns): boolean {
  return (
    isSameColumn(one.t, other.t) &&
    one.columns.every((column, k) => isSameColumn(column, other.columns[k])) &&
    one.waiting.length === other.waiting.length &&
    one.waiting.every(({ from, to }, k) => from === other.waiting[k].from && to === other.waiting[k].to)
  )
}

function isSameColumn(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((value, k) => Object.is(value, other[k]))
}
