import type { Ticker } from '../market/units.ts'
import { versionOf } from '../market/versions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Endpoint } from './endpoint.ts'
import { apiError } from './error.ts'
import type { Inputs } from './inputs.ts'
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
  if (endpoint.needs.includes('chains')) return gatherBasket(endpoint, params, source, maxAge)
  const wantsChain = endpoint.needs.includes('chain')
  if (!wantsChain && !endpoint.needs.includes('quote')) return nothing
  const [symbol] = endpoint.symbols(params as never)
  const chain = source.chain(symbol, maxAge)
  if (chain instanceof Promise) return chain.then((found) => gatherOne(endpoint, symbol, found, source, maxAge))
  return gatherOne(endpoint, symbol, chain, source, maxAge)
}

function gatherOne(
  endpoint: Endpoint,
  symbol: Ticker,
  chain: PricedChain | undefined,
  source: MarketSource,
  maxAge: number
): Soon<Gathered> {
  const [unknown, unlisted] = endpoint.absent
  if (chain === undefined) throw apiError(unknown, `nothing is known of ${symbol}`)
  if (!endpoint.needs.includes('chain')) return together({ quote: chain }, [chain])
  if (chain.size === 0) throw apiError(unlisted, `no options are listed on ${symbol}`)
  const prior = endpoint.needs.includes('prior') ? source.prior(chain) : undefined
  const vix = endpoint.needs.includes('vix') ? vixOf(source, maxAge) : undefined
  if (!(prior instanceof Promise) && !(vix instanceof Promise)) return withContext(chain, prior, vix)
  return Promise.all([prior, vix]).then(([before, index]) => withContext(chain, before, index))
}

/** The index is context: an answer without it is better than none. */
function vixOf(source: MarketSource, maxAge: number): Soon<PricedChain | undefined> {
  try {
    const vix = source.chain(vixIndex, maxAge)
    return vix instanceof Promise ? vix.catch(() => undefined) : vix
  } catch {
    return undefined
  }
}

function withContext(chain: PricedChain, prior: PricedChain | undefined, vix: PricedChain | undefined): Gathered {
  return together({ chain, prior, vix: vix?.spot }, [chain])
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
  return together({ chains }, [...chains.values()])
}

function together(inputs: Partial<Inputs>, chains: readonly PricedChain[]): Gathered {
  const { vix, prior } = inputs
  let stamp = `${vix ?? ''},${prior === undefined ? '' : versionOf(prior)}`
  for (const chain of chains) stamp += `,${versionOf(chain)}`
  return { inputs, chains, stamp }
}
