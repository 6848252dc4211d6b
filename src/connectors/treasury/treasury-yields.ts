import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { parYields, seriesBar } from '../../market/macro-series.ts'
import { type IsoDate, isoDate, MILLISECONDS_PER_HOUR, type Ticker } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { csvRows } from '../port/http/csv.ts'
import type { HttpSource } from '../port/http/fetch-payload.ts'
import { fetchBody } from '../port/http/fetch-payload.ts'
import { fieldReader } from '../port/http/vendor-fields.ts'
import type { ReferenceSource } from '../port/reference.ts'

export interface TreasurySettings {
  /** Base address, to which `daily-treasury-rates.csv` is appended. */
  readonly url: string
  readonly onAnswer?: AnswerListener | undefined
}

/** Source of the US Treasury's par yields. Each year has one file; the current year's file grows every evening. */
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

const { malformed } = fieldReader('the US Treasury')

/** Column heading of a maturity, e.g. 1 Mo or 1 Yr. */
const columnOf = (months: number) => (months < 12 ? `${months} Mo` : `${months / 12} Yr`)

/**
 * Reads the par yields of one year's file by series, ascending by day. A day without a yield for a maturity is left
 * out.
 */
export function readYields(
  bytes: Uint8Array
): readonly { readonly symbol: Ticker; readonly bars: readonly DailyBar[] }[] {
  const rows = csvRows(bytes, ['Date', ...parYields.map(({ months }) => columnOf(months))], malformed)
  const dated = rows.map((row) => ({ date: dateOf(row['Date']), row }))
  dated.sort((a, b) => (a.date < b.date ? -1 : 1))
  return parYields.map(({ months, series }) => {
    const column = columnOf(months)
    const bars = dated.flatMap(({ date, row }): DailyBar[] => {
      const text = row[column]
      if (text === '' || text === 'N/A') return []
      const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
      if (!series.isPossible(value)) throw malformed(`the column ${column} is no yield on ${date}`)
      return [seriesBar(date, value)]
    })
    return { symbol: series.symbol, bars }
  })
}

function dateOf(text: string): IsoDate {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const date = isoDate(Number(year), Number(month), Number(day))
  if (date === undefined) throw malformed('the column Date is no date')
  return date
}
