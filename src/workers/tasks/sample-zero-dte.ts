import { SAMPLE_VERSION, sampledScope, strikeMinute, zeroDteSample } from '../../endpoints/flow/zero-dte/sample.ts'
import type { HedgeLegs, Positions, StrikeFlow } from '../../flow/views.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { SAMPLE_STEP, type StrikeMinute, type ZeroDteSample } from '../../market/zero-dte.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Task } from './task.ts'

interface SampleZeroDte {
  /** The state at the end of the bar. */
  readonly chain: PricedChain
  readonly positions: Positions
  readonly end: Instant
  /** Hedge flow since the open. */
  readonly hedge: HedgeLegs
  /** Flow of the minute that ends with the bar; undefined in the middle of one. */
  readonly flow: StrikeFlow | undefined
}

/** What a raw bar of the day shows, and the version of the formulas that made it. */
export interface SampledZeroDte {
  readonly version: number
  readonly sample: ZeroDteSample
  readonly minute: StrikeMinute | undefined
}

/** Samples what expires on the day of a chain. Undefined: nothing of it is alive. */
export const sampleZeroDte: Task<SampleZeroDte, SampledZeroDte | undefined> = {
  symbol: ({ chain }) => chain.symbol,
  run({ chain, positions, end, hedge, flow }) {
    const scope = sampledScope(chain, positions)
    if (scope === undefined) return undefined
    return {
      version: SAMPLE_VERSION,
      sample: zeroDteSample(scope, end - SAMPLE_STEP, hedge),
      minute: flow && strikeMinute(scope, end - MILLISECONDS_PER_MINUTE, flow)
    }
  },
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
