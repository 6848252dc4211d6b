import { type ChainHeader, headerOf } from '../../market/chain.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { crossesAsChain, type Input, type InputContext } from './input.ts'
import { ifReadable, type MarketReadings } from './market-reader.ts'

const VIX = 'VIX' as Ticker
const find = ({ market, request, session }: InputContext) => contextChain(VIX, market, request.maxAge, session)

/** Level of the VIX index, if the source quotes it. */
export const vix: Input<number | undefined, PricedChain | undefined> = {
  kind: 'market',
  moves: true,
  find,
  value: (found) => found?.spot,
  version: (found) => found?.spot ?? ''
}

export const vixQuote: Input<ChainHeader | undefined, PricedChain | undefined> = {
  kind: 'market',
  moves: true,
  find,
  value: (found) => found && headerOf(found),
  version: (found) => (found === undefined ? '' : versionOf(found)),
  dates: (found, { hasSubject }) => (found === undefined || hasSubject ? [] : [found])
}

/** Chain of another symbol at the moment of the request; undefined if it is not available. */
export function contextChain(
  index: Ticker,
  market: Pick<MarketReadings, 'chain' | 'closing'>,
  maxAge: number,
  session: IsoDate | undefined
): PricedChain | undefined {
  return ifReadable(() => (session === undefined ? market.chain(index, maxAge) : market.closing(index, session)))
}

/**
 * Chain of the second symbol that the endpoint declares, at the moment of the request. Undefined if the request names
 * no second symbol or its chain is not available.
 */
export const secondChain: Input<PricedChain | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ endpoint, params, market, request, session }) => {
    const symbol = endpoint.secondSymbolRead(params as never)
    return symbol === undefined ? undefined : contextChain(symbol, market, request.maxAge, session)
  },
  version: (found) => (found === undefined ? '' : versionOf(found)),
  ...crossesAsChain
}
