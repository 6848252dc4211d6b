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

/** What a task works with. */
export interface TaskContext {
  readonly connector: Connector
  readonly assumptions: Assumptions
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Lets answers that are asked for meanwhile be made first; absent where the thread has no turns. */
  readonly pause?: () => Promise<void>
}

/** One kind of work of an engine, declared once: where it is done, what is done, how its arguments cross to a thread. */
export interface Task<Args, Result> {
  /** The symbol whose worker does it. Each symbol has one, so what that remembers of a chain is computed once. */
  readonly symbol: (args: Args) => string | undefined
  /** Whether the worker after that one does it instead: it needs nothing of the chain, which is worked on meanwhile. */
  readonly usesNextWorker?: true
  /** Of what makes no answer: chains and what belongs to them soon, what is only kept for others later. */
  readonly urgency?: Urgency
  readonly run: (args: Args, context: TaskContext) => Result | Promise<Result>
  /** Puts references in the place of the chains in the arguments, and chains back in their place. */
  readonly pack?: (args: Args, refOf: (chain: PricedChain) => unknown) => Args
  readonly unpack?: (args: Args, chainOf: (ref: unknown) => PricedChain) => Args
}

/** What is known beside a chain when it is priced. */
export interface PricingContext {
  /** All dividends of its underlying, of which the chain gets those that were to be expected at its moment. */
  readonly dividends?: readonly Dividend[] | undefined
  /** What money costs, where the operator does not say. */
  readonly rates?: RateCurve | undefined
}

/** How long work that can pause may keep answers waiting, milliseconds. */
const MAX_STEP = 3

/**
 * Carry, volatility and greeks of a chain, contracts without a usable quote from the fitted smile. What is asked of other
 * chains meanwhile is answered between two expirations.
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
 * What is made of the chain of a snapshot of the archive, which nobody else needs: its memory goes to the next one, so nothing
 * of the result may be a part of its columns.
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

/** Takes steps one after the other, and lets answers that are asked for meanwhile be made between two of them. */
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

/** A source that says nothing for this long is not waited for where it does not say otherwise, milliseconds. */
const LOAD_TIMEOUT = 20_000

/** Waits for a source no longer than the limit, milliseconds, whether it heeds the signal or not. */
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
