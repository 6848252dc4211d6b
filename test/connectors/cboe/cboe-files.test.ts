import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCboeFiles } from '../../../src/connectors/cboe/cboe-files.ts'
import { indexPayloads } from '../../../src/connectors/cboe/recorded-payloads.ts'
import { session as calendarSession } from '../../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { cboeOption, cboePayload } from '../../support/cboe-payload.ts'

const SPY = 'SPY' as Ticker
const SPX = 'SPX' as Ticker
const date = (text: string) => text as IsoDate
const { signal } = new AbortController()
const iso = (instant: number | undefined) => new Date(instant!).toISOString()

function recorded(symbol: string, session: string, fetched: string, close: number): string {
  const root = symbol.replace('_', '')
  return cboePayload({
    symbol,
    timestamp: fetched,
    underlying: { close, open: close, high: close + 1, low: close - 1, last_trade_time: `${session}T15:59:59` },
    options: [cboeOption(`${root}261218C00730000`, { last_trade_time: `${session}T16:14:59` })]
  })
}

let folder: string
const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cboe-files-'))
  write('a.json', recorded('SPY', '2026-07-28', '2026-07-28 22:40:34', 740.86))
  write('b.json.gz', gzipSync(recorded('SPY', '2026-07-29', '2026-07-29 22:37:29', 729.46)))
  write('SPY-2026-07-30.json', recorded('SPY', '2026-07-29', '2026-07-30 01:14:35', 729.5)) // a second fetch of 07-29
  write('c.json', recorded('_SPX', '2026-07-28', '2026-07-28 22:40:00', 7420.5))
  write('broken.json.gz', gzipSync(recorded('SPY', '2026-07-31', '2026-07-31 22:37:29', 1)).subarray(0, 200))
  write('other.json', '{"name":"something else"}')
  write('notes.txt', 'not a payload')
})

afterAll(() => rmSync(folder, { recursive: true }))

const open = (session?: string) =>
  createCboeFiles({ path: folder, asOf: session === undefined ? undefined : calendarSession(date(session))!.close })

describe('a folder of recorded payloads', () => {
  test('stands at the close of the newest session that any file shows', async () => {
    const files = await open()
    expect(iso(files.fixedAt)).toBe('2026-07-29T20:00:00.000Z')
    expect(files.latest(Date.parse('2030-01-01'))).toBe(files.fixedAt)
    expect(files).toMatchObject({ synthetic: false, tickers: ['SPX', 'SPY'] })
    expect(files.universe).toEqual([
      { symbol: 'SPX', tier: 1 },
      { symbol: 'SPY', tier: 1 }
    ])
  })

  test('answers a session that was fetched twice from the newest fetch', async () => {
    const files = await open()
    expect((await files.chain(SPY, files.fixedAt!, signal))?.spot).toBe(729.5)
  })

  test('answers a symbol without that session as of its newest one before', async () => {
    const files = await open()
    const chain = await files.chain(SPX, files.fixedAt!, signal)
    expect(chain).toMatchObject({ symbol: 'SPX', spot: 7420.5 })
    expect(iso(chain?.asOf)).toBe('2026-07-28T20:00:00.000Z')
  })

  test('knows no other symbol', async () => {
    const files = await open()
    expect(await files.chain('QQQ' as Ticker, files.fixedAt!, signal)).toBeUndefined()
    expect(await files.closingChain('QQQ' as Ticker, date('2026-07-28'), signal)).toBeUndefined()
    expect(await files.dailyBars('QQQ' as Ticker, files.fixedAt!, signal)).toEqual([])
  })

  test('stands where it is told and does not show what came later', async () => {
    const files = await open('2026-07-28')
    expect(iso(files.fixedAt)).toBe('2026-07-28T20:00:00.000Z')
    expect((await files.chain(SPY, files.fixedAt!, signal))?.spot).toBe(740.86)
    expect(await files.closingChain(SPY, date('2026-07-29'), signal)).toBeUndefined()
    const bars = await files.dailyBars(SPY, Date.parse('2030-01-01'), signal)
    expect(bars.map((bar) => bar.date)).toEqual(['2026-07-28'])
  })

  test('says which sessions there are when told to stand at another', async () => {
    await expect(open('2026-07-27')).rejects.toThrow(/2026-07-27.*2026-07-28, 2026-07-29/)
  })

  test('told to stand at 15:00 of a day that was recorded at 16:00 alone, does not serve the future', async () => {
    const at = (text: string) => createCboeFiles({ path: folder, asOf: Date.parse(text) })
    const refused = at('2026-07-29T19:00:00Z')
    await expect(refused).rejects.toThrow(/2026-07-29T15:00:00 or earlier that day was recorded; the day has 16:00:00$/)
    await expect(refused).rejects.toMatchObject({ fault: 'unavailable' })
    expect(iso((await at('2026-07-29T23:00:00Z')).fixedAt)).toBe('2026-07-29T20:00:00.000Z')
  })

  test('takes the newest of several recordings of a day that is not later than it is told', async () => {
    const day = mkdtempSync(join(folder, 'day-'))
    const fetchedAt = (timestamp: string, traded: string, close: number) =>
      cboePayload({
        timestamp,
        underlying: { close, current_price: close, last_trade_time: traded },
        options: [cboeOption('SPY261218C00730000', { last_trade_time: traded })]
      })
    mkdirSync(join(day, 'morning'))
    writeFileSync(join(day, 'morning', 'a.json'), fetchedAt('2026-07-29 11:14:00', '2026-07-28T16:00:00', 741))
    writeFileSync(join(day, 'b.json'), fetchedAt('2026-07-29 15:00:00', '2026-07-29T10:44:30', 735))
    writeFileSync(join(day, 'c.json'), fetchedAt('2026-07-29 22:00:00', '2026-07-29T16:00:00', 729))
    const spotAt = async (text: string) => {
      const files = await createCboeFiles({ path: day, asOf: Date.parse(text) })
      return [iso(files.fixedAt).slice(11, 19), (await files.chain(SPY, files.fixedAt!, signal))?.spot]
    }
    expect(await spotAt('2026-07-29T13:00:00Z')).toEqual(['11:14:00', 741])
    expect(await spotAt('2026-07-29T19:00:00Z')).toEqual(['14:44:30', 735])
    expect(await spotAt('2026-07-29T20:00:00Z')).toEqual(['20:00:00', 729])
    rmSync(day, { recursive: true })
  })

  test('holds the closing chain of exactly the days that were recorded', async () => {
    const files = await open()
    expect((await files.closingChain(SPY, date('2026-07-28'), signal))?.spot).toBe(740.86)
    expect(await files.closingChain(SPY, date('2026-07-27'), signal)).toBeUndefined()
    expect(await files.closingChain(SPX, date('2026-07-29'), signal)).toBeUndefined()
  })

  test('gives the bars of the recorded sessions up to the moment asked for, ascending', async () => {
    const files = await open()
    const closes = async (now: number) => (await files.dailyBars(SPY, now, signal)).map((bar) => [bar.date, bar.close])
    const both = [
      ['2026-07-28', 740.86],
      ['2026-07-29', 729.5]
    ]
    expect(await closes(files.fixedAt!)).toEqual(both)
    expect(await closes(files.fixedAt! - 1)).toEqual(both.slice(0, 1))
  })

  test('passes over files that are no payload and tells which', async () => {
    const { unreadable } = await open()
    expect(unreadable.map(({ file }) => file.slice(folder.length + 1))).toEqual(['broken.json.gz', 'other.json'])
  })

  test('needs no second search when the index is handed over as plain data', async () => {
    const index = structuredClone(await indexPayloads(folder))
    const files = await createCboeFiles({ path: 'nowhere', asOf: undefined, index })
    expect((await files.chain(SPY, files.fixedAt!, signal))?.spot).toBe(729.5)
  })

  test('stops when the caller gives up', async () => {
    const files = await open()
    await expect(files.chain(SPY, files.fixedAt!, AbortSignal.abort())).rejects.toThrow(/abort/i)
  })

  test('notices a file that changed under it', async () => {
    const path = join(folder, 'changing.json')
    writeFileSync(path, recorded('SPY', '2026-07-28', '2026-07-28 22:40:34', 740.86))
    const files = await createCboeFiles({ path, asOf: undefined })
    writeFileSync(path, recorded('SPY', '2026-07-29', '2026-07-29 22:40:34', 729.46))
    await expect(files.chain(SPY, files.fixedAt!, signal)).rejects.toMatchObject({ fault: 'malformed' })
    rmSync(path)
  })
})

describe('a single recorded payload', () => {
  test('is a recording of one symbol, whatever its name', async () => {
    const files = await createCboeFiles({ path: join(folder, 'b.json.gz'), asOf: undefined })
    expect(files.tickers).toEqual(['SPY'])
    expect((await files.chain(SPY, files.fixedAt!, signal))?.spot).toBe(729.46)
  })

  test('fetched in the session stands at its newest trade and is no closing chain', async () => {
    const path = join(folder, 'midday.json')
    const options = [cboeOption('SPY260731C00730000', { last_trade_time: '2026-07-30T10:44:30' })]
    writeFileSync(path, cboePayload({ timestamp: '2026-07-30 15:00:00', options }))
    const files = await createCboeFiles({ path, asOf: undefined })
    expect(iso(files.fixedAt)).toBe('2026-07-30T14:44:30.000Z')
    expect((await files.chain(SPY, files.fixedAt!, signal))?.asOf).toBe(files.fixedAt)
    expect(await files.closingChain(SPY, date('2026-07-30'), signal)).toBeUndefined()
    expect(await files.dailyBars(SPY, files.fixedAt!, signal)).toEqual([])
    rmSync(path)
  })
})

test.each([
  ['a folder without payloads', () => mkdtempSync(join(folder, 'none-')), /no recorded payload can be read/],
  ['a file that is no payload', () => join(folder, 'notes.txt'), /notes\.txt: the Cboe payload cannot be used/],
  ['a path that does not exist', () => join(folder, 'missing'), /cannot be opened/]
])('%s is refused with a clear sentence', async (_, path, reason) => {
  const opening = createCboeFiles({ path: path(), asOf: undefined })
  await expect(opening).rejects.toThrow(reason)
  await expect(opening).rejects.toMatchObject({ fault: 'unavailable' })
})
