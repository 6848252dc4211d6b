import { chainOfRoot } from '../market/chain.ts'
import type { Ticker } from '../market/units.ts'
import type { PricedChain } from './price-chain.ts'

/** A chain that is held, and what was made of it for the weekly roots that are symbols of their own. */
export interface KeptChain {
  chain: PricedChain | undefined
  /** Parts of the chain, by root; undefined where it lists nothing under the root. */
  readonly parts: Map<Ticker, PricedChain | undefined>
}

type Forget = (chain: PricedChain) => void

/** Puts a chain, or none, in the place of the one that is held, in one step; what goes is forgotten with its parts. */
export function replace(kept: KeptChain, chain: PricedChain | undefined, forget: Forget): void {
  for (const old of [kept.chain, ...kept.parts.values()]) if (old !== undefined) forget(old)
  kept.parts.clear()
  kept.chain = chain
}

/**
 * The part of a chain that is listed under one root, made once while the chain is held. A chain that was replaced while
 * somebody waited for it has its part made for that one answer, and forgotten at once.
 */
export function partOf(
  kept: KeptChain | undefined,
  chain: PricedChain,
  root: Ticker,
  forget: Forget
): PricedChain | undefined {
  if (kept?.chain === chain) {
    if (!kept.parts.has(root)) kept.parts.set(root, chainOfRoot(chain, root))
    return kept.parts.get(root)
  }
  const part = chainOfRoot(chain, root)
  if (part !== undefined) forget(part)
  return part
}
