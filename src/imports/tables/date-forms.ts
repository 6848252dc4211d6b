import { dateOfEpochDay, type IsoDate, isoDate } from '../../market/units.ts'

/** Order of day and month in dates such as 3/5/24, or `excel` for day numbers of a spreadsheet. */
export type DateOrder = 'mdy' | 'dmy' | 'excel'

export const dateOrders: readonly DateOrder[] = ['mdy', 'dmy', 'excel']

interface DateForm {
  /** A date in this form, for messages and tests. */
  readonly example: string
  /** Matches the date at the beginning of a text. */
  readonly pattern: RegExp
  /** Year, month and day of a match, as texts. */
  readonly parts: (
    match: RegExpExecArray,
    order: DateOrder | undefined
  ) => readonly [string, string, string] | undefined
}

const end = '(?!\\d)'
const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
const year = '(\\d{4}|\\d{2})'
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Matches dates whose order of day and month the text alone may not tell. */
const twoNumbers = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2${year}${end}`)

/** Forms of dates in files. The first form that matches counts. */
export const dateForms: readonly DateForm[] = [
  form('2024-03-05', '(\\d{4})-(\\d{2})-(\\d{2})', (m) => [m[1], m[2], m[3]]),
  form('2024/03/05', '(\\d{4})([/.])(\\d{1,2})\\2(\\d{1,2})', (m) => [m[1], m[3], m[4]]),
  form('20240305', '(\\d{4})(\\d{2})(\\d{2})', (m) => [m[1], m[2], m[3]]),
  { example: '3/5/24', pattern: twoNumbers, parts: ordered },
  form('05-Mar-24', `(\\d{1,2})[- ]?${month}[-. ]{0,2}${year}`, (m) => [m[3], m[2], m[1]]),
  form('March 5, 2024', `${month}[-. ]{1,2}(\\d{1,2})[-, ]{1,2}(\\d{4}|'\\d{2})`, (m) => [
    m[3].replace("'", ''),
    m[1],
    m[2]
  ])
]

function form(example: string, pattern: string, parts: DateForm['parts']): DateForm {
  return { example, pattern: new RegExp(`^${pattern}${end}`, 'i'), parts }
}

function ordered(match: RegExpExecArray, order: DateOrder | undefined): readonly [string, string, string] | undefined {
  const [, first, , second, stated] = match
  const known = order ?? orderIn(match[0])
  if (known === 'dmy') return [stated, second, first]
  return known === 'mdy' ? [stated, first, second] : undefined
}

/** Order that a date such as 3/25/24 shows by itself. Undefined if it could be both, or has another form. */
function orderIn(text: string): 'mdy' | 'dmy' | undefined {
  const [, first, , second] = twoNumbers.exec(text) ?? []
  if (Number(first) > 12) return 'dmy'
  return Number(second) > 12 ? 'mdy' : undefined
}

export interface FoundDate {
  readonly date: IsoDate
  /** Text that follows the date. */
  readonly rest: string
}

const weekday = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}[,.]? +/i

/**
 * Finds the date at the beginning of a text. Years of two digits are from 1970 to 2069. Undefined if there is none, or
 * if day and month cannot be told apart.
 */
export function dateAtStart(text: string, order: DateOrder | undefined): FoundDate | undefined {
  const bare = text.replace(weekday, '')
  for (const { pattern, parts } of dateForms) {
    const match = pattern.exec(bare)
    const [y, m, d] = (match && parts(match, order)) ?? []
    if (match === null || y === undefined || m === undefined) continue
    const named = months.indexOf(m.slice(0, 3).toLowerCase()) + 1
    const date = isoDate(yearOf(y), named === 0 ? Number(m) : named, Number(d))
    return date && { date, rest: bare.slice(match[0].length) }
  }
  return undefined
}

function yearOf(text: string): number {
  if (text.length === 4) return Number(text)
  return Number(text) + (Number(text) < 70 ? 2000 : 1900)
}

/** Days from 1899-12-30, day 0 of spreadsheets, to 1970-01-01. */
const SPREADSHEET_EPOCH = 25_569
const serial = /^[2-6]\d{4}(\.\d+)?$/

/** Date of a spreadsheet's day number: 2024-03-05 for 45356. Undefined for numbers before 1954 or after 2091. */
export function dateOfSerial(text: string): IsoDate | undefined {
  return serial.test(text) ? dateOfEpochDay(Math.floor(Number(text)) - SPREADSHEET_EPOCH) : undefined
}

/**
 * Finds the order of day and month that the dates of a file show. `said` is what the operator stated, and `usual` the order
 * of dates that show none. Returns a sentence if the dates could be read in several ways, or contradict each other.
 */
export function dateOrderIn(
  texts: Iterable<string>,
  said: DateOrder | undefined,
  usual?: DateOrder
): { readonly order: DateOrder | undefined } | { readonly problem: string } {
  let shown: DateOrder | undefined
  let unclear: string | undefined
  for (const text of texts) {
    const bare = text.replace(weekday, '')
    if (said !== 'excel' && serial.test(bare)) {
      return { problem: `${bare} may be a day number of a spreadsheet, ${dateOfSerial(bare)}: say --dates excel` }
    }
    if (!twoNumbers.test(bare)) continue
    const own = orderIn(bare)
    if (own === undefined) unclear ??= bare
    else if (shown !== undefined && own !== shown) {
      return {
        problem: `its dates contradict each other: in ${bare} the ${own === 'dmy' ? 'day' : 'month'} comes first, in others it does not`
      }
    } else shown = own
  }
  if (said !== undefined) {
    if (shown === undefined || said === 'excel' || said === shown) return { order: said }
    return { problem: `its dates are ${shown}, not ${said}` }
  }
  if (shown !== undefined || usual !== undefined || unclear === undefined) return { order: shown ?? usual }
  const [mdy, dmy] = (['mdy', 'dmy'] as const).map((order) => dateAtStart(unclear, order)?.date)
  return { problem: `${unclear} may be ${mdy} or ${dmy}: say --dates mdy or --dates dmy` }
}
