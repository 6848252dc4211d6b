import type { StoredSnapshot } from '../../archive/history-store.ts'
import { type BarState, type SampledZeroDte, sampledBar } from '../../endpoints/flow/zero-dte/sample.ts'
import { screenerSteps } from '../../endpoints/screener/row.ts'
import type { RowInputs, SymbolFlow } from '../../endpoints/screener/subject.ts'
import { figureSteps } from '../../endpoints/series/row.ts'
import type { Positions, SessionMoney, Totals } from '../../flow/tape-views.ts'
import { customerPremium } from '../../flow/windows/premium.ts'
import { sessionTotals } from '../../flow/windows/session-totals.ts'
import { type Chain, noteReceived } from '../../market/chain.ts'
import type { FigureRow } from '../../market/figure-row.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { ScreenerRow } from '../../screener/screener-row.ts'
import { madeOf, madeOfChain, type PricingContext, paced, type Task, type TaskContext } from './task.ts'

export interface TapeAtMoment {
  readonly positions: Positions
  readonly money: SessionMoney
  /** Estimated hedge trades of dealers since the open, USD; undefined if nothing expires that day. */
  readonly hedgeFlow: number | undefined
  /** Hedging pressure of all expirations, sums in the order of `pressureClasses`; undefined if none was sampled. */
  readonly pressure: Float64Array | undefined
}

/** The row of recorded figures for a chain. Without a tape its flow figures are left out. */
function rowOf(chain: PricedChain, tape: TapeAtMoment | undefined, context: TaskContext): Promise<FigureRow> {
  const seen = tape && {
    positions: tape.positions,
    netPremium: customerPremium(tape.money),
    hedgeFlow: tape.hedgeFlow,
    pressure: tape.pressure
  }
  return paced(figureSteps(chain, seen), context)
}

/**
 * Makes the row of figures for a chain that is recorded live. Runs on the symbol's worker, which has the chain's
 * measures cached.
 */
export const makeFigureRow: Task<{ readonly chain: PricedChain }, FigureRow> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: ({ chain }, context) => rowOf(chain, undefined, context),
  pack: ({ chain }, refOf) => ({ chain: refOf(chain) as PricedChain }),
  unpack: ({ chain }, chainOf) => ({ chain: chainOf(chain) })
}

/** A chain that has just been archived, or a snapshot in the archive. */
export type FigureSource = { readonly chain: Chain } | { readonly snapshot: StoredSnapshot }

type PriceFigureRow = FigureSource & PricingContext & { readonly tape: TapeAtMoment | undefined }

/** Prices a chain that nothing else needs and makes its row of figures. */
export const priceFigureRow: Task<PriceFigureRow, FigureRow> = {
  // Any worker will do: the symbol's own is busy with requests about its current chain.
  urgency: 'later',
  symbol: () => undefined,
  async run({ tape, dividends, rates, ...of }, context) {
    const known = { dividends, rates }
    const row = (chain: PricedChain) => rowOf(chain, tape, context)
    return 'chain' in of ? madeOfChain(of.chain, context, known, row) : madeOf(of.snapshot, context, known, row)
  },
  unpack(asked) {
    if ('chain' in asked) noteReceived(asked.chain)
    return asked
  }
}

/** Views of a symbol's option tape for the current session. */
export interface SeenFlow {
  readonly positions: Positions
  readonly totals: Totals
  readonly money: SessionMoney
  /** Estimated hedge trades of dealers since the open, USD; undefined if nothing expires that day. */
  readonly hedgeFlow: number | undefined
}

export interface MakeScreenerRow extends Omit<RowInputs, 'flow'> {
  readonly flow: SeenFlow | undefined
}

/** Makes the screener row of a symbol. Runs on the symbol's worker, which has the measures of its chain cached. */
export const makeScreenerRow: Task<MakeScreenerRow, ScreenerRow> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: ({ flow, ...inputs }, context) => paced(screenerSteps({ ...inputs, flow: flow && flowOf(flow) }), context),
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}

function flowOf({ positions, totals, money, hedgeFlow }: SeenFlow): SymbolFlow {
  const { bought, sold } = sessionTotals(totals)
  return { positions, netVolume: bought - sold, netPremium: customerPremium(money), hedgeFlow }
}

/** Samples the contracts that expire on the day of a chain; undefined if no such contract is alive. */
export const sampleZeroDte: Task<BarState, SampledZeroDte | undefined> = {
  urgency: 'later',
  symbol: ({ chain }) => chain.symbol,
  run: sampledBar,
  pack: ({ chain, ...asked }, refOf) => ({ ...asked, chain: refOf(chain) as PricedChain }),
  unpack: ({ chain, ...asked }, chainOf) => ({ ...asked, chain: chainOf(chain) })
}
