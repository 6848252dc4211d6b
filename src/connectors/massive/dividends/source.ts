import type { Dividend } from '../../../market/dividend.ts'
import { securityKind } from '../../../market/security.ts'
import { MILLISECONDS_PER_HOUR } from '../../../market/units.ts'
import type { ReferenceSource } from '../../port/reference.ts'
import { createRest, type RestSettings } from '../rest.ts'
import { underlyingName } from '../symbols.ts'
import { nameOf, readDividend } from './map.ts'

/** Rows of a page, the most that the vendor gives. */
const PAGE = 1000
/** Pages a second at most: a year of all shares has some 40, and chains may be read with the same key meanwhile. */
const PAGES_PER_SECOND = 5

/** The dividends of the wanted shares and funds, out of the list of all: those of the past and what was declared since. */
export function createMassiveDividends(settings: RestSettings): ReferenceSource {
  const rest = createRest({ ...settings, requestsPerSecond: Math.min(settings.requestsPerSecond, PAGES_PER_SECOND) })
  return {
    name: 'massive',
    every: 6 * MILLISECONDS_PER_HOUR,
    budget: rest.budget,
    async *read({ from, symbols }, signal) {
      const paying = symbols.filter((symbol) => securityKind(symbol) !== 'index')
      const wanted = new Map(
        paying.map((symbol) => [underlyingName(symbol), { symbol, found: new Map<string, Dividend>() }])
      )
      const query = `ex_dividend_date.gte=${from}&order=asc&sort=ex_dividend_date&limit=${PAGE}`
      for await (const rows of rest.pages(`/v3/reference/dividends?${query}`, signal)) {
        for (const row of rows) {
          // Nothing else is read of the others: what is wrong there is nothing of ours.
          const found = wanted.get(nameOf(row))?.found
          const dividend = found && readDividend(row)
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
