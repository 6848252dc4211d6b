import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Macro, type MacroIndex, type MacroLevel, macroIndices } from '../../market/macro.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { allResolved, andThen, type MaybePromise, orUndefined } from '../maybe-promise.ts'
import type { DataRequest } from '../source.ts'
import { contextChain } from './context-chain.ts'
import type { Input } from './input.ts'

const tickers = {
  vix: 'VIX',
  vix9d: 'VIX9D',
  vix3m: 'VIX3M',
  vix6m: 'VIX6M',
  vvix: 'VVIX',
  skew: 'SKEW',
  spx: 'SPX',
  move: 'MOVE'
} as Readonly<Record<MacroIndex, Ticker>>

/** Volatility indexes are published every 15 seconds: context need not be newer than that, whatever the plan. */
const PUBLISHED_EVERY = 15_000

/**
 * The wider market now, or at the close of a past session. Nothing here fails an answer: what the source does not know,
 * or cannot give at the moment, is absent. No source states yields, spreads or the fear and greed index so far.
 */
export const macro: Input<Macro> = {
  kind: 'market',
  moves: true,
  find({ request, session }) {
    const levels = Object.fromEntries(macroIndices.map((index) => [index, levelOf(tickers[index], request, session)]))
    return andThen(allResolved<Record<string, MacroLevel | undefined>>(levels), (found) => ({
      levels: Object.fromEntries(Object.entries(found).filter(([, level]) => level !== undefined)) as Macro['levels'],
      tenYear: undefined,
      highYieldSpread: undefined,
      fedFunds: undefined,
      fearAndGreed: undefined
    }))
  },
  version: (found) => JSON.stringify(found)
}

function levelOf(
  index: Ticker,
  request: DataRequest,
  session: IsoDate | undefined
): MaybePromise<MacroLevel | undefined> {
  const { source } = request
  const recent = { ...request, maxAge: Math.max(PUBLISHED_EVERY, request.maxAge) }
  return andThen(contextChain(index, recent, session), (chain) => {
    if (chain === undefined) return undefined
    const bars = orUndefined(() => source.bars(index))
    return andThen(bars, (all) => ({ value: chain.spot, previous: closeBefore(all ?? [], easternDate(chain.asOf)) }))
  })
}

/** The last close strictly before a date, bars ascending. */
function closeBefore(bars: readonly DailyBar[], date: IsoDate): number | undefined {
  return bars.findLast((bar) => bar.date < date)?.close
}
