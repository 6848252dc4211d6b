import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Macro, type MacroIndex, type MacroLevel, macroIndices } from '../../market/macro.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { allResolved, andThen, orUndefined } from '../maybe-promise.ts'
import type { DataRequest, MaybePromise } from '../source.ts'

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
 * or cannot tell at the moment, is absent. No source states yields, spreads or the fear and greed index so far.
 */
export function macroAt(request: DataRequest, session: IsoDate | undefined): MaybePromise<Macro> {
  const levels = Object.fromEntries(macroIndices.map((index) => [index, levelOf(tickers[index], request, session)]))
  return andThen(allResolved<Record<string, MacroLevel | undefined>>(levels), (found) => ({
    levels: Object.fromEntries(Object.entries(found).filter(([, level]) => level !== undefined)) as Macro['levels'],
    tenYear: undefined,
    highYieldSpread: undefined,
    fedFunds: undefined,
    fearAndGreed: undefined
  }))
}

function levelOf(
  index: Ticker,
  request: DataRequest,
  session: IsoDate | undefined
): MaybePromise<MacroLevel | undefined> {
  const { source } = request
  return andThen(
    contextChain(index, { ...request, maxAge: Math.max(PUBLISHED_EVERY, request.maxAge) }, session),
    (chain) => {
      if (chain === undefined) return undefined
      const bars = orUndefined(() => source.bars(index))
      return andThen(bars, (all) => ({ value: chain.spot, previous: closeBefore(all ?? [], easternDate(chain.asOf)) }))
    }
  )
}

/** The chain of an index beside the symbol that is asked about: the same moment, or undefined. */
export function contextChain(
  index: Ticker,
  { source, maxAge }: DataRequest,
  session: IsoDate | undefined
): MaybePromise<PricedChain | undefined> {
  return orUndefined(() => (session === undefined ? source.chain(index, maxAge) : source.closing(index, session)))
}

/** The last close strictly before a date, bars ascending. */
function closeBefore(bars: readonly DailyBar[], date: IsoDate): number | undefined {
  return bars.findLast((bar) => bar.date < date)?.close
}
