import { LRUCache } from 'lru-cache'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { type Chain, chainOfRoot } from '../../market/chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { chainQuality } from '../../quality/chain-quality.ts'
import type { Task } from './task.ts'

interface AssessChain {
  readonly chain: PricedChain
  /** The close of the session before, if it is held. */
  readonly prior: PricedChain | undefined
}

/** Quality points that a chain loses whatever its age. Runs on the symbol's worker, which has its fitted smiles. */
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
  /** The recorded close before it, with all roots; it is compared without being priced. */
  readonly before: StoredSnapshot | undefined
  /** Version of `before`, see `versionOf`: each message carries a new copy of the object. */
  readonly beforeVersion: number | undefined
}

/** Decoded closes that a thread keeps, a megabyte at most each. */
const MAX_CLOSES = 4
const closes = new LRUCache<string, Chain>({ max: MAX_CLOSES })

/** The close before a chain, of the same root. Requests about one session share it. */
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

/** Quality points that a chain of the archive loses. */
export const assessPastChain: Task<AssessPastChain, number> = {
  symbol: ({ chain }) => chain.symbol,
  run: (asked) => chainQuality(asked.chain, closeBefore(asked)).deducted,
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
