import type { Chain } from '../market/chain.ts'
import type { Ticker } from '../market/units.ts'
import { backOff } from '../pacing/back-off.ts'
import type { Connector, RequestRate } from './port/connector.ts'
import { SourceError } from './port/source-error.ts'

/** Time limit in milliseconds for a source that states none; after it the next source is tried. */
const USUAL_LIMIT = 20_000
/** How long, in milliseconds, a failed source is skipped, unless it requests a longer pause. */
const pauses = { first: 10_000, longest: 300_000 }
/** Number of symbols that must fail in a row before a source is skipped for all symbols. */
const MIN_FAILING = 2

interface Failing {
  failures: number
  leftUntil: number
}

/**
 * Decides whether a source is worth a request. One symbol may fail because the account has no right to it, so failures
 * are counted per symbol; a source that fails for several symbols in a row is skipped for all.
 */
class SourceHealth {
  readonly #clock: () => number
  readonly #symbols = new Map<Ticker, Failing>()
  #all: Failing = { failures: 0, leftUntil: 0 }

  constructor(clock: () => number) {
    this.#clock = clock
  }

  isLeft(symbol: Ticker): boolean {
    return this.#clock() < Math.max(this.#all.leftUntil, this.#symbols.get(symbol)?.leftUntil ?? 0)
  }

  answered(symbol: Ticker): void {
    this.#symbols.delete(symbol)
    this.#all = { failures: 0, leftUntil: 0 }
  }

  failed(symbol: Ticker, { fault, retryAfter = 0, heldBack }: SourceError): void {
    if (heldBack?.verdict.kind === 'older') {
      this.answered(symbol) // it lags behind, and there is nothing wrong with what it says
      return
    }
    const failures = (this.#symbols.get(symbol)?.failures ?? 0) + 1
    const leftUntil = this.#clock() + Math.max(backOff(failures, pauses), retryAfter)
    this.#symbols.set(symbol, { failures, leftUntil })
    if (heldBack !== undefined) return // the source did respond, so it is up
    this.#all.failures++
    const failing = [...this.#symbols.values()].filter(({ leftUntil }) => leftUntil > this.#clock()).length
    const isGone = fault === 'rate_limited' || Math.min(this.#all.failures, failing) >= MIN_FAILING
    if (isGone) this.#all.leftUntil = leftUntil
  }
}

/**
 * Combines several sources into one that returns the first usable result. A source that fails is skipped for a while,
 * then tried again at its place in the order. A chain or list of bars always comes from a single source, and a chain
 * names its source. The combined source has the symbols of the first source and the pace of the slowest.
 *  `clock`: monotonic milliseconds.
 */
export function withFallback(sources: readonly Connector[], clock: () => number = () => performance.now()): Connector {
  const [first] = sources
  const fixed = sources.find(({ fixedAt }) => fixedAt !== undefined)
  if (fixed !== undefined) {
    const sentence = `the chains of ${fixed.name} stand at one moment, and those of other sources go on with the clock`
    throw new SourceError('refused', `${sentence}: name it alone`)
  }
  if (sources.some(({ synthetic }) => synthetic)) throw new Error('made-up figures are not mixed with others')
  /** Health is kept for each capability, since a vendor plan may include chains and no bars. */
  const healthOfEach = () => new Map(sources.map((source) => [source, new SourceHealth(clock)]))
  const health = { chains: healthOfEach(), past: healthOfEach(), bars: healthOfEach() }
  const named = new WeakMap<Chain, Chain>()

  /**
   * Adds the source's name to a chain. The same chain always gives the same object, so that callers see that it is
   * unchanged.
   */
  const withSource = (chain: Chain, source: string): Chain => {
    let shown = named.get(chain)
    if (shown?.source !== source) named.set(chain, (shown = { ...chain, source }))
    return shown
  }

  /** Tries sources in order until `found` accepts a result. Undefined if no source knows the symbol. */
  async function ask<Answer>(
    capability: keyof typeof health,
    symbol: Ticker,
    signal: AbortSignal,
    request: (source: Connector, signal: AbortSignal) => Promise<Answer>,
    found: (answer: Answer) => boolean
  ): Promise<{ readonly answer: Answer; readonly source: Connector } | undefined> {
    const able = capability === 'past' ? sources.filter(({ holdsPast }) => holdsPast) : sources
    const ready = able.filter((source) => !health[capability].get(source)!.isLeft(symbol))
    const errors: SourceError[] = []
    for (const source of ready.length === 0 ? able : ready) {
      const its = health[capability].get(source)!
      try {
        const answer = await within(source, signal, (limited) => request(source, limited))
        its.answered(symbol)
        if (found(answer)) return { answer, source }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof SourceError)) throw error
        its.failed(symbol, error)
        errors.push(error)
      }
    }
    if (errors.length > 0) throw ofAll(errors) // a failed source may know the symbol
    return undefined
  }

  return {
    ...first,
    name: sources.map(({ name }) => name).join(' or '),
    provides: [...new Set(sources.flatMap(({ provides }) => provides))].filter((capability) => capability !== 'prints'),
    alternatives: sources,
    pace: Math.max(...sources.map(({ pace }) => pace)),
    timeLimit: sources.reduce((sum, { timeLimit = USUAL_LIMIT }) => sum + timeLimit, 0),
    ...slowestOf(sources),
    ...sparsestOf(sources),
    latest: (now) => Math.max(...sources.map((source) => source.latest(now))),
    async chain(symbol, now, signal, check) {
      const asked = async (source: Connector, limited: AbortSignal) => {
        const named = (chain: Chain) => withSource(chain, source.name)
        const chain = await source.chain(symbol, now, limited, check && ((found, got) => check(named(found), got)))
        // The chain is checked here, so that the next source is tried if this one sends an unbelievable chain.
        if (chain !== undefined) check?.(named(chain))
        return chain && named(chain)
      }
      return (await ask('chains', symbol, signal, asked, isKnown))?.answer
    },
    holdsPast: sources.some(({ holdsPast }) => holdsPast),
    async closingChain(symbol, session, signal) {
      const asked = (source: Connector, limited: AbortSignal) => source.closingChain(symbol, session, limited)
      const served = await ask('past', symbol, signal, asked, isKnown)
      return served && withSource(served.answer!, served.source.name)
    },
    async dailyBars(symbol, now, signal) {
      const hasAny = (bars: readonly unknown[]) => bars.length > 0
      const asked = (source: Connector, limited: AbortSignal) => source.dailyBars(symbol, now, limited)
      const served = await ask('bars', symbol, signal, asked, hasAny)
      return served?.answer ?? []
    },
    prints: undefined
  }
}

const isKnown = (chain: Chain | undefined) => chain !== undefined

/** Limits a request by its source's time limit, so that the next source still has time. */
async function within<Answer>(
  { name, timeLimit = USUAL_LIMIT }: Connector,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Answer>
): Promise<Answer> {
  const late = AbortSignal.timeout(timeLimit)
  try {
    return await ask(AbortSignal.any([signal, late]))
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    throw new SourceError('timeout', `${name} did not answer within ${timeLimit / 1000} seconds`)
  }
}

/** Builds the error thrown when all sources failed: the text of each, and the shortest pause if all request one. */
function ofAll(errors: readonly SourceError[]): SourceError {
  if (errors.length === 1) return errors[0]
  const rests = errors.map(({ retryAfter = 0 }) => retryAfter)
  const message = [...new Set(errors.map((error) => error.message))].join('; ')
  const payloads = errors.flatMap(({ heldBack }) => heldBack ?? [])
  const heldBack = payloads.find(({ verdict }) => verdict.kind !== 'older') ?? payloads[0]
  return new SourceError(errors[0].fault, message, Math.min(...rests) || undefined, heldBack)
}

/** The longest delay among the sources, if one of them states any. */
function slowestOf(sources: readonly Connector[]): { readonly delay?: number } {
  const delays = sources.flatMap(({ delay }) => (delay === undefined ? [] : [delay]))
  return delays.length === 0 ? {} : { delay: Math.max(...delays) }
}

/** The lowest request rate among the sources, since any of them may be used. */
function sparsestOf(sources: readonly Connector[]): { readonly onDemand?: RequestRate } {
  const rates = sources.flatMap(({ onDemand }) => (onDemand === undefined ? [] : [onDemand]))
  if (rates.length === 0) return {}
  return { onDemand: rates.reduce((least, rate) => (rate.perMinute < least.perMinute ? rate : least)) }
}
