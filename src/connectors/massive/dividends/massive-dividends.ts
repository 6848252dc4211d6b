import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { securityKind } from '../../../market/security.ts'
import { type IsoDate, MILLISECONDS_PER_HOUR, parseIsoDate } from '../../../market/units.ts'
import { fieldReader, type VendorFields } from '../../port/http/vendor-fields.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { createMassiveRest, type MassiveRestSettings } from '../massive-rest.ts'
import { massiveName } from '../massive-symbols.ts'

/** Rows per page, the vendor's maximum. */
const PAGE = 1000
/** Limit on pages per second. A year of all stocks has about 40 pages, and chains may use the same API key. */
const PAGES_PER_SECOND = 5

/**
 * Source of paid and announced dividends of the requested stocks and funds. They are picked from the vendor's list of
 * all stocks.
 */
export function createMassiveDividends(settings: MassiveRestSettings): ReferenceSource {
  const rest = createMassiveRest({
    ...settings,
    requestsPerSecond: Math.min(settings.requestsPerSecond, PAGES_PER_SECOND)
  })
  return {
    name: 'massive',
    every: 6 * MILLISECONDS_PER_HOUR,
    budget: rest.budget,
    async *read({ from, symbols }, signal) {
      const paying = symbols.filter((symbol) => securityKind(symbol) !== 'index')
      const wanted = new Map(
        paying.map((symbol) => [massiveName(symbol), { symbol, found: new Map<string, Dividend>() }])
      )
      const query = `ex_dividend_date.gte=${from}&order=asc&sort=ex_dividend_date&limit=${PAGE}`
      for await (const rows of rest.pages(`/v3/reference/dividends?${query}`, signal)) {
        for (const row of rows) {
          // Rows of other stocks are skipped without being checked.
          const found = wanted.get(massiveNameIn(row))?.found
          const dividend = found && readMassiveDividend(row)
          // Dividends with the same ex-date are added up, so an entry that the vendor repeats must count once.
          if (dividend !== undefined) found!.set(Object.values(dividend).join(' '), dividend)
        }
      }
      // Waits until all pages are read, because dividends with the same ex-date may be on two pages.
      for (const { symbol, found } of wanted.values())
        if (found.size > 0) yield { symbol, dividends: [...found.values()] }
    }
  }
}

const reader = fieldReader('Massive')

export const massiveNameIn = (row: unknown): string => reader.text(reader.element(row, 'results'), 'ticker')

/**
 * Reads a row of `/v3/reference/dividends`: a regular or special dividend, or a fund's capital gain. Undefined for
 * currencies other than USD. Some rows have no declaration date; `knownFrom` estimates it.
 */
export function readMassiveDividend(row: unknown): Dividend | undefined {
  const fields = reader.element(row, 'results')
  const amount = reader.number(fields, 'cash_amount')
  if (!(amount > 0)) throw reader.malformed('the field cash_amount is no amount')
  const exDate = dateOf(fields, 'ex_dividend_date')
  const declared = isThere(fields, 'declaration_date') ? dateOf(fields, 'declaration_date') : undefined
  if (isThere(fields, 'currency') && reader.text(fields, 'currency') !== 'USD') return undefined
  return { exDate, amount, knownFrom: knownFrom(exDate, declared) }
}

const isThere = (fields: VendorFields, name: string) => fields[name] !== undefined && fields[name] !== null

function dateOf(fields: VendorFields, name: string): IsoDate {
  const date = parseIsoDate(reader.text(fields, name))
  if (date === undefined) throw reader.malformed(`the field ${name} is no date`)
  return date
}
