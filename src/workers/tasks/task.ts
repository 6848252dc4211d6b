import type { Endpoint } from '../../api/endpoint.ts'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { SOURCE_TIMEOUT } from '../../facts/freshness.ts'
import type { Chain } from '../../market/chain.ts'
import { type Dividend, withDividends } from '../../market/dividend.ts'
import { inOneGo, type Steps } from '../../market/steps.ts'
import type { Assumptions, RateCurve } from '../../pricing/assumptions.ts'
import { giveBackChain, giveBackPricing, type PricedChain, pricingSteps } from '../../pricing/price-chain.ts'
import { fittedSmile } from '../../volatility/smile/smile-volatility.ts'
import type { Urgency } from '../task-queue.ts'

export interface TaskContext {
  readonly connector: Connector
  readonly assumptions: Assumptions
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Lets requests that arrived meanwhile be handled first; absent if the thread has no task queue. */
  readonly pause?: () => Promise<void>
}

/** Declares one kind of work of the engine: where it runs, what it does, and how its arguments cross to a thread. */
export interface Task<Args, Result> {
  /**
   * Symbol whose worker runs the task; undefined if any worker may run it. Each symbol has one worker, so anything
   * computed from a chain is computed once.
   */
  readonly symbol: (args: Args) => string | undefined
  /**
   * Set if the worker after the symbol's own runs the task, because it does not need the chain that keeps the symbol's
   * own worker busy.
   */
  readonly usesNextWorker?: true
  /**
   * Set for background tasks only: `soon` for chains and data that belong to them, `later` for data prepared in
   * advance.
   */
  readonly urgency?: Urgency
  readonly run: (args: Args, context: TaskContext) => Result | Promise<Result>
  /** `pack` replaces the chains in the arguments by references; `unpack` restores the chains. */
  readonly pack?: (args: Args, refOf: (chain: PricedChain) => unknown) => Args
  readonly unpack?: (args: Args, chainOf: (ref: unknown) => PricedChain) => Args
}

export interface PricingContext {
  /** All dividends of the underlying; pricing uses those that were expected at the time of the chain. */
  readonly dividends?: readonly Dividend[] | undefined
  /** Interest rates, used if the operator has set none. */
  readonly rates?: RateCurve | undefined
}

/** Longest time, in milliseconds, that a pausable task runs before it lets requests through. */
const MAX_STEP = 3

/**
 * Prices a chain: carry, volatility and greeks, with volatilities of the fitted smile for contracts without a usable
 * quote. Requests about other chains are handled between two expirations.
 */
export async function priced(
  chain: Chain,
  context: Pick<TaskContext, 'assumptions' | 'pause'>,
  { dividends = [], rates }: PricingContext = {}
): Promise<PricedChain> {
  const { assumptions, pause } = context
  const all = { ...assumptions, rates: assumptions.rates ?? rates }
  const steps = pricingSteps(withDividends(chain, dividends), all, fittedSmile)
  await pause?.()
  return paced(steps, context)
}

/**
 * Prices a snapshot's chain that nothing else needs, computes a result from it, and reuses its memory afterwards, so
 * the result must not contain any of the chain's columns.
 */
export async function madeOf<Result>(
  snapshot: StoredSnapshot,
  context: Pick<TaskContext, 'assumptions' | 'pause'>,
  known: PricingContext,
  make: (chain: PricedChain) => Result | Promise<Result>
): Promise<Result> {
  const chain = await priced(decodeSnapshot(snapshot), context, known)
  try {
    return await make(chain)
  } finally {
    giveBackChain(chain)
  }
}

/** Does the same for a chain that others still read: only the memory of its pricing is reused. */
export async function madeOfChain<Result>(
  chain: Chain,
  context: Pick<TaskContext, 'assumptions' | 'pause'>,
  known: PricingContext,
  make: (chain: PricedChain) => Result | Promise<Result>
): Promise<Result> {
  const ofChain = await priced(chain, context, known)
  try {
    return await make(ofChain)
  } finally {
    giveBackPricing(ofChain)
  }
}

/** Runs steps in sequence and lets requests that arrived meanwhile be handled between them. */
export async function paced<Result>(steps: Steps<Result>, { pause }: Pick<TaskContext, 'pause'>): Promise<Result> {
  if (pause === undefined) return inOneGo(steps)
  for (let since = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < MAX_STEP) continue
    await pause()
    since = performance.now()
  }
}

/** Waits for a data source up to the time limit, milliseconds, whether or not the source obeys the signal. */
export async function withTimeout<Found>(
  ask: (signal: AbortSignal) => Promise<Found>,
  limit = SOURCE_TIMEOUT
): Promise<Found> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new SourceError('timeout', `the source did not answer within ${limit / 1000} seconds`)
      reject(error)
      abort.abort(error)
    }, limit).unref()
  })
  try {
    return await Promise.race([ask(abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
