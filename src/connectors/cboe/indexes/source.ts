import { MILLISECONDS_PER_HOUR, type Ticker } from '../../../market/units.ts'
import type { AnswerListener } from '../../port/capture.ts'
import { fetchBody } from '../../port/fetch-body.ts'
import type { HttpSource } from '../../port/http.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { readHistory } from './map.ts'

export interface CboeIndexesSettings {
  /** The address above `VIX_History.csv`. */
  readonly url: string
  readonly onAnswer?: AnswerListener | undefined
}

/** Indexes whose histories the exchange publishes. */
export const indexes = ['VIX', 'VIX9D', 'VIX3M', 'VIX6M', 'VVIX', 'SKEW'] as readonly string[] as readonly Ticker[]

/** Daily values of the volatility indexes: one file for each with all of its past, written anew every evening. */
export function createCboeIndexes({ url, onAnswer }: CboeIndexesSettings): ReferenceSource {
  const source: HttpSource = {
    vendor: 'Cboe',
    limits: { time: 30_000, size: 8 * 2 ** 20 },
    headers: { accept: 'text/csv' },
    onAnswer
  }
  return {
    name: 'cboe',
    every: 4 * MILLISECONDS_PER_HOUR,
    async *read({ now, from }, signal) {
      for (const symbol of indexes) {
        const bytes = await fetchBody(source, `${url}/${symbol}_History.csv`, signal)
        yield { symbol, bars: readHistory(bytes, symbol, now).filter(({ date }) => date >= from) }
      }
    }
  }
}
