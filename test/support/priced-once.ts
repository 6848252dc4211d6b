import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { LRUCache } from 'lru-cache'
import type { Chain } from '../../src/market/chain.ts'
import { type PricedChain, priceChain } from '../../src/pricing/price-chain.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'
import { madeUpAssumptions } from './made-up.ts'

/** Maximum number of priced chains in the cache: those of a few archives that are compared. */
const MAX_CHAINS = 48

const held = new LRUCache<string, PricedChain>({ max: MAX_CHAINS })

/**
 * Prices a chain. Archives that give the same chain to the last bit share its prices, which depend on nothing else.
 * Each gets its own object, so that measures are computed for each separately.
 */
export function pricedOnce(chain: Chain): PricedChain {
  const name = contentOf(chain)
  let priced = held.get(name)
  if (priced === undefined) held.set(name, (priced = priceChain(chain, madeUpAssumptions, fittedSmile)))
  return { ...priced, ...chain }
}

/** Tells a chain from every one that differs anywhere. */
function contentOf(chain: Chain): string {
  const hash = createHash('sha256')
  const rest: [name: string, value: unknown][] = []
  for (const [name, value] of Object.entries(chain)) {
    if (!ArrayBuffer.isView(value)) rest.push([name, value])
    else
      hash
        .update(`${name} ${value.byteLength} `)
        .update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }
  return hash.update(serialize(rest)).digest('hex')
}
