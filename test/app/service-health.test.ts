import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { healthChecks } from '../../src/app/service-health.ts'
import type { StandingDoubt } from '../../src/live/chains/doubts.ts'
import type { JobProgress } from '../../src/server/operations/job-runner.ts'

const start = Date.parse('2026-07-29T15:00:00Z')
const doubt = {
  symbol: 'SPY',
  reason: 'spot_off_options',
  message: 'its spot is 851.13 where its options say 740.02 to 742.31',
  settledBy: 'spot and options agree again',
  session: '2026-07-29',
  since: start
} as StandingDoubt

beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

/** Health of a market with one loaded chain and these doubts, some minutes after they began. */
async function healthAfter(minutes: number, doubts: readonly StandingDoubt[]) {
  vi.setSystemTime(start + minutes * 60_000)
  const live = { loaded: () => [{ chain: {} }], isStale: () => false, doubts, clockBehindBy: undefined }
  const checks = healthChecks({} as never, { live, sourceState: { refusals: {} }, recording: {} } as never)
  return checks.find(({ name }) => name === 'market_data')!.check()
}

test('a market without doubts is healthy', async () => {
  expect(await healthAfter(60, [])).toEqual({ status: 'Healthy', details: {} })
})

test('a market that is served from the archive since the start is degraded', async () => {
  const loaded = () => [
    { chain: {}, isRestored: true },
    { chain: {}, isRestored: false }
  ]
  const live = { loaded, isStale: () => false, doubts: [], clockBehindBy: undefined }
  const checks = healthChecks({} as never, { live, sourceState: { refusals: {} }, recording: {} } as never)
  const report = await checks.find(({ name }) => name === 'market_data')!.check()
  expect(report).toEqual({ status: 'Degraded', details: { recorded_symbols: 1 } })
})

test('how far the past of a synthetic market is made stands beside what is recorded', async () => {
  const state = { failure: undefined, written: 84, waiting: 0, lost: 0 }
  const market = { recording: { damage: () => [], state: () => state }, sourceState: {} }
  const historyOf = async (progress: JobProgress | undefined) =>
    healthChecks({} as never, market as never, { progress })
      .find(({ name }) => name === 'history')!
      .check()
  expect(await historyOf(undefined)).toEqual({ status: 'Healthy', details: { written: 84, waiting: 0, lost: 0 } })
  expect(await historyOf({ what: 'SPY 2026-11-25', symbol: 'SPY', stored: 54, done: 60, total: 369 })).toMatchObject({
    details: { making: 'SPY 2026-11-25', making_of: 'SPY', stored: 54, made: 60, to_make: 369 }
  })
})

test('a doubt is told with its reason in a sentence, and makes the source unhealthy after half an hour', async () => {
  const shown = {
    symbol: 'SPY',
    since: '2026-07-29T15:00:00.000Z',
    kind: 'spot_off_options',
    reason: `${doubt.message}; held back until spot and options agree again`
  }
  expect(await healthAfter(29, [doubt])).toEqual({ status: 'Degraded', details: { doubted: 1, doubts: [shown] } })
  expect(await healthAfter(30, [doubt])).toMatchObject({ status: 'Unhealthy' })
})

test('no more than twenty doubts are listed', async () => {
  const report = await healthAfter(
    1,
    Array.from({ length: 25 }, () => doubt)
  )
  const listed = Array.from({ length: 20 }, () => expect.objectContaining({ symbol: 'SPY' }))
  expect(report).toMatchObject({ details: { doubted: 25, doubts: listed } })
})

test('a history with damaged files is unhealthy and names them, a sound one is not', async () => {
  const historyOf = (damage: readonly object[]) => {
    const recording = { damage: () => damage, state: () => undefined }
    const checks = healthChecks({} as never, { live: {}, sourceState: {}, recording } as never)
    return checks.find(({ name }) => name === 'history')!.check()
  }
  const damage = { path: 'history/store/f03/20260608_2_2_1', reason: 'checksum doesnt match' }
  expect(await historyOf([damage])).toEqual({
    status: 'Unhealthy',
    details: { reason: expect.stringContaining('gammawall history verify'), damaged: [damage] }
  })
  expect(await historyOf([])).toEqual({ status: 'Healthy' })
})
