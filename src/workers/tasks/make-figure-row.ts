import { figureRow } from '../../endpoints/series/row.ts'
import { customerPremium } from '../../flow/customer-premium.ts'
import type { MinuteBuckets, Positions } from '../../flow/views.ts'
import type { FigureRow } from '../../market/figure-row.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Task } from './task.ts'

/** What the option tape of a symbol had shown of the session by the moment of a chain. */
export interface TapeAtMoment {
  readonly positions: Positions
  readonly minutes: MinuteBuckets
  /** What dealers are estimated to have traded since the open to stay hedged, USD. Undefined: nothing expires on the day. */
  readonly hedgeFlow: number | undefined
}

interface MakeFigureRow {
  readonly chain: PricedChain
  /** Undefined: what is made of prints is left out. */
  readonly tape?: TapeAtMoment | undefined
}

/** The figures of a recorded snapshot, by the worker that has the measures of its chain. */
export const makeFigureRow: Task<MakeFigureRow, FigureRow> = {
  symbol: ({ chain }) => chain.symbol,
  run: ({ chain, tape }) =>
    figureRow(
      chain,
      tape && { positions: tape.positions, netPremium: customerPremium(tape.minutes), hedgeFlow: tape.hedgeFlow }
    ),
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
