import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '../../src/api/error.ts'
import type { SourceSettings } from '../../src/connectors/port/declaration.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { LiveMarket } from '../../src/live/live-market.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { uniform } from '../../src/math/random.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { Answers } from '../../src/server/answers/answers.ts'
import type { Engine } from '../../src/workers/engine.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { createPool } from '../../src/workers/pool.ts'
import type { ArgsOf } from '../../src/workers/tasks/tasks.ts'
import { engineWith } from '../support/engine-with.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { builtThread } from '../support/started-service.ts'

// Questions about a live market whose chains are replaced all the time, each replaced chain giving its memory to the next
// one at once. An answer must be that of one chain, and of one that stood between the question and the answer.

const seed = 7
const source: SourceSettings = {
  sources: { chains: 'synthetic', bars: 'synthetic', prints: 'synthetic' },
  values: { seed },
  asOf: undefined
}
const symbols = ['AAL', 'CCL', 'SOFI'].map((symbol) => symbol as Ticker)
/** Wednesday 2026-07-29, 11:00 in New York. */
const opening = Date.parse('2026-07-29T15:00:00Z') as Instant
/** Maximum ages of data that questions ask for, milliseconds: the newest chain, or the one that is held. */
const maxAges = [1000, 60_000] as const
const REFRESHES = 30
const QUESTIONS_A_REFRESH = 6

const named = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
/** Endpoints that are answered from chains alone, with the parameters that they get. */
const asked = {
  'exposure.sheet': { expiration: undefined, min_oi: 0 },
  'exposure.term_structure': {},
  'exposure.basket': { weights: undefined },
  'volatility.skew_term': {},
  'liquidity.current': {},
  'surface.svi': {}
} as const
const ids = Object.keys(asked) as readonly (keyof typeof asked)[]

interface Question {
  readonly maxAge: number
  readonly id: (typeof ids)[number]
  readonly about: readonly Ticker[]
}

/** A chain that was current, from one swap to another; swaps are counted. */
interface CurrentChain {
  readonly load: ArgsOf<'loadChain'>
  readonly from: number
  to: number
}

const paramsOf = ({ id, about }: Question) =>
  id === 'exposure.basket' ? { ...asked[id], symbols: about } : { ...asked[id], symbol: about[0] }

/** A live market at a clock that the test sets, and what it loaded. */
function marketOver(pool: Engine) {
  const clock = { at: opening }
  const events = new MarketEventBus()
  const loads = new Map<string, ArgsOf<'loadChain'>>()
  const chainsOf = new Map<Ticker, CurrentChain[]>(symbols.map((symbol) => [symbol, []]))
  let swaps = 0
  let onSwap = () => {}
  events.on('chainSwapped', ({ symbol, asOf }) => {
    swaps++
    const before = chainsOf.get(symbol)!
    if (before.length > 0) before[before.length - 1].to = swaps
    before.push({ load: loads.get(`${symbol} ${asOf}`)!, from: swaps, to: Number.POSITIVE_INFINITY })
    onSwap()
  })
  const loadChain = (args: ArgsOf<'loadChain'>) => {
    loads.set(`${args.symbol} ${args.now}`, args)
    return pool.run('loadChain', args)
  }
  const engine = engineWith({ loadChain }, pool)
  const now = () => clock.at
  const connector = createSynthetic({ seed })
  const live = new LiveMarket({
    engine,
    source: connector,
    events,
    universe: [],
    marketNow: now,
    wallNow: now,
    steadyNow: now,
    after: () => () => {} // how long a load takes on a busy machine must not decide
  })
  const answers = new Answers({ engine, cacheBytes: 1e7, steadyNow: now })
  const ask = async (question: Question) => {
    const since = swaps
    const request = { source: live, maxAge: question.maxAge, keyless: false }
    const { answer } = await answers.load(named.get(question.id)!, paramsOf(question), request, [])
    return { question, text: answer.body.toString(), since, until: swaps }
  }
  /** Moves the clock, has one symbol loaded anew, and waits until some chain was replaced meanwhile. */
  const refresh = async (symbol: Ticker, milliseconds: number) => {
    const swapped = new Promise<void>((resolve) => {
      onSwap = resolve
    })
    clock.at = (clock.at + milliseconds) as Instant
    void live.chain(symbol, maxAges[0])
    // A load that was under way may have brought the chain of this moment before: then none follows.
    await Promise.race([swapped, delay(30_000, undefined, { ref: false })])
  }
  return { chainsOf, ask, refresh, swaps: () => swaps }
}

/** Answers a question from chains that are made again, in memory that is never used twice. */
function recomputation() {
  const engine = inlineEngine({
    connector: createSynthetic({ seed }),
    assumptions: madeUpAssumptions,
    endpoints: named
  })
  const chains = new Map<string, Promise<PricedChain>>()
  const chainOf = ({ symbol, now, dividends, rates }: ArgsOf<'loadChain'>) => {
    const name = `${symbol} ${now}`
    let chain = chains.get(name)
    if (chain === undefined) {
      chain = engine.run('loadChain', { symbol, now, dividends, rates }) as Promise<PricedChain>
      chains.set(name, chain)
    }
    return chain
  }
  return async (question: Question, loads: readonly ArgsOf<'loadChain'>[]) => {
    const chains = await Promise.all(loads.map(chainOf))
    const inputs = { chain: chains[0], chains: new Map(chains.map((chain) => [chain.symbol, chain])) }
    const task = { endpoint: question.id, params: paramsOf(question), inputs, body: undefined, caller: [] }
    return new TextDecoder().decode(await engine.run('answerEndpoint', { ...task, zone: 'utc', form: undefined }))
  }
}

/** All ways to take one of each list. */
const combinations = <Item>(lists: readonly (readonly Item[])[]): readonly (readonly Item[])[] =>
  lists.reduce<readonly (readonly Item[])[]>(
    (sofar, list) => sofar.flatMap((taken) => list.map((item) => [...taken, item])),
    [[]]
  )

describe('live answers while replaced chains give their memory away', () => {
  let pool: Engine
  beforeAll(async () => {
    pool = await createPool({
      workers: 2,
      program: await builtThread('workers/engine-thread'),
      source,
      assumptions: madeUpAssumptions,
      features: [],
      memory: { retiredChains: 0, keptShare: 1, measuredContracts: 2000, youngGenerationMb: 24 },
      onCrash: (error) => {
        throw error
      }
    })
  })
  afterAll(() => pool.close())

  test.each([2, 3])('each is the answer of one chain that stood in its time, seed %i', async (drawnWith) => {
    let drawn = 0
    const draw = (below: number) => Math.floor(below * uniform(drawnWith, drawn++))
    const { chainsOf, ask, refresh, swaps } = marketOver(pool)
    const given: Awaited<ReturnType<typeof ask>>[] = []
    const refused: unknown[] = []
    const waiting: Promise<unknown>[] = []
    const put = (question: Question) => {
      const keep = (answer: (typeof given)[number]) => given.push(answer)
      waiting.push(ask(question).then(keep, (error) => refused.push(error)))
    }
    for (const symbol of symbols) await refresh(symbol, 1000)
    for (let k = 0; k < REFRESHES; k++) {
      const refreshed = refresh(symbols[draw(symbols.length)], 2000 + 1000 * draw(3))
      for (let count = draw(2 * QUESTIONS_A_REFRESH); count > 0; count--) {
        const id = ids[draw(ids.length)]
        const first = draw(symbols.length)
        const second = (first + 1) % symbols.length
        const about = id === 'exposure.basket' ? [symbols[first], symbols[second]] : [symbols[first]]
        put({ id, about, maxAge: maxAges[draw(maxAges.length)] })
        if (draw(3) === 0) await new Promise(setImmediate)
      }
      await refreshed
    }
    await Promise.all(waiting)
    expect(swaps()).toBeGreaterThan(REFRESHES)
    // Who is always overtaken is refused, and never answered by another chain.
    for (const error of refused) expect(error).toMatchObject({ code: 'overloaded' } satisfies Partial<ApiError>)
    expect(refused.length).toBeLessThan(given.length / 10)

    const again = recomputation()
    for (const { question, text, since, until } of given) {
      const stood = question.about.map((symbol) =>
        chainsOf.get(symbol)!.filter(({ from, to }) => from <= until && to >= since)
      )
      const possible = combinations(stood.map((chains) => chains.map(({ load }) => load)))
      const texts = await Promise.all(possible.map((loads) => again(question, loads)))
      const matching = texts.filter((possibleText) => possibleText === text)
      expect(
        matching,
        `${question.id} of ${question.about} is the answer of one of ${possible.length} chains`
      ).toHaveLength(1)
    }
  })
})
