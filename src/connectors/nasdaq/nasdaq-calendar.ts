import { addDays, isTradingDay } from '../../market/calendar.ts'
import { type EarningsTiming, unstated } from '../../market/earnings.ts'
import { easternDate } from '../../market/eastern.ts'
import { type IsoDate, MILLISECONDS_PER_HOUR, parseTicker } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import type { HttpSource } from '../port/http/fetch-payload.ts'
import { fetchBody } from '../port/http/fetch-payload.ts'
import { RequestBudget } from '../port/http/request-budget.ts'
import { fieldReader, type VendorFields } from '../port/http/vendor-fields.ts'
import type { ReferenceSource, ReportStated } from '../port/reference.ts'

export interface NasdaqSettings {
  /** Base address, to which `calendar/earnings` is appended. */
  readonly url: string
  readonly onAnswer?: AnswerListener | undefined
  /** Milliseconds between two requests; 1000 if undefined. */
  readonly pace?: number
}

/**
 * Number of past days to request, for reported figures. `DAYS_AHEAD` is the number of coming days, for expected
 * reports.
 */
const DAYS_BACK = 4
const DAYS_AHEAD = 28

/**
 * Source of all companies' earnings: expected reports of the next four weeks and reported figures of the last days,
 * with one request for each day.
 */
export function createNasdaq({ url, onAnswer, pace = 1000 }: NasdaqSettings): ReferenceSource {
  const budget = new RequestBudget({ requests: 1, every: pace, maxParallel: 1 })
  const source: HttpSource = {
    vendor: 'Nasdaq',
    limits: { time: 30_000, size: 8 * 2 ** 20 },
    // The site answers only clients that look like a browser.
    headers: {
      accept: 'application/json, text/plain, */*',
      'accept-language': 'en-US,en;q=0.9',
      'user-agent': 'Mozilla/5.0 (compatible; gammawall)'
    },
    budget,
    onAnswer
  }
  return {
    name: 'nasdaq',
    every: 3 * MILLISECONDS_PER_HOUR,
    budget,
    async *read({ now }, signal) {
      const today = easternDate(now)
      for (let day = -DAYS_BACK; day <= DAYS_AHEAD; day++) {
        const date = addDays(today, day)
        if (!isTradingDay(date)) continue
        const address = `${url}/calendar/earnings?date=${date}`
        const bytes = await budget.run(() => fetchBody(source, address, signal), signal)
        yield { earnings: readReports(bytes, date) }
      }
    }
  }
}

const reader = fieldReader('Nasdaq')

const timings: Readonly<Record<string, EarningsTiming | undefined>> = {
  'time-pre-market': 'bmo',
  'time-after-hours': 'amc',
  'time-not-supplied': undefined
}

/**
 * Reads the earnings reports of one calendar day. The fiscal period is unknown, because the site names only the month
 * in which the quarter ends. The site does not state whether the company confirmed the date. Symbols that are not valid
 * tickers are skipped.
 */
export function readReports(bytes: Uint8Array, date: IsoDate): readonly ReportStated[] {
  const data = reader.objectOrNone(reader.body(bytes), 'data')
  const rows = data && reader.list(data, 'rows')
  if (data === undefined || rows === undefined) return []
  // The table of a future day has no column of actual figures.
  const columns = reader.object(data, 'headers')
  return rows.flatMap((element): ReportStated[] => {
    const row = reader.element(element, 'rows')
    const symbol = parseTicker(reader.text(row, 'symbol'))
    const company = reader.text(row, 'name').trim()
    const report: ReportStated = {
      ...unstated,
      symbol: symbol!,
      date,
      company: company === '' ? undefined : company,
      timing: timingOf(row),
      epsEstimate: money(row, 'epsForecast'),
      epsActual: actualOf(row, Object.hasOwn(columns, 'eps'))
    }
    return symbol === undefined ? [] : [report]
  })
}

function actualOf(row: VendorFields, isListed: boolean): number | undefined {
  if (isListed) return money(row, 'eps')
  if (Object.hasOwn(row, 'eps')) throw reader.malformed('the field eps is there without its heading')
  return undefined
}

function timingOf(row: VendorFields): EarningsTiming | undefined {
  const text = reader.text(row, 'time')
  if (!Object.hasOwn(timings, text)) throw reader.malformed(`the field time is ${JSON.stringify(text)}`)
  return timings[text]
}

/** Parses USD per share, such as $0.46 or ($0.20); undefined for N/A or an empty text. */
function money(row: VendorFields, name: string): number | undefined {
  const text = reader.text(row, name).trim()
  if (text === '' || text === 'N/A') return undefined
  const [, bracket, digits, closed] = /^(\()?\$(\d[\d,]*(?:\.\d+)?)(\))?$/.exec(text) ?? []
  if (digits === undefined || (bracket === undefined) !== (closed === undefined)) {
    throw reader.malformed(`the field ${name} is no amount of dollars`)
  }
  const value = Number(digits.replaceAll(',', ''))
  return bracket === undefined ? value : -value
}
