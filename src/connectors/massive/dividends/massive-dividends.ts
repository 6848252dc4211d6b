import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { securityKind } from '../../../market/security.ts'
import { type IsoDate, MILLISECONDS_PER_HOUR, parseIsoDate } from '../../../market/units.ts'
import { fieldReader, type VendorFields } from '../../port/http/vendor-fields.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { createMassiveRest, type MassiveRestSettings } from '../massive-rest.ts'
import { massiveName } from '../massive-symbols.ts'

/** Rows of a page, the most that the vendor gives. */
const PAGE = 1000
/** Pages a second at most: a year of all shares has some 40, and chains may be read with the same key meanwhile. */
const PAGES_PER_SECOND = 5

/** The dividends of the wanted shares and funds, out of the list of all: those of the past and what was declared since. */
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
          // Nothing else is read of the others: what is wrong there is nothing of ours.
          const found = wanted.get(massiveNameIn(row))?.found
          const dividend = found && readMassiveDividend(row)
          // Several of one ex-date add up, so that one which is listed twice must count once.
          if (dividend !== undefined) found!.set(Object.values(dividend).join(' '), dividend)
        }
      }
      // Only now: those of one ex-date may lie on two pages.
      for (const { symbol, found } of wanted.values())
        if (found.size > 0) yield { symbol, dividends: [...found.values()] }
    }
  }
}

const reader = fieldReader('Massive')

/** The vendor's name of the share that a row is about. */
export const massiveNameIn = (row: unknown): string => reader.text(reader.element(row, 'results'), 'ticker')

/**
 * A row of `/v3/reference/dividends`, whatever kind of cash it is: regular, special or a fund's gain. Not every row says when
 * it was declared, see `knownFrom`. Undefined for one in another currency than USD.
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

/** Whether a field that not every row has says anything. */
const isThere = (fields: VendorFields, name: string) => fields[name] !== undefined && fields[name] !== null

function dateOf(fields: VendorFields, name: string): IsoDate {
  const date = parseIsoDate(reader.text(fields, name))
  if (date === undefined) throw reader.malformed(`the field ${name} is no date`)
  return date
}
