import { type BarState, type SampledZeroDte, sampledBar } from '../../endpoints/flow/zero-dte/sample.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Task } from './task.ts'

/** Samples what expires on the day of a chain. Undefined: nothing of it is alive. */
export const sampleZeroDte: Task<BarState, SampledZeroDte | undefined> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: sampledBar,
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
