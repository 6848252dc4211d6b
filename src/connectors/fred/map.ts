import type { DailyBar } from '../../market/bar.ts'
import { type MacroSeries, seriesBar } from '../../market/macro-series.ts'
import { parseIsoDate } from '../../market/units.ts'
import { fieldReader } from '../port/fields.ts'

const reader = fieldReader('FRED')

/** The values of a series, ascending by day. A dot stands for a day without one. */
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
