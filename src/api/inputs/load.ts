import type { DailyBar } from '../../market/bar.ts'
import { daysBetween, MAX_CLOSURE_DAYS, previousTradingDay } from '../../market/calendar.ts'
import { headerOf } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import { memoizeBy } from '../../market/memoize.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Endpoint } from '../endpoint.ts'
import { apiError } from '../error.ts'
import { allResolved, andThen, orUndefined } from '../maybe-promise.ts'
import type { DataRequest, MaybePromise } from '../source.ts'
import type { Input, Inputs } from './inputs.ts'
import { contextChain, macroAt } from './macro.ts'

/** The market inputs of one request, and the chain it is about. */
export interface LoadedInputs {
  readonly inputs: Partial<Inputs>
  /** The chains an answer rests on: those that say how old it is. A prior close is as old as it should be. */
  readonly chains: readonly PricedChain[]
  /** Tells these inputs from any others: the same stamp means the same answer. */
  readonly stamp: string
}

type Params = Readonly<Record<string, unknown>>

interface Wanted {
  readonly endpoint: Endpoint
  readonly params: Params
  readonly symbol: Ticker
  readonly request: DataRequest
  /** The past session that is described; undefined for the present one. */
  readonly session: IsoDate | undefined
}

const vixIndex = 'VIX' as Ticker
const wants = ({ needs }: Endpoint, ...inputs: readonly Input[]) => inputs.some((input) => needs.includes(input))

/** Fetches what an endpoint needs of the market, or throws the error it declares for a symbol without it. */
export function loadInputs(endpoint: Endpoint, params: Params, request: DataRequest): MaybePromise<LoadedInputs> {
  if (wants(endpoint, 'chains')) return gatherBasket(endpoint, params, request)
  const [symbol] = endpoint.symbols(params as never)
  const session = endpoint.session(params as never, { now: request.source.now(), keyless: request.keyless })
  const wanted = { endpoint, params, symbol, request, session }
  if (!wants(endpoint, 'chain', 'anyChain', 'quote')) return gatherHistory(wanted)
  return andThen(chainOf(wanted), (chain) => gatherOne(wanted, chain))
}

/** The chain a request is about: the latest, or the closing one of the session it names. */
function chainOf({ symbol, request, session }: Wanted): MaybePromise<PricedChain | undefined> {
  const { source, maxAge } = request
  if (session === undefined) return source.chain(symbol, maxAge)
  return andThen(source.closing(symbol, session), (closing) => {
    if (closing !== undefined) return closing
    // Without a key there is a snapshot or none: nobody unknown makes a source look for further symbols.
    if (request.keyless) throw apiError('no_snapshot', `there is no stored snapshot of ${symbol} on ${session}`)
    return andThen(source.chain(symbol, maxAge), (known) => {
      if (known === undefined) return undefined
      throw apiError('no_snapshot', `there is no stored snapshot of ${symbol} on ${session}`)
    })
  })
}

function gatherOne(wanted: Wanted, chain: PricedChain | undefined): MaybePromise<LoadedInputs> {
  const { endpoint, symbol } = wanted
  const [unknown, unlisted] = endpoint.absent
  const stranger = () => apiError(unknown, `nothing is known of ${symbol}`)
  if (chain === undefined && !wants(endpoint, 'anyChain')) throw stranger()
  if (chain?.size === 0 && wants(endpoint, 'chain')) throw apiError(unlisted, `no options are listed on ${symbol}`)
  return andThen(contextOf(wanted, chain), ({ vixChain, ...context }) => {
    if (chain === undefined && (context.bars?.length ?? 0) === 0) throw stranger()
    const inputs = {
      ...(wants(endpoint, 'chain') && { chain: chain! }),
      ...(wants(endpoint, 'anyChain') && { anyChain: chain }),
      ...(wants(endpoint, 'quote') && { quote: headerOf(chain!) }),
      ...context
    }
    return together(inputs, chain === undefined ? [] : [chain])
  })
}

/** An answer without a chain of its own. A symbol without any bars is looked up, to tell it from one nobody knows. */
function gatherHistory(wanted: Wanted): MaybePromise<LoadedInputs> {
  const { endpoint, symbol, request } = wanted
  return andThen(contextOf(wanted, undefined), ({ vixChain, ...inputs }) => {
    const rests = together(inputs, wants(endpoint, 'vixQuote') && vixChain !== undefined ? [vixChain] : [])
    if (inputs.bars?.length !== 0) return rests
    return andThen(request.source.chain(symbol, request.maxAge), (chain) => {
      if (chain === undefined) throw apiError(endpoint.absent[0], `nothing is known of ${symbol}`)
      return rests
    })
  })
}

type Context = Partial<Inputs> & { readonly vixChain?: PricedChain | undefined }

/** Everything beside the chain, as known at the same moment. */
function contextOf({ endpoint, params, symbol, request, session }: Wanted, chain: PricedChain | undefined) {
  const { source } = request
  const day = () => session ?? easternDate(chain === undefined ? source.now() : chain.asOf)
  const { history, snapshots } = endpoint
  const latest = () => session ?? easternDate(source.now())
  const bars = () => andThen(source.bars(symbol), (all) => newest(all, latest(), history(params as never)))
  const context = allResolved<Context>({
    ...(wants(endpoint, 'prior') && { prior: orUndefined(() => source.closing(symbol, previousTradingDay(day()))) }),
    ...(wants(endpoint, 'vix', 'vixQuote') && { vixChain: contextChain(vixIndex, request, session) }),
    ...(wants(endpoint, 'bars') && { bars: bars() }),
    ...(wants(endpoint, 'records') && { records: source.records(symbol, day(), snapshots(params as never)) }),
    ...(wants(endpoint, 'macro') && { macro: macroAt(request, session) }),
    ...(wants(endpoint, 'today') && { today: latest() })
  })
  return andThen(context, (found): Context => {
    const { vixChain } = found
    return {
      ...found,
      ...(wants(endpoint, 'vix') && { vix: vixChain?.spot }),
      ...(wants(endpoint, 'vixQuote') && { vixQuote: vixChain && headerOf(vixChain) })
    }
  })
}

/**
 * The last bars of a list, up to a date: one list, and so one version, for as long as the whole is the same. None where
 * they end long before it: what a market did last year is not what it did of late.
 */
function newest(bars: readonly DailyBar[], until: IsoDate, count: number): readonly DailyBar[] {
  const whole = bars.length <= count && (bars.length === 0 || bars[bars.length - 1].date <= until)
  const past = whole ? bars : newestOf(barsUntil(bars, until), count)
  const last = past.at(-1)
  return last === undefined || daysBetween(last.date, until) > MAX_CLOSURE_DAYS ? noBars : past
}

const noBars: readonly DailyBar[] = []

const barsUntil = memoizeBy((bars: readonly DailyBar[], until: IsoDate) => bars.filter(({ date }) => date <= until))
const newestOf = memoizeBy((bars: readonly DailyBar[], count: number) => bars.slice(-count))

async function gatherBasket(
  endpoint: Endpoint,
  params: Params,
  { source, maxAge }: DataRequest
): Promise<LoadedInputs> {
  const symbols = endpoint.symbols(params as never)
  const found = await Promise.all(symbols.map((symbol) => source.chain(symbol, maxAge)))
  const chains = new Map<Ticker, PricedChain>()
  found.forEach((chain, k) => {
    if (chain !== undefined && chain.size > 0) chains.set(symbols[k], chain)
  })
  const held = [...chains.values()]
  if (!wants(endpoint, 'histories')) return together({ chains }, held)
  const count = endpoint.history(params as never)
  const bars = await Promise.all([...chains.keys()].map((symbol) => source.bars(symbol)))
  const today = easternDate(source.now())
  const histories = new Map([...chains.keys()].map((symbol, k) => [symbol, newest(bars[k], today, count)]))
  return together({ chains, histories }, held)
}

function together(inputs: Partial<Inputs>, chains: readonly PricedChain[]): LoadedInputs {
  const { vix, prior, bars, records, macro, histories, today } = inputs
  let stamp = `${today ?? ''},${vix ?? ''},${macro === undefined ? '' : JSON.stringify(macro)}`
  for (const part of [prior, bars, records, ...chains, ...(histories?.values() ?? [])]) {
    stamp += `,${part === undefined ? '' : versionOf(part)}`
  }
  return { inputs, chains, stamp }
}
