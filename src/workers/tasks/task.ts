import type { Endpoint } from '../../api/endpoint.ts'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import type { Chain } from '../../market/chain.ts'
import { type Dividend, withDividends } from '../../market/dividend.ts'
import { inOneGo, type Steps } from '../../market/steps.ts'
import type { Assumptions, RateCurve } from '../../pricing/assumptions.ts'
import { giveBackChain, type PricedChain, pricingSteps } from '../../pricing/price-chain.ts'
import { fittedSmile } from '../../volatility/smile/smile-volatility.ts'
import type { Urgency } from '../task-queue.ts'

/** The context of a task. */
export interface TaskContext {
  readonly connector: Connector
  readonly assumptions: Assumptions
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Lets requests that came meanwhile be answered first; absent if the thread has no task queue. */
  readonly pause?: () => Promise<void>
}

/** One kind of work of an engine, declared once: where it runs, what it does, how its arguments cross to a thread. */
export interface Task<Args, Result> {
  /**
   * The symbol whose worker runs it. Each symbol has one, so anything computed from a chain is computed once.
   * Undefined: any worker.
   */
  readonly symbol: (args: Args) => string | undefined
  /**
   * Whether the next worker runs it instead: it does not need the chain, which the symbol's own worker is busy with.
   */
  readonly usesNextWorker?: true
  /** For tasks that make no answer: `soon` for chains and what belongs to them, `later` for what is made ahead. */
  readonly urgency?: Urgency
  readonly run: (args: Args, context: TaskContext) => Result | Promise<Result>
  /** `pack` replaces the chains in the arguments by references; `unpack` puts chains back in their place. */
  readonly pack?: (args: Args, refOf: (chain: PricedChain) => unknown) => Args
  readonly unpack?: (args: Args, chainOf: (ref: unknown) => PricedChain) => Args
}

/** Further data for pricing a chain. */
export interface PricingContext {
  /** All dividends of the underlying; the chain gets those that were expected at its moment. */
  readonly dividends?: readonly Dividend[] | undefined
  /** Interest rates, used if the operator sets none. */
  readonly rates?: RateCurve | undefined
}

/** Milliseconds that work which can pause may keep answers waiting. */
const MAX_STEP = 3

/**
 * Prices a chain: carry, volatility and greeks, with volatilities of the fitted smile for contracts without a usable
 * quote. Requests about other chains are answered between two expirations.
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
 * Computes something from a snapshot's chain that nothing else needs: its memory is reused afterwards, so the result
 * must not contain any of its columns.
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

/** Runs steps one after the other and lets requests that came meanwhile be answered between two of them. */
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

/** Default time limit for an answer of a source, milliseconds. */
const LOAD_TIMEOUT = 20_000

/** Waits for a source no longer than the limit, milliseconds, whether it obeys the signal or not. */
export async function withTimeout<Found>(
  ask: (signal: AbortSignal) => Promise<Found>,
  limit = LOAD_TIMEOUT
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
