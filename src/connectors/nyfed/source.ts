import { easternDate } from '../../market/eastern.ts'
import { type MacroSeries, macroSeries, overnightRate } from '../../market/macro-series.ts'
import { MILLISECONDS_PER_HOUR } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture.ts'
import { fetchBody } from '../port/fetch-body.ts'
import type { HttpSource } from '../port/http.ts'
import type { ReferenceCapability, ReferenceSource } from '../port/reference.ts'
import { readRates } from './map.ts'

export interface NewYorkFedSettings {
  /** The address above `secured/sofr`. */
  readonly url: string
  readonly capabilities: readonly ReferenceCapability[]
  readonly onAnswer?: AnswerListener | undefined
}

/** What is asked for: the path of a rate, the name it goes by in the answer, and the series it is. */
interface Rate {
  readonly of: ReferenceCapability
  readonly path: string
  readonly type: string
  readonly series: MacroSeries
}

const rates: readonly Rate[] = [
  { of: 'rates', path: 'secured/sofr', type: 'SOFR', series: overnightRate },
  { of: 'macro', path: 'unsecured/effr', type: 'EFFR', series: macroSeries.fedFunds }
]

/** The reference rates of the New York Fed: of a day on the morning of the next business day, corrected at most once then. */
export function createNewYorkFed({ url, capabilities, onAnswer }: NewYorkFedSettings): ReferenceSource {
  const source: HttpSource = {
    vendor: 'the New York Fed',
    limits: { time: 30_000, size: 4 * 2 ** 20 },
    headers: { accept: 'application/json' },
    onAnswer
  }
  return {
    name: 'nyfed',
    every: 4 * MILLISECONDS_PER_HOUR,
    async *read({ now, from }, signal) {
      for (const { path, type, series } of rates.filter(({ of }) => capabilities.includes(of))) {
        const query = `startDate=${from}&endDate=${easternDate(now)}`
        const bytes = await fetchBody(source, `${url}/${path}/search.json?${query}`, signal)
        yield { symbol: series.symbol, bars: readRates(bytes, type, series) }
      }
    }
  }
}
