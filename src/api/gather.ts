import type { DailyBar } from '../market/bar.ts'
import type { ChainHeader } from '../market/chain.ts'
import { memo } from '../market/memo.ts'
import type { Ticker } from '../market/units.ts'
import { versionOf } from '../market/versions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Endpoint } from './endpoint.ts'
import { apiError } from './error.ts'
import type { Input, Inputs } from './inputs.ts'
import type { MarketSource, Soon } from './source.ts'

/** The market inputs of one request, and the chain it is about. */
export interface Gathered {
  readonly inputs: Partial<Inputs>
  /** The current chains an answer rests on: those that say how old it is. A prior close is as old as it should be. */
  readonly chains: readonly PricedChain[]
  /** Tells these inputs from any others: the same stamp means the same answer. */
  readonly stamp: string
}

const nothing: Gathered = { inputs: {}, chains: [], stamp: '' }
const vixIndex = 'VIX' as Ticker

/** Fetches what an endpoint needs of the market, or throws the error it declares for a symbol without it. */
export function gather(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  source: MarketSource,
  maxAge: number
): Soon<Gathered> {
  const wants = (input: Input) => endpoint.needs.includes(input)
  if (wants('chains')) return gatherBasket(endpoint, params, source, maxAge)
  const [symbol] = endpoint.symbols(params as never)
  const question = { endpoint, symbol, source, maxAge, history: endpoint.history(params as never) }
  if (!wants('chain') && !wants('quote')) return wants('bars') ? gatherHistory(question) : nothing
  return after(source.chain(symbol, maxAge), (chain) => gatherOne(question, chain))
}

interface Wanted {
  readonly endpoint: Endpoint
  readonly symbol: Ticker
  readonly source: MarketSource
  readonly maxAge: number
  readonly history: number
}

function gatherOne(wanted: Wanted, chain: PricedChain | undefined): Soon<Gathered> {
  const { endpoint, symbol, source } = wanted
  const [unknown, unlisted] = endpoint.absent
  if (chain === undefined) throw apiError(unknown, `nothing is known of ${symbol}`)
  if (!endpoint.needs.includes('chain')) return together({ quote: chain }, [chain])
  if (chain.size === 0) throw apiError(unlisted, `no options are listed on ${symbol}`)
  const prior = endpoint.needs.includes('prior') ? source.prior(chain) : undefined
  const context = all(prior, vixOf(wanted), barsOf(wanted))
  return after(context, ([before, vix, bars]) => together({ chain, prior: before, vix: vix?.spot, ...bars }, [chain]))
}

/** An answer from daily bars alone. A symbol without any is looked up, so that it is told from one nobody knows. */
function gatherHistory(wanted: Wanted): Soon<Gathered> {
  const { endpoint, symbol, source, maxAge } = wanted
  return after(all(undefined, vixOf(wanted), barsOf(wanted)), ([, vix, bars]) => {
    const inputs = { ...bars, ...(vix !== undefined && { vixQuote: header(vix) }) }
    const rests = together(inputs, vix === undefined ? [] : [vix])
    if (bars.bars?.length !== 0) return rests
    return after(source.chain(symbol, maxAge), (chain) => {
      if (chain === undefined) throw apiError(endpoint.absent[0], `nothing is known of ${symbol}`)
      return rests
    })
  })
}

function barsOf({ endpoint, symbol, source, history }: Wanted): Soon<Pick<Partial<Inputs>, 'bars'>> {
  if (!endpoint.needs.includes('bars')) return {}
  return after(source.bars(symbol), (bars) => ({ bars: newest(bars, history) }))
}

/** The last bars of a list: one list, and so one version, for as long as the whole is the same. */
function newest(bars: readonly DailyBar[], count: number): readonly DailyBar[] {
  return bars.length <= count ? bars : memo(bars, `newest ${count}`, () => bars.slice(-count))
}

/** The index is context: an answer without it is better than none. */
function vixOf({ endpoint, source, maxAge }: Wanted): Soon<PricedChain | undefined> {
  if (!endpoint.needs.includes('vix') && !endpoint.needs.includes('vixQuote')) return undefined
  try {
    const vix = source.chain(vixIndex, maxAge)
    return vix instanceof Promise ? vix.catch(() => undefined) : vix
  } catch {
    return undefined
  }
}

async function gatherBasket(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  source: MarketSource,
  maxAge: number
): Promise<Gathered> {
  const symbols = endpoint.symbols(params as never)
  const found = await Promise.all(symbols.map((symbol) => source.chain(symbol, maxAge)))
  const chains = new Map<Ticker, PricedChain>()
  found.forEach((chain, k) => {
    if (chain !== undefined && chain.size > 0) chains.set(symbols[k], chain)
  })
  const held = [...chains.values()]
  if (!endpoint.needs.includes('histories')) return together({ chains }, held)
  const count = endpoint.history(params as never)
  const bars = await Promise.all([...chains.keys()].map((symbol) => source.bars(symbol)))
  const histories = new Map([...chains.keys()].map((symbol, k) => [symbol, newest(bars[k], count)]))
  return together({ chains, histories }, held)
}

function together(inputs: Partial<Inputs>, chains: readonly PricedChain[]): Gathered {
  const { vix, prior, bars, histories } = inputs
  let stamp = `${vix ?? ''},${prior === undefined ? '' : versionOf(prior)}`
  for (const chain of chains) stamp += `,${versionOf(chain)}`
  for (const list of [...(bars === undefined ? [] : [bars]), ...(histories?.values() ?? [])]) {
    stamp += `,b${versionOf(list)}`
  }
  return { inputs, chains, stamp }
}

/** What is known of an underlying beside its options. */
function header({ symbol, asOf, delay, spot, quote }: PricedChain): ChainHeader {
  return { symbol, asOf, delay, spot, quote }
}

/** Goes on at once where a value is at hand, so that an answer from memory never waits. */
function after<Value, Result>(value: Soon<Value>, next: (value: Value) => Soon<Result>): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function all<A, B, C>(a: Soon<A>, b: Soon<B>, c: Soon<C>): Soon<[A, B, C]> {
  const late = a instanceof Promise || b instanceof Promise || c instanceof Promise
  return late ? Promise.all([a, b, c]) : [a, b, c]
}
