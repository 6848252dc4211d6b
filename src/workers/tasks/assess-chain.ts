import { decodeSnapshot } from '../../archive/codec/decode.ts'
import type { StoredSnapshot } from '../../archive/store.ts'
import { chainOfRoot } from '../../market/chain.ts'
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
}

/** The same of a chain of the archive. */
export const assessPastChain: Task<AssessPastChain, number> = {
  symbol: ({ chain }) => chain.symbol,
  run({ chain, before }) {
    const whole = before && decodeSnapshot(before)
    return chainQuality(chain, whole?.symbol === chain.symbol ? whole : whole && chainOfRoot(whole, chain.symbol))
      .deducted
  },
  pack: ({ chain, before }, refOf) => ({ chain: refOf(chain) as PricedChain, before }),
  unpack: ({ chain, before }, chainOf) => ({ chain: chainOf(chain), before })
}
