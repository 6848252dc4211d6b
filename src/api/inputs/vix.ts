import { type ChainHeader, headerOf } from '../../market/chain.ts'
import type { Ticker } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { contextChain } from './context-chain.ts'
import type { Input, InputContext } from './input.ts'

const VIX = 'VIX' as Ticker
const find = ({ request, session }: InputContext) => contextChain(VIX, request, session)

/** The level of the VIX index, where the source quotes it. */
export const vix: Input<number | undefined, PricedChain | undefined> = {
  kind: 'market',
  moves: true,
  find,
  value: (found) => found?.spot,
  version: (found) => found?.spot ?? ''
}

/** The VIX index itself, where the source quotes it. */
export const vixQuote: Input<ChainHeader | undefined, PricedChain | undefined> = {
  kind: 'market',
  moves: true,
  find,
  value: (found) => found && headerOf(found),
  version: (found) => (found === undefined ? '' : versionOf(found)),
  dates: (found, { hasSubject }) => (found === undefined || hasSubject ? [] : [found])
}
