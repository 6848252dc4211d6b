import type { DailyBar } from '../../../market/bar.ts'
import { session } from '../../../market/calendar.ts'
import { type Instant, type IsoDate, isoDate, MILLISECONDS_PER_HOUR, type Ticker } from '../../../market/units.ts'
import type { AnswerListener } from '../../port/capture/capture.ts'
import { csvRows } from '../../port/http/csv.ts'
import { fetchBody, type HttpSource } from '../../port/http/fetch-payload.ts'
import { fieldReader } from '../../port/http/vendor-fields.ts'
import type { ReferenceSource } from '../../port/reference.ts'

export interface CboeIndexesSettings {
  readonly url: string
  readonly onAnswer?: AnswerListener | undefined
}

export const indexSymbols = ['VIX', 'VIX9D', 'VIX3M', 'VIX6M', 'VVIX', 'SKEW'] as readonly string[] as readonly Ticker[]

/**
 * Source of daily values of the volatility indexes. Each index has one file with its whole past, rewritten every
 * evening.
 */
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
      for (const symbol of indexSymbols) {
        const bytes = await fetchBody(source, `${url}/${symbol}_History.csv`, signal)
        yield { symbol, bars: readIndexHistory(bytes, symbol, now).filter(({ date }) => date >= from) }
      }
    }
  }
}

const { malformed } = fieldReader('Cboe')

const range = ['OPEN', 'HIGH', 'LOW'] as const

const stated: readonly string[] = ['SKEW', 'VVIX']

/**
 * Parses daily bars of an index for sessions that were over by `now`, ascending. SKEW and VVIX have closes only; no
 * index has a volume.
 */
export function readIndexHistory(bytes: Uint8Array, symbol: Ticker, now: Instant): readonly DailyBar[] {
  const isStated = stated.includes(symbol)
  const closeColumn = isStated ? symbol : 'CLOSE'
  const columns = isStated ? [closeColumn] : [...range, closeColumn]
  const rows = csvRows(bytes, ['DATE', ...columns], malformed)
  const bars = rows.flatMap((row): DailyBar[] => {
    const date = dateOf(row['DATE'])
    const close = session(date)?.close
    if (close === undefined || close > now) return []
    const values = Object.fromEntries(columns.map((name) => [name, levelOf(row[name], name, date)]))
    const [open, high, low] = range.map((name) => values[name] ?? Number.NaN)
    return [{ date, open, high, low, close: values[closeColumn], volume: 0 }]
  })
  return bars.sort((a, b) => (a.date < b.date ? -1 : 1))
}

function levelOf(text: string, name: string, date: IsoDate): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(value > 0)) throw malformed(`the column ${name} is no level on ${date}`)
  return value
}

function dateOf(text: string): IsoDate {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
  const date = isoDate(Number(year), Number(month), Number(day))
  if (date === undefined) throw malformed('the column DATE is no date')
  return date
}
