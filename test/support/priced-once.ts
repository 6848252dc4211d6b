import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { LRUCache } from 'lru-cache'
import type { Chain } from '../../src/market/chain.ts'
import { type PricedChain, priceChain } from '../../src/pricing/price-chain.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'
import { madeUpAssumptions } from './made-up.ts'

/** Chains whose prices are held: those of a few archives that are asked beside each other. */
const MAX_CHAINS = 48

const held = new LRUCache<string, PricedChain>({ max: MAX_CHAINS })

/**
 * A chain, priced. Archives that give the same chain to the last bit share its prices, which rest on nothing else; each has
 * an object of its own, so that whatever is measured of it is measured for each anew.
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
