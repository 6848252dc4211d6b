import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type MacroSeries, macroSeries, overnightRate, seriesBar } from '../../market/macro-series.ts'
import { MILLISECONDS_PER_HOUR, parseIsoDate } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { fetchBody, type HttpSource } from '../port/http/fetch-payload.ts'
import { fieldReader } from '../port/http/vendor-fields.ts'
import type { ReferenceCapability, ReferenceSource } from '../port/reference.ts'

export interface NewYorkFedSettings {
  /** Base address, to which `secured/sofr` is appended. */
  readonly url: string
  readonly capabilities: readonly ReferenceCapability[]
  readonly onAnswer?: AnswerListener | undefined
}

/** A rate to request: its path, its name in the response, and the macro series that it fills. */
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

/**
 * Source of the New York Fed's reference rates. A day's rate is published on the morning of the next business day and
 * corrected at most once, on the day of publication.
 */
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
        yield { symbol: series.symbol, bars: readNewYorkRates(bytes, type, series) }
      }
    }
  }
}

const reader = fieldReader('the New York Fed')

/** Reads the values of a rate, ascending by day. Percentiles and volumes are not read. */
export function readNewYorkRates(bytes: Uint8Array, type: string, series: MacroSeries): readonly DailyBar[] {
  const rates = reader.list(reader.body(bytes), 'refRates') ?? []
  return rates
    .map((element): DailyBar => {
      const rate = reader.element(element, 'refRates')
      const found = reader.text(rate, 'type')
      if (found !== type) throw reader.malformed(`the field type is ${found} where ${type} was asked for`)
      const date = parseIsoDate(reader.text(rate, 'effectiveDate'))
      if (date === undefined) throw reader.malformed('the field effectiveDate is no date')
      const value = reader.number(rate, 'percentRate')
      if (!series.isPossible(value)) throw reader.malformed(`the field percentRate is ${value} on ${date}`)
      return seriesBar(date, value)
    })
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}
