import { describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import type { After } from '../../../src/facts/bounded-wait.ts'
import { eastern, ladder, sketched } from '../../support/hand-made.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { alpha, minute, settled, standing, ticker } from '../standing-market.ts'

const AAPL = ticker('AAPL')
const KO = ticker('KO')
const down = new SourceError('unavailable', 'the source is down')
const series = [{ date: '2026-08-28', strikes: ladder(90, 110, 2.5) }]
const recorded = (date: string, time: string, symbol = 'AAPL', fidelity: 'recorded' | 'imported' = 'recorded') =>
  ({ chain: sketched({ symbol, date, time, spot: 100, series }), fidelity, missing: [] }) as const
const yesterday = recorded('2026-07-28', '16:00')
const universe = [AAPL, KO].map((symbol) => ({ symbol, tier: 1 }) as const)

/** A live market at 11:00 on July 29 that has just been started over an archive, and whose source has not answered yet. */
async function started(snapshots: readonly ReturnType<typeof recorded>[], more: { readonly after?: After } = {}) {
  const archive = memoryStore()
  await archive.writeSnapshots(snapshots)
  const all = standing(universe, { archive, ...more })
  Object.assign(all.source, { synthetic: false })
  const names = () => all.emitted.map(({ name }) => name)
  return { ...all, archive, names }
}

/** Ends every wait at once, except those for the archive itself, which answers. */
const impatient: After = (milliseconds, run) => {
  const timer = milliseconds < 1000 ? undefined : setTimeout(run, 0)
  return () => clearTimeout(timer)
}

describe('a source that gives no chain after a start: the last recorded one serves, by its own age,', () => {
  test.each<[string, Error | undefined]>([
    ['when it is down', down],
    ['when the key is refused', new SourceError('refused', 'status 401')],
    ['when it sends rubbish', new SourceError('malformed', 'it is no JSON')],
    ['when it is limited', new SourceError('rate_limited', 'too many requests', 60_000)],
    ['when the program fails', new TypeError('x is not a function')]
  ])('%s', async (_, fault) => {
    const { live, source, names } = await started([yesterday])
    source.faults.set('AAPL', fault!)
    const chain = await live.chain(AAPL, alpha)
    expect(chain?.asOf).toBe(eastern('2026-07-28', '16:00'))
    expect(live.isStale(chain!)).toBe(true)
    expect(names().filter((name) => name !== 'sourceFailed')).toEqual(['chainRestored'])
    expect([...live.loaded()].map(({ isRestored }) => isRestored)).toEqual([true])
  })

  test('when it hangs, after the wait for a first chain', async () => {
    const { live, source, names } = await started([yesterday], { after: impatient })
    source.hold()
    expect((await live.chain(AAPL, alpha))?.asOf).toBe(eastern('2026-07-28', '16:00'))
    expect(names()).toEqual(['chainRestored'])
  })

  test('when it does not know the symbol any more', async () => {
    const { live, source } = await started([recorded('2026-07-28', '16:00', 'KO')])
    source.listing = () => undefined
    expect((await live.chain(KO, alpha))?.asOf).toBe(eastern('2026-07-28', '16:00'))
    expect(await live.chain(ticker('NOPE'), alpha)).toBeUndefined()
  })

  test('for a symbol that a pause of the source keeps from being asked for', async () => {
    const { live, source } = await started([yesterday, recorded('2026-07-28', '16:00', 'KO')])
    source.faults.set('AAPL', new SourceError('rate_limited', 'too many requests', 60_000))
    await live.chain(AAPL, alpha)
    expect((await live.chain(KO, alpha))?.symbol).toBe('KO')
    expect(source.count('KO')).toBe(0)
  })

  test('without anybody asking, for symbols of the universe', async () => {
    const { live, source, poll } = await started([yesterday])
    for (const { symbol } of universe) source.faults.set(symbol, down)
    live.start()
    await poll()
    live.stop()
    await settled()
    expect([...live.loaded()].map(({ chain }) => chain.symbol)).toEqual(['AAPL'])
  })

  test('of whatever day it is', async () => {
    const { live, source } = await started([recorded('2026-03-02', '12:00'), recorded('2026-03-03', '12:00')])
    source.faults.set('AAPL', down)
    expect((await live.chain(AAPL, alpha))?.asOf).toBe(eastern('2026-03-03', '12:00'))
  })
})

test('without a recorded chain the request is refused: imported ones and those of the future are none', async () => {
  const { live, source } = await started([
    recorded('2026-03-02', '12:00', 'AAPL', 'imported'),
    recorded('2026-07-29', '12:00')
  ])
  source.faults.set('AAPL', down)
  await expect(live.chain(AAPL, alpha)).rejects.toThrow('the source is down')
})

test('an archive that fails makes nothing worse', async () => {
  const { live, source, archive } = await started([yesterday])
  archive.snapshot = () => Promise.reject(new Error('the disk is gone'))
  source.faults.set('AAPL', down)
  await expect(live.chain(AAPL, alpha)).rejects.toThrow('the source is down')
})

test('the source is asked again as after any failure, and its first chain replaces the recorded one', async () => {
  const { live, source, clock, poll, names } = await started([yesterday])
  source.faults.set('AAPL', down)
  await live.chain(AAPL, alpha)
  await live.chain(AAPL, alpha)
  expect(source.count('AAPL')).toBe(1)
  clock.pass(1000)
  source.faults.clear()
  source.listing = () => yesterday.chain
  await poll()
  expect(source.count('AAPL')).toBe(2)
  const [loaded] = live.loaded()
  expect([loaded.chain.asOf, loaded.isRestored]).toEqual([clock.at, false])
  expect(names().filter((name) => name.startsWith('chain'))).toEqual(['chainRestored', 'chainSwapped'])
})

test('in the evening the recorded close is not stale, and is no news until the source says the same', async () => {
  const { live, source, clock } = await started([recorded('2026-07-29', '16:00')])
  clock.at = eastern('2026-07-29', '18:00')
  const close = eastern('2026-07-29', '16:00')
  Object.assign(source, { latest: () => close })
  source.faults.set('AAPL', down)
  const chain = await live.chain(AAPL, alpha)
  expect([live.isStale(chain!), live.isRestored(AAPL, close), live.isRestored(AAPL, close + 1)]).toEqual([
    false,
    true,
    false
  ])
  source.faults.clear()
  source.listing = () => yesterday.chain
  clock.pass(minute)
  await live.chain(AAPL, alpha)
  expect(live.isRestored(AAPL, close)).toBe(false)
})

test('its age in the list of symbols is since it was observed', async () => {
  const { live, source } = await started([recorded('2026-07-29', '10:00')])
  source.faults.set('AAPL', down)
  await live.chain(AAPL, alpha)
  const [row] = live.catalogue().universe
  expect([row.age, row.late]).toEqual([3600, true])
})
