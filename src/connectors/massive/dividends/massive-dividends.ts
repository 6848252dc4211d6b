import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { securityKind } from '../../../market/security.ts'
import { type IsoDate, MILLISECONDS_PER_HOUR, parseIsoDate } from '../../../market/units.ts'
import { fieldReader, type VendorFields } from '../../port/http/vendor-fields.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { createMassiveRest, type MassiveRestSettings } from '../massive-rest.ts'
import { massiveName } from '../massive-symbols.ts'

/** Rows per page, the vendor's maximum. */
const PAGE = 1000
/** Limit on pages per second: a year of all shares has some 40, and chains may use the same key. */
const PAGES_PER_SECOND = 5

/** Dividends of the wanted shares and funds, past and declared, filtered from the list of all. */
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
          // Rows of other shares are not checked any further.
          const found = wanted.get(massiveNameIn(row))?.found
          const dividend = found && readMassiveDividend(row)
          // Dividends of one ex-date add up, so a repeated entry must count once.
          if (dividend !== undefined) found!.set(Object.values(dividend).join(' '), dividend)
        }
      }
      // Only now, because dividends of one ex-date may be on two pages.
      for (const { symbol, found } of wanted.values())
        if (found.size > 0) yield { symbol, dividends: [...found.values()] }
    }
  }
}

const reader = fieldReader('Massive')

/** Vendor's name of a row's share. */
export const massiveNameIn = (row: unknown): string => reader.text(reader.element(row, 'results'), 'ticker')

/**
 * Reads a row of `/v3/reference/dividends`: regular, special or a fund's gain. Not every row has a declaration date,
 * see `knownFrom`. Undefined for another currency than USD.
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

/** Whether an optional field has a value. */
const isThere = (fields: VendorFields, name: string) => fields[name] !== undefined && fields[name] !== null

function dateOf(fields: VendorFields, name: string): IsoDate {
  const date = parseIsoDate(reader.text(fields, name))
  if (date === undefined) throw reader.malformed(`the field ${name} is no date`)
  return date
}
