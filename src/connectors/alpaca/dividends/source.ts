import { addDays } from '../../../market/calendar.ts'
import type { Dividend } from '../../../market/dividend.ts'
import { easternDate } from '../../../market/eastern.ts'
import { MILLISECONDS_PER_HOUR } from '../../../market/units.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { createRest, type RestSettings } from '../rest.ts'
import { isOffered } from '../symbols.ts'
import { readDividends } from './map.ts'

/** Symbols in one request, and rows of a page, the most that the vendor gives. */
const TOGETHER = 100
const PAGE = '1000'
/** Days ahead: a dividend is listed by the day on which it is paid, which lies up to some weeks after its ex-date. */
const AHEAD = 150

/** The dividends of the wanted shares and funds: those of the past and what has been declared since. */
export function createAlpacaDividends(settings: RestSettings): ReferenceSource {
  const rest = createRest(settings)
  return {
    name: 'alpaca',
    every: 6 * MILLISECONDS_PER_HOUR,
    budget: rest.budget,
    async *read({ now, from, symbols }, signal) {
      const paying = symbols.filter(isOffered)
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
          for (const { symbol, dividend } of readDividends(page)) {
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
