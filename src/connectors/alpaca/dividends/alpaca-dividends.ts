import { addDays } from '../../../market/calendar.ts'
import { type Dividend, knownFrom } from '../../../market/dividend.ts'
import { easternDate } from '../../../market/eastern.ts'
import { MILLISECONDS_PER_HOUR, parseIsoDate } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { isAtAlpaca } from '../alpaca-account.ts'
import { alpacaReader } from '../alpaca-fields.ts'
import { type AlpacaRestSettings, createAlpacaRest } from '../alpaca-rest.ts'

/** Symbols in one request, and rows of a page, the most that the vendor gives. */
const TOGETHER = 100
const PAGE = '1000'
/** Days ahead: a dividend is listed by the day on which it is paid, which lies up to some weeks after its ex-date. */
const AHEAD = 150

/** The dividends of the wanted shares and funds: those of the past and what has been declared since. */
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
            // Several of one ex-date add up, so that one which is listed twice must count once.
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

/** A dividend as the vendor lists it; undefined for one of a foreign share, whose currency is not told. */
export interface ListedDividend {
  readonly symbol: string
  readonly dividend: Dividend | undefined
}

/**
 * The cash dividends of a page of `/v1/corporate-actions`, regular and special ones. None says when it was declared, see
 * `knownFrom`.
 */
export function readAlpacaDividends(page: VendorFields): readonly ListedDividend[] {
  const actions = alpacaReader.object(page, 'corporate_actions')
  // A page without any has not the list either.
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
