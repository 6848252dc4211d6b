import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCboeFiles } from '../../src/connectors/cboe/cboe-files.ts'
import { openInterestChanges } from '../../src/exposure/open-interest/open-interest-change.ts'
import { importCboe } from '../../src/imports/import-cboe.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { priceChain } from '../../src/pricing/price-chain.ts'
import { cboeOption, cboePayload } from '../support/cboe-payload.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'
import { folderWith, iso, take } from './take.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()
const tuesday = '2026-07-28' as IsoDate
const wednesday = '2026-07-29' as IsoDate

/** A payload whose newest trades are of a day, with the open interest that was known when it was fetched. */
function fetched(timestamp: string, day: string, openInterest: number): string {
  const option = (name: string) =>
    cboeOption(name, { last_trade_time: `${day}T16:14:59`, open_interest: openInterest, volume: 500 })
  return cboePayload({
    timestamp,
    underlying: { last_trade_time: `${day}T15:59:59` },
    options: [option('SPY261218C00730000'), option('SPY261218P00730000')]
  })
}

/** Recorded in the evening of two sessions, and at 07:14 and 09:16 of the second one. */
const recordings = {
  'a.json': fetched('2026-07-28 22:40:00', tuesday, 1000),
  'b.json': fetched('2026-07-29 11:14:00', tuesday, 1400),
  'c.json': fetched('2026-07-29 13:16:00', tuesday, 1400),
  'd.json': fetched('2026-07-29 22:40:00', wednesday, 1400)
}

const openInterestOf = (chain: Chain | undefined) => chain?.openInterest[0]

test('open interest fetched before the open is of the day that opens: import, live and replay agree about the close before', async () => {
  const folder = folderWith(recordings)
  const { snapshots, bars } = await take((writer) => importCboe([folder], writer))
  expect(snapshots.map(({ chain }) => [iso(chain.asOf), openInterestOf(chain), chain.volume[0]])).toEqual([
    ['2026-07-28T20:00:00.000Z', 1000, 500],
    ['2026-07-29T11:14:00.000Z', 1400, 0],
    ['2026-07-29T13:16:00.000Z', 1400, 0],
    ['2026-07-29T20:00:00.000Z', 1400, 500]
  ])
  expect(new Set(bars.map(([, { date }]) => date))).toEqual(new Set([tuesday, wednesday]))

  const store = memoryStore()
  await store.writeSnapshots(snapshots)
  const archived = (await store.closingSnapshot(SPY, tuesday))?.packed as Chain
  const live = await createCboeFiles({ path: folder, asOf: undefined })
  const closing = await live.closingChain(SPY, tuesday, signal)
  expect([openInterestOf(archived), openInterestOf(closing)]).toEqual([1000, 1000])
  expect(closing).toEqual(archived)
})

test('a change of open interest is shown on the day that knew it, before its opening too, and not on the day before', async () => {
  const folder = folderWith(recordings)
  const changeAt = async (moment: string) => {
    const files = await createCboeFiles({ path: folder, asOf: Date.parse(moment) })
    const today = await files.chain(SPY, files.fixedAt!, signal)
    const prior = await files.closingChain(SPY, tuesday, signal)
    const priced = (chain: Chain) => priceChain(chain, madeUpAssumptions)
    return openInterestChanges(priced(today!), priced(prior!)).callChange
  }
  expect(await changeAt('2026-07-28T23:00:00Z')).toBe(0)
  expect(await changeAt('2026-07-29T11:30:00Z')).toBe(400)
  expect(await changeAt('2026-07-29T23:00:00Z')).toBe(400)
})

test('of two payloads of one close that of its own evening counts, whatever a weekend adds', async () => {
  const friday = '2026-07-31'
  const evening = fetched('2026-07-31 22:40:00', friday, 1000)
  const saturday = fetched('2026-08-01 15:00:00', friday, 1900)
  for (const files of [
    { 'a.json': evening, 'b.json': saturday },
    { 'a.json': saturday, 'b.json': evening }
  ]) {
    const folder = folderWith(files)
    const { snapshots } = await take((writer) => importCboe([folder], writer))
    expect(openInterestOf(snapshots.at(-1)?.chain)).toBe(1000)
    const source = await createCboeFiles({ path: join(folder), asOf: undefined })
    expect(openInterestOf(await source.chain(SPY, source.fixedAt!, signal))).toBe(1000)
  }
})
