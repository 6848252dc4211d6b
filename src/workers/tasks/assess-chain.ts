import { LRUCache } from 'lru-cache'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { type Chain, chainOfRoot } from '../../market/chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { ChainDeductions } from '../../quality/chain-assessment.ts'
import { chainQuality } from '../../quality/chain-quality.ts'
import type { Task } from './task.ts'

interface AssessChain {
  readonly chain: PricedChain
  readonly prior: PricedChain | undefined
}

/**
 * Computes the points deducted from the quality score of a live chain for reasons other than its age. Runs on the
 * symbol's worker, which has the chain's fitted smiles cached.
 */
export const assessChain: Task<AssessChain, ChainDeductions> = {
  symbol: ({ chain }) => chain.symbol,
  run: ({ chain, prior }) => deductionsOf(chain, prior),
  pack: ({ chain, prior }, refOf) => ({
    chain: refOf(chain) as PricedChain,
    prior: prior && (refOf(prior) as PricedChain)
  }),
  unpack: ({ chain, prior }, chainOf) => ({ chain: chainOf(chain), prior: prior && chainOf(prior) })
}

interface AssessPastChain {
  readonly chain: PricedChain
  /** Recorded close of the previous session, with all option roots; it is compared without being priced. */
  readonly before: StoredSnapshot | undefined
  /** Version of `before`, see `versionOf`: each message carries a new copy of the object, so identity cannot tell. */
  readonly beforeVersion: number | undefined
}

/** Number of decoded closes that a thread caches; each takes at most a megabyte. */
const MAX_CLOSES = 4
const closes = new LRUCache<string, Chain>({ max: MAX_CLOSES })

/**
 * Closing chain of the previous session, for the option root of the requested chain. Requests about the same session
 * share it.
 */
function closeBefore({ chain: { symbol }, before, beforeVersion }: AssessPastChain): Chain | undefined {
  if (before === undefined) return undefined
  const name = `${beforeVersion} ${symbol}`
  const kept = closes.get(name)
  if (kept !== undefined) return kept
  const whole = decodeSnapshot(before)
  const made = whole.symbol === symbol ? whole : chainOfRoot(whole, symbol)
  if (made !== undefined) closes.set(name, made)
  return made
}

/** Computes the points deducted from the quality score of an archived chain for reasons other than its age. */
export const assessPastChain: Task<AssessPastChain, ChainDeductions> = {
  symbol: ({ chain }) => chain.symbol,
  run: (asked) => deductionsOf(asked.chain, closeBefore(asked)),
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}

/** The part of a chain's quality that leaves the worker. */
function deductionsOf(chain: PricedChain, prior: Chain | undefined): ChainDeductions {
  const { deducted, costliest } = chainQuality(chain, prior)
  return { deducted, costliest }
}
