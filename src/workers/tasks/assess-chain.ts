import { LRUCache } from 'lru-cache'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { type Chain, chainOfRoot } from '../../market/chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { chainQuality } from '../../quality/chain-quality.ts'
import type { Task } from './task.ts'

interface AssessChain {
  readonly chain: PricedChain
  /** The close of the session before it, where that is held. */
  readonly prior: PricedChain | undefined
}

/** The points that the quality of a chain costs whatever its age, by the worker that has its smiles. */
export const assessChain: Task<AssessChain, number> = {
  symbol: ({ chain }) => chain.symbol,
  run: ({ chain, prior }) => chainQuality(chain, prior).deducted,
  pack: ({ chain, prior }, refOf) => ({
    chain: refOf(chain) as PricedChain,
    prior: prior && (refOf(prior) as PricedChain)
  }),
  unpack: ({ chain, prior }, chainOf) => ({ chain: chainOf(chain), prior: prior && chainOf(prior) })
}

interface AssessPastChain {
  readonly chain: PricedChain
  /** The close before it as it was recorded, of all roots; it is compared without being priced. */
  readonly before: StoredSnapshot | undefined
  /** The number of `before`, see `versionOf`: it crosses as another object each time. */
  readonly beforeVersion: number | undefined
}

/** Closes that a thread keeps, a megabyte at most each: those before the sessions whose moments are looked at. */
const MAX_CLOSES = 4
const closes = new LRUCache<string, Chain>({ max: MAX_CLOSES })

/** The close before a chain, of its root: the moments of a session have one, as long as it is not read anew. */
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

/** The same of a chain of the archive. */
export const assessPastChain: Task<AssessPastChain, number> = {
  symbol: ({ chain }) => chain.symbol,
  run: (asked) => chainQuality(asked.chain, closeBefore(asked)).deducted,
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
