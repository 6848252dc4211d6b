import { addDays } from '../../../market/calendar.ts'
import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { easternDate } from '../../../market/eastern.ts'
import { MILLISECONDS_PER_HOUR, parseIsoDate } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { isAtAlpaca } from '../alpaca-account.ts'
import { alpacaReader } from '../alpaca-fields.ts'
import { type AlpacaRestSettings, createAlpacaRest } from '../alpaca-rest.ts'

/** Number of symbols per request, and of rows per page. Both are the vendor's maximum. */
const TOGETHER = 100
const PAGE = '1000'
/** Days ahead to request. The vendor lists dividends by payment date, which is up to some weeks after the ex-date. */
const AHEAD = 150

/** Source of paid and announced dividends of the requested stocks and funds. */
export function createAlpacaDividends(settings: AlpacaRestSettings): ReferenceSource {
  const rest = createAlpacaRest(settings)
  return {
    name: 'alpaca',
    every: 6 * MILLISECONDS_PER_HOUR,
    budget: rest.budget,
    async *read({ now, from, symbols }, signal) {
      const paying = symbols.filter(isAtAlpaca)
      for (let begin = 0; begin < paying.length; begin += TOGETHER) {
        const together = paying.slice(begin, begin + TOGETHER)
        const found = new Map(together.map((symbol) => [symbol as string, new Map<string, Dividend>()]))
        const query = {
          symbols: together.join(),
          types: 'cash_dividend',
          start: from,
          end: addDays(easternDate(now), AHEAD),
          limit: PAGE,
          sort: 'asc'
        }
        for await (const page of rest.pages({ of: 'data', path: '/v1/corporate-actions', query }, signal)) {
          for (const { symbol, dividend } of readAlpacaDividends(page)) {
            // Dividends with the same ex-date are added up, so an entry that the vendor repeats must count once.
            if (dividend !== undefined) found.get(symbol)?.set(Object.values(dividend).join(' '), dividend)
          }
        }
        for (const symbol of together) {
          const dividends = [...found.get(symbol)!.values()].filter(({ exDate }) => exDate >= from)
          if (dividends.length > 0) yield { symbol, dividends }
        }
      }
    }
  }
}

/** A dividend from the vendor's list; `dividend` is undefined for foreign stocks, whose currency the vendor omits. */
export interface ListedDividend {
  readonly symbol: string
  readonly dividend: Dividend | undefined
}

/**
 * Reads the regular and special cash dividends of a page of `/v1/corporate-actions`. The vendor gives no declaration
 * dates; `knownFrom` estimates them.
 */
export function readAlpacaDividends(page: VendorFields): readonly ListedDividend[] {
  const actions = alpacaReader.object(page, 'corporate_actions')
  const listed = actions['cash_dividends'] === undefined ? [] : (alpacaReader.list(actions, 'cash_dividends') ?? [])
  return listed.map((element) => {
    const fields = alpacaReader.element(element, 'cash_dividends')
    const amount = alpacaReader.priceOrNone(fields, 'rate')
    if (Number.isNaN(amount)) throw alpacaReader.malformed('the field rate is no amount')
    const exDate = parseIsoDate(alpacaReader.text(fields, 'ex_date'))
    if (exDate === undefined) throw alpacaReader.malformed('the field ex_date is no date')
    const foreign = fields['foreign']
    if (typeof foreign !== 'boolean') throw alpacaReader.malformed('the field foreign is neither true nor false')
    const symbol = alpacaReader.text(fields, 'symbol')
    return { symbol, dividend: foreign ? undefined : { exDate, amount, knownFrom: knownFrom(exDate, undefined) } }
  })
}
