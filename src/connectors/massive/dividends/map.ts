import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { type IsoDate, parseIsoDate } from '../../../market/units.ts'
import { type Fields, fieldReader } from '../../port/http/vendor-fields.ts'

const reader = fieldReader('Massive')

/** The vendor's name of the share that a row is about. */
export const nameOf = (row: unknown): string => reader.text(reader.element(row, 'results'), 'ticker')

/**
 * A row of `/v3/reference/dividends`, whatever kind of cash it is: regular, special or a fund's gain. Not every row says when
 * it was declared, see `knownFrom`. Undefined for one in another currency than USD.
 */
export function readDividend(row: unknown): Dividend | undefined {
  const fields = reader.element(row, 'results')
  const amount = reader.number(fields, 'cash_amount')
  if (!(amount > 0)) throw reader.malformed('the field cash_amount is no amount')
  const exDate = dateOf(fields, 'ex_dividend_date')
  const declared = isThere(fields, 'declaration_date') ? dateOf(fields, 'declaration_date') : undefined
  if (isThere(fields, 'currency') && reader.text(fields, 'currency') !== 'USD') return undefined
  return { exDate, amount, knownFrom: knownFrom(exDate, declared) }
}

/** Whether a field that not every row has says anything. */
const isThere = (fields: Fields, name: string) => fields[name] !== undefined && fields[name] !== null

function dateOf(fields: Fields, name: string): IsoDate {
  const date = parseIsoDate(reader.text(fields, name))
  if (date === undefined) throw reader.malformed(`the field ${name} is no date`)
  return date
}
