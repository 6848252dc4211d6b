import { newestBars } from '../api/inputs/daily-history.ts'
import { type MaybePromise, orUndefined } from '../api/maybe-promise.ts'
import { type After, endsWithin } from '../facts/bounded-wait.ts'
import { ROW_INPUTS_WAIT } from '../facts/freshness.ts'
import type { Positions, ViewName, Views, ZeroDteSamples } from '../flow/tape-views.ts'
import type { DailyBar } from '../market/bar.ts'
import { latestSession } from '../market/calendar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { type EarningsEvent, reportsAhead } from '../market/earnings.ts'
import { easternDate } from '../market/eastern.ts'
import type { Macro } from '../market/macro.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import { hedgeFlowOf } from '../market/zero-dte-sample.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Tapes } from '../tape/tape-port.ts'
import type { ArgsOf } from '../workers/tasks/tasks.ts'

export interface RowInputOptions {
  readonly bars: (symbol: Ticker) => MaybePromise<readonly DailyBar[]>
  /** Reads daily records from the archive. Missing records are not computed for a screener row. */
  readonly records: (symbol: Ticker, before: IsoDate, count: number) => MaybePromise<readonly DailyRecord[]>
  readonly reports: (symbol: Ticker) => MaybePromise<readonly EarningsEvent[] | undefined>
  readonly macro: () => MaybePromise<Macro>
  readonly tapes?: Pick<Tapes, 'symbols' | 'view'> | undefined
  readonly samples: (tape: Positions) => MaybePromise<ZeroDteSamples | undefined>
  readonly marketNow: () => Instant
  readonly after: After
}

type ScreenerInputs = Omit<ArgsOf<'makeScreenerRow'>, 'chain' | 'tier'>

/**
 * Number of daily bars and daily records that a screener row needs. Single-symbol endpoints read the same number of
 * bars; ranks need a year of records.
 */
const BARS_READ = 90
const RECORDS_READ = 252
const unknown: Macro = {
  levels: {},
  tenYear: undefined,
  highYieldSpread: undefined,
  fedFunds: undefined,
  fearAndGreed: undefined
}

/** Loads the inputs of a screener row besides the chain. Inputs that take too long are left out. */
export async function loadRowInputs(chain: PricedChain, options: RowInputOptions): Promise<ScreenerInputs> {
  const { bars, records, reports, macro, marketNow, after } = options
  const { symbol } = chain
  const soon = <Value>(find: () => MaybePromise<Value>) => inTime(orUndefined(find), after)
  const [known, recorded, events, wider, flow] = await Promise.all([
    soon(() => bars(symbol)),
    soon(() => records(symbol, easternDate(chain.asOf), RECORDS_READ)),
    soon(() => reports(symbol)),
    soon(macro),
    soon(() => flowOf(chain, options))
  ])
  return {
    bars: newestBars(known ?? [], easternDate(marketNow()), BARS_READ),
    records: recorded ?? [],
    reports: reportsAhead(events ?? [], easternDate(chain.asOf)),
    macro: wider ?? unknown,
    flow
  }
}

async function inTime<Value>(found: MaybePromise<Value | undefined>, after: After): Promise<Value | undefined> {
  if (!(found instanceof Promise)) return found
  return (await endsWithin(found, ROW_INPUTS_WAIT, after)) ? found : undefined
}

/**
 * Flow figures from a symbol's prints, if its prints are being collected already. A screener row does not start to
 * collect them.
 */
async function flowOf(
  { symbol, asOf }: PricedChain,
  { tapes, samples, marketNow }: RowInputOptions
): Promise<ScreenerInputs['flow']> {
  if (tapes === undefined || !(await tapes.symbols()).includes(symbol)) return undefined
  const view = <Name extends ViewName>(name: Name): Promise<Views[Name] | undefined> =>
    tapes.view({ symbol, kind: 'option', view: name })
  const [positions, totals, money] = await Promise.all([view('positions'), view('totals'), view('money')])
  if (positions === undefined || totals === undefined || money === undefined) return undefined
  const day = await samples(positions)
  const isOfDay = day?.session === easternDate(asOf) && day.session === latestSession(marketNow()).date
  const newest = isOfDay ? day.samples.at(-1) : undefined
  return { positions, totals, money, hedgeFlow: newest && hedgeFlowOf(newest) }
}
