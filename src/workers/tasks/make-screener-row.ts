import { screenerSteps } from '../../endpoints/screener/row.ts'
import type { RowInputs, SymbolFlow } from '../../endpoints/screener/subject.ts'
import { customerPremium } from '../../flow/customer-premium.ts'
import { sessionTotals } from '../../flow/session-totals.ts'
import type { MinuteBuckets, Positions, Totals } from '../../flow/views.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { ScreenerRow } from '../../screener/row.ts'
import { paced, type Task } from './task.ts'

/** What the option tape of a symbol shows of the session. */
export interface SeenFlow {
  readonly positions: Positions
  readonly totals: Totals
  readonly minutes: MinuteBuckets
  /** Hedge flow of the day since the open, USD; undefined where nothing expires on it. */
  readonly hedgeFlow: number | undefined
}

export interface MakeScreenerRow extends Omit<RowInputs, 'flow'> {
  readonly flow: SeenFlow | undefined
}

/** The row that the screener holds of a symbol, by the worker that has the measures of its chain. */
export const makeScreenerRow: Task<MakeScreenerRow, ScreenerRow> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: ({ flow, ...inputs }, context) => paced(screenerSteps({ ...inputs, flow: flow && flowOf(flow) }), context),
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}

function flowOf({ positions, totals, minutes, hedgeFlow }: SeenFlow): SymbolFlow {
  const { bought, sold } = sessionTotals(totals)
  return { positions, netVolume: bought - sold, netPremium: customerPremium(minutes), hedgeFlow }
}
