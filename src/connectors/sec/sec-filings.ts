import { session } from '../../market/calendar.ts'
import type { EarningsTiming, ReportFiled } from '../../market/earnings.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Instant, type IsoDate, parseIsoDate, type Ticker } from '../../market/units.ts'
import { fieldReader, type VendorFields } from '../port/http/vendor-fields.ts'
import { acceptedAt, filingClock } from './acceptance-time.ts'

const reader = fieldReader('the SEC')

/** Item of Form 8-K under which companies file their results. Source: SEC, Form 8-K, item 2.02. */
const RESULTS = '2.02'

/** Reads company numbers (CIK) by ticker. A share class is written as BRK-B. */
export function readTickers(bytes: Uint8Array): ReadonlyMap<string, number> {
  const listed = reader.body(bytes)
  return new Map(
    Object.keys(listed).map((name) => {
      const fields = reader.object(listed, name)
      const number = reader.number(fields, 'cik_str')
      if (!Number.isInteger(number) || number < 1) throw reader.malformed('the field cik_str is no number of a company')
      return [reader.text(fields, 'ticker'), number]
    })
  )
}

/** Ticker as the SEC writes it, e.g. BRK-B for BRK.B. */
export const secTicker = (symbol: Ticker) => symbol.replaceAll(/[./]/g, '-')

export const submissionsFile = (company: number) => `CIK${String(company).padStart(10, '0')}.json`

interface Filing {
  readonly form: string
  readonly items: string
  readonly filed: IsoDate
  readonly accepted: string
}

/**
 * Reads the earnings reports that a company filed on or after a day, newest first. Each has its day, and states whether
 * it came before the opening, during the session or after the close. The list holds no reported figures and no future
 * reports. `company` is the CIK whose list was requested.
 */
export function readFilings(
  bytes: Uint8Array,
  company: number,
  symbols: readonly Ticker[],
  from: IsoDate
): readonly ReportFiled[] {
  const body = reader.body(bytes)
  const number = reader.text(body, 'cik')
  if (!/^\d{1,10}$/.test(number) || Number(number) !== company)
    throw reader.malformed(`the field cik is not ${company}`)
  const name = reader.text(body, 'name').trim()
  const filings = columnsOf(reader.object(reader.object(body, 'filings'), 'recent'))
  const clock = filingClock(filings.map(({ accepted }) => accepted))
  return filings
    .filter(({ form, items, filed }) => form === '8-K' && items.split(',').includes(RESULTS) && filed >= from)
    .flatMap(({ filed, accepted }) => {
      const time = clock && acceptedAt(accepted, clock)
      const date = time === undefined ? filed : easternDate(time)
      const timing = time === undefined ? undefined : timingOf(time, date)
      return symbols.map((symbol) => ({ symbol, company: name === '' ? undefined : name, date, timing }))
    })
}

function columnsOf(recent: VendorFields): readonly Filing[] {
  const columns = ['form', 'items', 'filingDate', 'acceptanceDateTime'].map((name) => {
    const column = reader.list(recent, name) ?? []
    return column.map((value) => {
      if (typeof value !== 'string') throw reader.malformed(`the field ${name} has what is no text`)
      return value
    })
  })
  const [forms, items, dates, times] = columns
  for (const [k, name] of ['form', 'items', 'filingDate', 'acceptanceDateTime'].entries()) {
    if (columns[k].length !== forms.length) throw reader.malformed(`the field ${name} is not as long as form`)
  }
  return forms.map((form, k) => {
    const filed = parseIsoDate(dates[k])
    if (filed === undefined) throw reader.malformed('the field filingDate is no date')
    if (acceptedAt(times[k], 'utc') === undefined) throw reader.malformed('the field acceptanceDateTime is no time')
    return { form, items: items[k], filed, accepted: times[k] }
  })
}

/**
 * When a filing came on a day: before the opening, during the session or after the close. Undefined on a day without a
 * session.
 */
function timingOf(time: Instant, date: IsoDate): EarningsTiming | undefined {
  const day = session(date)
  if (day === undefined) return undefined
  return time < day.open ? 'bmo' : time >= day.close ? 'amc' : 'dmh'
}
