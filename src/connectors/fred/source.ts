import { type MacroSeries, macroSeries, overnightRate, parYields } from '../../market/macro-series.ts'
import { MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture.ts'
import { fetchBody } from '../port/fetch-body.ts'
import type { HttpSource } from '../port/http.ts'
import type { ReferenceCapability, ReferenceSource } from '../port/reference.ts'
import { RequestBudget } from '../port/request-budget.ts'
import { readObservations } from './map.ts'

export interface FredSettings {
  readonly url: string
  readonly key: string
  readonly capabilities: readonly ReferenceCapability[]
  readonly onAnswer?: AnswerListener | undefined
}

/** Half of what FRED takes of one key. */
const REQUESTS_PER_MINUTE = 60

/** Maturities that the Treasury has and FRED has not. */
const missing: readonly number[] = [2, 4]

const { tenYear, fedFunds, highYieldSpread } = macroSeries

const asked: Readonly<Record<'rates' | 'macro', readonly MacroSeries[]>> = {
  rates: [overnightRate, ...parYields.filter(({ months }) => !missing.includes(months)).map(({ series }) => series)],
  macro: [tenYear, fedFunds, highYieldSpread]
}

/** Series of the Federal Reserve Bank of St. Louis, one request for each. */
export function createFred({ url, key, capabilities, onAnswer }: FredSettings): ReferenceSource {
  const budget = new RequestBudget({ requests: REQUESTS_PER_MINUTE, every: MILLISECONDS_PER_MINUTE })
  const source: HttpSource = {
    vendor: 'FRED',
    limits: { time: 30_000, size: 8 * 2 ** 20 },
    headers: { accept: 'application/json' },
    budget,
    onAnswer
  }
  const wanted = new Set((['rates', 'macro'] as const).flatMap((of) => (capabilities.includes(of) ? asked[of] : [])))
  return {
    name: 'fred',
    every: 4 * MILLISECONDS_PER_HOUR,
    budget,
    async *read({ from }, signal) {
      for (const series of wanted) {
        const query = { series_id: series.id, api_key: key, file_type: 'json', observation_start: from }
        const bytes = await fetchBody(source, `${url}/series/observations?${new URLSearchParams(query)}`, signal)
        yield { symbol: series.symbol, bars: readObservations(bytes, series) }
      }
    }
  }
}
