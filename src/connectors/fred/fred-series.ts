import type { DailyBar } from '../../market/bar.ts'
import { type MacroSeries, macroSeries, overnightRate, parYields, seriesBar } from '../../market/macro-series.ts'
import { MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, parseIsoDate } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { fetchBody, type HttpSource } from '../port/http/fetch-payload.ts'
import { RequestBudget } from '../port/http/request-budget.ts'
import { fieldReader } from '../port/http/vendor-fields.ts'
import type { ReferenceCapability, ReferenceSource } from '../port/reference.ts'

export interface FredSettings {
  readonly url: string
  readonly key: string
  readonly capabilities: readonly ReferenceCapability[]
  readonly onAnswer?: AnswerListener | undefined
}

/** Half of the requests per minute that FRED allows for one key. */
const REQUESTS_PER_MINUTE = 60

/** Maturities in months that the Treasury publishes but FRED does not. */
const missing: readonly number[] = [2, 4]

const { tenYear, fedFunds, highYieldSpread } = macroSeries

const asked: Readonly<Record<'rates' | 'macro', readonly MacroSeries[]>> = {
  rates: [overnightRate, ...parYields.filter(({ months }) => !missing.includes(months)).map(({ series }) => series)],
  macro: [tenYear, fedFunds, highYieldSpread]
}

/** Source of macro series from FRED (Federal Reserve Bank of St. Louis), with one request for each series. */
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

const reader = fieldReader('FRED')

/** Reads the values of a series, ascending by day. A dot stands for a day without a value. */
export function readObservations(bytes: Uint8Array, series: MacroSeries): readonly DailyBar[] {
  const body = reader.body(bytes)
  const units = reader.text(body, 'units')
  if (units !== 'lin') throw reader.malformed(`the field units is ${units}, which is not the value itself`)
  const observations = reader.list(body, 'observations') ?? []
  const [count, limit] = [reader.number(body, 'count'), reader.number(body, 'limit')]
  if (count > limit) throw reader.malformed(`the field count is ${count}, of which one answer has ${limit}`)
  return observations
    .flatMap((element): DailyBar[] => {
      const observation = reader.element(element, 'observations')
      const date = parseIsoDate(reader.text(observation, 'date'))
      if (date === undefined) throw reader.malformed('the field date is no date')
      const text = reader.text(observation, 'value')
      if (text === '.') return []
      const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
      if (!series.isPossible(value)) throw reader.malformed(`the field value is ${text} on ${date}`)
      return [seriesBar(date, value)]
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}
