import { easternDate } from '../../market/eastern.ts'
import { MILLISECONDS_PER_HOUR } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture.ts'
import { fetchBody } from '../port/fetch-body.ts'
import type { HttpSource } from '../port/http.ts'
import type { ReferenceSource } from '../port/reference.ts'
import { readYields } from './map.ts'

export interface TreasurySettings {
  /** The address above `daily-treasury-rates.csv`. */
  readonly url: string
  readonly onAnswer?: AnswerListener | undefined
}

/** The par yields of the US Treasury: one file for each year, of which the present one grows every evening. */
export function createTreasury({ url, onAnswer }: TreasurySettings): ReferenceSource {
  const source: HttpSource = {
    vendor: 'the US Treasury',
    limits: { time: 30_000, size: 4 * 2 ** 20 },
    headers: { accept: 'text/csv' },
    onAnswer
  }
  return {
    name: 'treasury',
    every: 4 * MILLISECONDS_PER_HOUR,
    async *read({ now, from }, signal) {
      const last = Number(easternDate(now).slice(0, 4))
      for (let year = Number(from.slice(0, 4)); year <= last; year++) {
        const query = `type=daily_treasury_yield_curve&field_tdr_date_value=${year}&page&_format=csv`
        const bytes = await fetchBody(source, `${url}/daily-treasury-rates.csv/${year}/all?${query}`, signal)
        for (const { symbol, bars } of readYields(bytes)) {
          yield { symbol, bars: bars.filter(({ date }) => date >= from) }
        }
      }
    }
  }
}
