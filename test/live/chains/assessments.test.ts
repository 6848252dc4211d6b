import { expect, test } from 'vitest'
import { Assessments } from '../../../src/live/chains/assessments.ts'
import type { Ticker } from '../../../src/market/units.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import type { Engine } from '../../../src/workers/engine.ts'
import { handMade } from '../../support/markets.ts'

const symbol = 'TEST' as Ticker
const { chain } = handMade('one expiration')
const { chain: newer } = handMade('after the close')

/** Assessments of a chain that the test replaces, each of them 7 points, and 3 more beside a close. */
function over(held: PricedChain | undefined, closing: () => unknown = () => undefined) {
  const state = { held, closing, asked: 0, timers: [] as (() => void)[] }
  const assessments = new Assessments({
    engine: {
      run: async (_: unknown, { prior }: { prior: unknown }) => {
        state.asked++
        return { deducted: prior === undefined ? 7 : 10, costliest: undefined }
      }
    } as unknown as Pick<Engine, 'run'>,
    pace: 1000,
    floor: 40,
    held: () => state.held,
    closing: () => state.closing() as PricedChain | undefined,
    after: (_, run) => {
      state.timers.push(run)
      return () => {}
    }
  })
  return { state, assessments }
}

test('a chain is assessed once, and at hand from then on', async () => {
  const { state, assessments } = over(chain)
  const [one, other] = await Promise.all([assessments.of(symbol), assessments.of(symbol)])
  expect(one).toEqual({
    symbol,
    asOf: chain.asOf,
    delay: chain.delay,
    pace: 1000,
    floor: 40,
    deducted: 7,
    costliest: undefined
  })
  expect([other, assessments.of(symbol), state.asked]).toEqual([one, one, 1])
  state.held = newer
  expect(await assessments.of(symbol)).toMatchObject({ asOf: newer.asOf })
  expect(state.asked).toBe(2)
})

test('nothing is said of a chain that is not held or lists nothing', () => {
  expect(over(undefined).assessments.of(symbol)).toBeUndefined()
  expect(over({ ...chain, size: 0 }).assessments.of(symbol)).toBeUndefined()
})

test('a close that is slow to come is left out until it is there', async () => {
  let arrive = (_: PricedChain): void => {}
  const slow = new Promise<PricedChain>((resolve) => (arrive = resolve))
  const { state, assessments } = over(chain, () => slow)
  const first = assessments.of(symbol)
  state.timers[0]()
  expect(await first).toMatchObject({ deducted: 7 })
  expect(assessments.of(symbol)).toMatchObject({ deducted: 7 })
  arrive(newer)
  state.closing = () => newer
  expect(await assessments.of(symbol)).toMatchObject({ deducted: 10 })
  state.closing = () => expect.unreachable()
  expect(assessments.of(symbol)).toMatchObject({ deducted: 10 })
})

test('a chain that is replaced while its close is awaited is rated all the same', async () => {
  const slow = new Promise<PricedChain>(() => {})
  const { state, assessments } = over(chain, () => slow)
  const first = assessments.of(symbol)
  state.held = newer
  state.timers[0]()
  expect(await first).toMatchObject({ asOf: chain.asOf, deducted: 7 })
})

test('a close that cannot be had, and an assessment that fails, hold up nobody', async () => {
  const failing = over(chain, () => Promise.reject(new Error('down')))
  expect(await failing.assessments.of(symbol)).toMatchObject({ deducted: 7 })
  const overloaded = new Assessments({
    engine: { run: () => Promise.reject(new Error('overloaded')) },
    pace: 1000,
    floor: 40,
    held: () => chain,
    closing: () => undefined,
    after: () => () => {}
  })
  expect(await overloaded.of(symbol)).toBeUndefined()
})
