import { latestSession } from '../../../market/calendar.ts'
import { parseOcc } from '../../../market/occ.ts'
import { rootsOf } from '../../../market/security.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import { readingOf } from '../../port/source-error.ts'
import { readContracts, readExpirations } from '../tradier-contracts.ts'
import { readQuote } from '../tradier-quote.ts'
import { chainRequest, expirationsRequest, quoteRequest, tradierSymbol } from '../tradier-requests.ts'
import type { TradierRest } from '../tradier-rest.ts'

/** Number of expirations to stream. The nearest ones are streamed, because they trade most. */
const EXPIRATIONS = 3

/**
 * Chooses at most `most` contracts of a symbol: about equally many from each of the nearest expirations, with the
 * strikes nearest to the price first. Empty if the vendor does not know the symbol or has no price.
 */
export async function nearContracts(
  rest: TradierRest,
  symbol: Ticker,
  most: number,
  now: Instant,
  signal: AbortSignal
): Promise<readonly string[]> {
  const name = tradierSymbol(symbol)
  const [listing] = (await rest.ask([expirationsRequest(name)], signal)).bodies
  const today = latestSession(now).date
  const dates = readingOf(listing, readExpirations).filter((date) => date >= today)
  const requests = [quoteRequest(name), ...dates.slice(0, EXPIRATIONS).map((date) => chainRequest(name, date))]
  const [quoted, ...listed] = (await rest.ask(requests, signal)).bodies
  const quote = readingOf(quoted, (bytes) => readQuote(bytes, symbol))
  const spot = [quote?.last, quote?.close, quote?.previousClose].find((price) => price !== undefined && price > 0)
  if (spot === undefined) return []
  const roots = new Set(rootsOf(symbol).map((root) => root.replace(/[^A-Z0-9]/g, '')))
  const ranked = listed.map((body) => nearest(readingOf(body, readContracts), roots, spot))
  const longest = Math.max(0, ...ranked.map(({ length }) => length))
  const chosen: string[] = []
  for (let rank = 0; rank < longest; rank++) {
    for (const contracts of ranked) if (rank < contracts.length) chosen.push(contracts[rank])
  }
  return chosen.slice(0, most)
}

/** Standard contracts of the given option roots, strikes nearest to the spot first. */
function nearest(contracts: ReturnType<typeof readContracts>, roots: ReadonlySet<string>, spot: number) {
  return contracts
    .flatMap(({ symbol, size }) => {
      const occ = parseOcc(symbol)
      if (occ === undefined || occ.adjusted || size !== 100 || !roots.has(occ.root)) return []
      return [{ symbol, distance: Math.abs(occ.strike - spot) }]
    })
    .sort((a, b) => a.distance - b.distance || (a.symbol < b.symbol ? -1 : 1))
    .map(({ symbol }) => symbol)
}
