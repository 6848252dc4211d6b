import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { type IsoDate, parseIsoDate } from '../../../market/units.ts'
import { type Fields, fieldReader } from '../../port/fields.ts'

/** A dividend by the vendor's name of the share. */
export interface ListedDividend {
  readonly name: string
  readonly dividend: Dividend
}

const reader = fieldReader('Massive')

/**
 * A row of `/v3/reference/dividends`, whatever kind of cash it is: regular, special or a fund's gain. Not every row says when
 * it was declared, see `knownFrom`. Undefined for one in another currency than USD.
 */
export function readDividend(row: unknown): ListedDividend | undefined {
  const fields = reader.element(row, 'results')
  const name = reader.text(fields, 'ticker')
  const amount = reader.number(fields, 'cash_amount')
  if (!(amount > 0)) throw reader.malformed('the field cash_amount is no amount')
  const exDate = dateOf(fields, 'ex_dividend_date')
  const declared = Object.hasOwn(fields, 'declaration_date') ? dateOf(fields, 'declaration_date') : undefined
  if (Object.hasOwn(fields, 'currency') && reader.text(fields, 'currency') !== 'USD') return undefined
  return { name, dividend: { exDate, amount, knownFrom: knownFrom(exDate, declared) } }
}

function dateOf(fields: Fields, name: string): IsoDate {
  const date = parseIsoDate(reader.text(fields, name))
  if (date === undefined) throw reader.malformed(`the field ${name} is no date`)
  return date
}
