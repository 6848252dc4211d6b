import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { parseIsoDate } from '../../../market/units.ts'
import type { Fields } from '../../port/http/vendor-fields.ts'
import { reader } from '../fields.ts'

/** A dividend as the vendor lists it; undefined for one of a foreign share, whose currency is not told. */
export interface ListedDividend {
  readonly symbol: string
  readonly dividend: Dividend | undefined
}

/**
 * The cash dividends of a page of `/v1/corporate-actions`, regular and special ones. None says when it was declared, see
 * `knownFrom`.
 */
export function readDividends(page: Fields): readonly ListedDividend[] {
  const actions = reader.object(page, 'corporate_actions')
  // A page without any has not the list either.
  const listed = actions['cash_dividends'] === undefined ? [] : (reader.list(actions, 'cash_dividends') ?? [])
  return listed.map((element) => {
    const fields = reader.element(element, 'cash_dividends')
    const amount = reader.priceOrNone(fields, 'rate')
    if (Number.isNaN(amount)) throw reader.malformed('the field rate is no amount')
    const exDate = parseIsoDate(reader.text(fields, 'ex_date'))
    if (exDate === undefined) throw reader.malformed('the field ex_date is no date')
    const foreign = fields['foreign']
    if (typeof foreign !== 'boolean') throw reader.malformed('the field foreign is neither true nor false')
    const symbol = reader.text(fields, 'symbol')
    return { symbol, dividend: foreign ? undefined : { exDate, amount, knownFrom: knownFrom(exDate, undefined) } }
  })
}
