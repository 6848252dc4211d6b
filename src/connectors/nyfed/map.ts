import type { DailyBar } from '../../market/bar.ts'
import { type MacroSeries, seriesBar } from '../../market/macro-series.ts'
import { parseIsoDate } from '../../market/units.ts'
import { fieldReader } from '../port/fields.ts'

const reader = fieldReader('the New York Fed')

/** The values of a rate in an answer, ascending by day. Percentiles and volumes beside them are not read. */
export function readRates(bytes: Uint8Array, type: string, series: MacroSeries): readonly DailyBar[] {
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
