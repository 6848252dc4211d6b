import { type ChainHeader, headerOf } from '../../market/chain.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { DataRequest } from '../market-source.ts'
import { type MaybePromise, orUndefined } from '../maybe-promise.ts'
import { crossesAsChain, type Input, type InputContext } from './input.ts'

const VIX = 'VIX' as Ticker
const find = ({ request, session }: InputContext) => contextChain(VIX, request, session)

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
  { source, maxAge }: DataRequest,
  session: IsoDate | undefined
): MaybePromise<PricedChain | undefined> {
  return orUndefined(() => (session === undefined ? source.chain(index, maxAge) : source.closing(index, session)))
}

/**
 * Chain of the second symbol that the endpoint declares, at the moment of the request. Undefined if the request names
 * no second symbol or its chain is not available.
 */
export const secondChain: Input<PricedChain | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ endpoint, params, request, session }) => {
    const symbol = endpoint.secondSymbolRead(params as never)
    return symbol === undefined ? undefined : contextChain(symbol, request, session)
  },
  version: (found) => (found === undefined ? '' : versionOf(found)),
  ...crossesAsChain
}
