import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { contextChain } from './context-chain.ts'
import { crossesAsChain, type Input } from './input.ts'

/**
 * The chain of the other symbol that the endpoint declares, of the same moment. Undefined where the request names none, and
 * where nothing is held of it.
 */
export const beside: Input<PricedChain | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ endpoint, params, request, session }) => {
    const symbol = endpoint.besideRead(params as never)
    return symbol === undefined ? undefined : contextChain(symbol, request, session)
  },
  version: (found) => (found === undefined ? '' : versionOf(found)),
  ...crossesAsChain
}
