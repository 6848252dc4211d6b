import type { StoredSnapshot } from '../../archive/history-store.ts'
import { type BarState, type SampledZeroDte, sampledBar } from '../../endpoints/flow/zero-dte/sample.ts'
import { screenerSteps } from '../../endpoints/screener/row.ts'
import type { RowInputs, SymbolFlow } from '../../endpoints/screener/subject.ts'
import { figureSteps } from '../../endpoints/series/row.ts'
import type { MinuteBuckets, Positions, Totals } from '../../flow/tape-views.ts'
import { customerPremium } from '../../flow/windows/premium.ts'
import { sessionTotals } from '../../flow/windows/session-totals.ts'
import { type Chain, noteReceived } from '../../market/chain.ts'
import type { FigureRow } from '../../market/figure-row.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { ScreenerRow } from '../../screener/screener-row.ts'
import { madeOf, type PricingContext, paced, priced, type Task, type TaskContext } from './task.ts'

/** What the option tape of a symbol had shown of the session by the moment of a chain. */
export interface TapeAtMoment {
  readonly positions: Positions
  readonly minutes: MinuteBuckets
  /** What dealers are estimated to have traded since the open to stay hedged, USD. Undefined: nothing expires on the day. */
  readonly hedgeFlow: number | undefined
}

/** The row of a chain. Without a tape what is made of prints is left out. */
function rowOf(chain: PricedChain, tape: TapeAtMoment | undefined, context: TaskContext): Promise<FigureRow> {
  const seen = tape && {
    positions: tape.positions,
    netPremium: customerPremium(tape.minutes),
    hedgeFlow: tape.hedgeFlow
  }
  return paced(figureSteps(chain, seen), context)
}

/** The figures of a chain that is recorded live, by the worker that has the measures of it. */
export const makeFigureRow: Task<{ readonly chain: PricedChain }, FigureRow> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: ({ chain }, context) => rowOf(chain, undefined, context),
  pack: ({ chain }, refOf) => ({ chain: refOf(chain) as PricedChain }),
  unpack: ({ chain }, chainOf) => ({ chain: chainOf(chain) })
}

/** A chain that was just written into the archive, or a snapshot that lies in it. */
export type FigureSource = { readonly chain: Chain } | { readonly snapshot: StoredSnapshot }

type PriceFigureRow = FigureSource & PricingContext & { readonly tape: TapeAtMoment | undefined }

/** The figures of a chain that nobody else needs priced. */
export const priceFigureRow: Task<PriceFigureRow, FigureRow> = {
  // Any worker: the one of the symbol has its present chain to answer from.
  urgency: 'later',
  symbol: () => undefined,
  async run({ tape, dividends, rates, ...of }, context) {
    const known = { dividends, rates }
    const row = (chain: PricedChain) => rowOf(chain, tape, context)
    return 'chain' in of ? row(await priced(of.chain, context, known)) : madeOf(of.snapshot, context, known, row)
  },
  unpack(asked) {
    if ('chain' in asked) noteReceived(asked.chain)
    return asked
  }
}

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

/** Samples what expires on the day of a chain. Undefined: nothing of it is alive. */
export const sampleZeroDte: Task<BarState, SampledZeroDte | undefined> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: sampledBar,
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
