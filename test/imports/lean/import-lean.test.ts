import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importLean } from '../../../src/imports/lean/import-lean.ts'
import { priceUnitsPerDollar } from '../../../src/imports/lean/lean-names.ts'
import { CALL, PUT } from '../../../src/market/chain.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { folderWith, iso, slotOf, take } from '../take.ts'
import { zipOf } from '../zip-file.ts'

const minute = 60_000
const at = (hour: number, past: number) => (hour * 60 + past) * minute

/** A regular day of ZED: two series of one strike, each line as LEAN writes it. */
const day = '20240105'
const quoteOf = (right: string) => `${day}_zed_minute_quote_american_${right}_1000000_20240119.csv`
const optionQuotes = {
  [quoteOf('call')]: [
    `${at(9, 30)},21000,21000,20000,20500,3,22000,22000,21500,21500,4`,
    `${at(9, 45)},,,,,0,21400,21400,21000,21000,7`,
    `${at(9, 50)},19000,19000,18000,18000,8,,,,,0`,
    ''
  ].join('\n'),
  [quoteOf('put')]: [
    `${at(10, 0)},,,,,0,11000,11000,11000,11000,6`,
    `${at(10, 5)},10000,10000,10000,10000,5,11000,11000,11000,11000,6\n`
  ].join('\n')
}
const shareQuotes = {
  [`${day}_zed_minute_quote.csv`]: [
    `${at(9, 0)},990000,990000,990000,990000,100,1010000,1010000,1010000,1010000,100`,
    `${at(9, 31)},1000000,1000000,1000000,1000000,100,1002000,1002000,1002000,1002000,100`,
    `${at(16, 0)},1,1,1,1,100,2,2,2,2,100`
  ].join('\n')
}
const shareTrades = {
  [`${day}_zed_minute_trade.csv`]: [
    `${at(8, 0)},2000000,2000000,2000000,2000000,9`,
    `${at(9, 30)},1000000,1010000,990000,1005000,100`,
    `${at(15, 59)},1003000,1004000,1002000,1003500,50`,
    `${at(16, 0)},5000000,5000000,5000000,5000000,7`
  ].join('\n')
}
const optionTrades = {
  [quoteOf('call').replace('quote', 'trade')]:
    `${at(9, 30)},20000,20000,20000,20000,2\n${at(9, 59)},21000,22000,21000,22000,3\n`
}
const openInterest = { [quoteOf('call').replace('quote', 'openinterest')]: `${at(6, 31)},1234\n` }

const zips = {
  [`${day}_quote_american.zip`]: zipOf(optionQuotes),
  [`${day}_trade_american.zip`]: zipOf(optionTrades),
  [`${day}_openinterest_american.zip`]: zipOf(openInterest)
}
const shares = { [`${day}_quote.zip`]: zipOf(shareQuotes), [`${day}_trade.zip`]: zipOf(shareTrades) }

const imported = (files: Readonly<Record<string, string | Uint8Array>>) =>
  take((writer) => importLean([folderWith(files)], writer))

test('every minute of the session is a snapshot, known at the end of the minute', async () => {
  const { snapshots, tally } = await imported({ ...zips, ...shares })
  expect(snapshots).toHaveLength(390)
  expect(iso(snapshots[0].chain.asOf)).toBe('2024-01-05T14:31:00.000Z')
  expect(iso(snapshots[389].chain.asOf)).toBe('2024-01-05T21:00:00.000Z')
  expect(tally).toMatchObject({ snapshots: 390, rows: 780, bars: 1, rejected: 0 })
  expect(snapshots[0]).toMatchObject({ fidelity: 'imported', missing: ['trade_tape', 'macro_intraday'] })
})

test('a quote stands until the next one, and a series without a quote yet is there without figures', async () => {
  const { snapshots } = await imported({ ...zips, ...shares })
  const figures = (index: number, right: number) => {
    const { chain } = snapshots[index]
    const slot = slotOf(chain, '2024-01-19', 100, right)
    return [chain.bid[slot], chain.ask[slot], chain.bidSize[slot], chain.askSize[slot]]
  }
  expect(figures(0, CALL)).toEqual([2.05, 2.15, 3, 4])
  expect(figures(14, CALL)).toEqual([2.05, 2.15, 3, 4])
  expect(figures(29, PUT)).toEqual([Number.NaN, Number.NaN, -1, -1])
  expect(figures(30, PUT)).toEqual([0, 1.1, 0, 6]) // nobody has bid so far
  expect(figures(35, PUT)).toEqual([1, 1.1, 5, 6])
})

test('a side that a bar leaves out did not move in its minute', async () => {
  const { snapshots } = await imported({ ...zips, ...shares })
  const figures = (index: number) => {
    const { chain } = snapshots[index]
    const slot = slotOf(chain, '2024-01-19', 100, CALL)
    return [chain.bid[slot], chain.ask[slot], chain.bidSize[slot], chain.askSize[slot]]
  }
  expect(figures(15)).toEqual([2.05, 2.1, 3, 7])
  expect(figures(20)).toEqual([1.8, 2.1, 8, 7])
})

test('volume adds up by the minute of the prints; open interest is that of the morning', async () => {
  const { snapshots } = await imported({ ...zips, ...shares })
  const figures = (index: number, right: number) => {
    const { chain } = snapshots[index]
    const slot = slotOf(chain, '2024-01-19', 100, right)
    return [chain.volume[slot], chain.last[slot], chain.openInterest[slot]]
  }
  expect(figures(0, CALL)).toEqual([2, 2, 1234])
  expect(figures(28, CALL)).toEqual([2, 2, 1234])
  expect(figures(29, CALL)).toEqual([5, 2.2, 1234])
  expect(figures(389, PUT)).toEqual([0, Number.NaN, -1])
})

test('the underlying is the midpoint of its quote, and at the close its last trade', async () => {
  const { snapshots, bars } = await imported({ ...zips, ...shares })
  expect(snapshots[0].chain).toMatchObject({ spot: 100, quote: { bid: 99, ask: 101, last: 100.5 } })
  expect(snapshots[1].chain).toMatchObject({ spot: 100.1, quote: { bid: 100, ask: 100.2, last: 100.5 } })
  expect(snapshots[389].chain).toMatchObject({ spot: 100.35, quote: { bid: 100, ask: 100.2, last: 100.35 } })
  expect(bars).toEqual([['ZED', { date: '2024-01-05', open: 100, high: 101, low: 99, close: 100.35, volume: 150 }]])
})

test('what the files lack is said: no trades, no open interest', async () => {
  const { snapshots } = await imported({ [`${day}_quote_american.zip`]: zipOf(optionQuotes), ...shares })
  expect(snapshots[0].missing).toEqual(['trade_tape', 'macro_intraday', 'option_volume', 'open_interest'])
  expect([...snapshots[389].chain.volume]).toEqual([-1, -1])
})

test('minutes before the first price of the underlying have no snapshot', async () => {
  const late = { [`${day}_zed_minute_trade.csv`]: `${at(10, 0)},1000000,1000000,1000000,1000000,1\n` }
  const { snapshots, rejections } = await imported({ ...zips, [`${day}_trade.zip`]: zipOf(late) })
  expect(iso(snapshots[0].chain.asOf)).toBe('2024-01-05T15:01:00.000Z')
  expect(rejections.map(({ reason }) => reason)).toEqual([
    '30 of 390 minutes lie before the first price of the underlying: they have no snapshot'
  ])
})

test('volumes and open interest that no contract can have are refused with their lines', async () => {
  const trade = quoteOf('call').replace('quote', 'trade')
  const bar = (time: number, volume: string) => `${time},20000,20000,20000,20000,${volume}\n`
  const trades = bar(at(9, 30), '2') + bar(at(9, 31), '4294967296') + bar(at(9, 32), '1.5') + bar(at(9, 33), '-1')
  const interest = ['4294967296', '12.5', '-3'].map((count) => `${at(6, 31)},${count}\n`).join('')
  const { snapshots, rejections } = await imported({
    ...zips,
    ...shares,
    [`${day}_trade_american.zip`]: zipOf({ [trade]: trades }),
    [`${day}_openinterest_american.zip`]: zipOf({ [trade.replace('trade', 'openinterest')]: interest })
  })
  const linesWith = (wrong: string) => rejections.filter(({ reason }) => reason === wrong).map(({ line }) => line)
  expect(linesWith('the volume is no whole number')).toEqual([2, 3, 4])
  expect(linesWith('the open interest is no whole number')).toEqual([1, 2, 3])
  expect(rejections).toHaveLength(6)
  expect(snapshots.at(-1)!.chain.volume).toContain(2)
})

test('shares alone make the bar of the day', async () => {
  const { snapshots, bars } = await imported(shares)
  expect(snapshots).toHaveLength(0)
  expect(bars).toHaveLength(1)
})

test('a line that cannot be used is in the report with its number, and the others count', async () => {
  const broken = `${at(9, 30)},a,b,c,d,3,1,1,1,1,1\nnonsense\n${at(9, 31)},1,1,1,-1,3,22000,22000,21500,21500,4\n`
  const fine = `${at(9, 32)},21000,21000,20000,20500,3,22000,22000,21500,21500,4\n`
  const files = { ...shares, [`${day}_quote_american.zip`]: zipOf({ [quoteOf('call')]: broken + fine }) }
  const { snapshots, rejections } = await imported(files)
  expect(rejections.map(({ line, reason }) => [line, reason])).toEqual([
    [1, 'a price is not a number above 0'],
    [2, 'it has 1 fields instead of 11'],
    [3, 'a price is not a number above 0']
  ])
  expect(snapshots[2].chain.bid[0]).toBe(2.05)
})

test('a damaged file in a zip, a strange name and a zip that is none go to the report', async () => {
  const good = zipOf(optionQuotes)
  const damaged = Buffer.from(good)
  damaged[damaged.indexOf('.csv') + 6] ^= 0xff
  const files = {
    ...shares,
    '20240105_trade_american.zip': damaged,
    '20240105_quote_american.zip': zipOf({ ...optionQuotes, 'readme.txt': 'hello' }),
    '20240105_openinterest_american.zip': 'no zip'
  }
  const { snapshots, rejections } = await imported(files)
  expect(snapshots).toHaveLength(390)
  expect(rejections).toHaveLength(3)
  expect(rejections.map(({ reason }) => reason).join('; ')).toMatch(/cannot be opened.*its name is not one of LEAN/)
})

test('a copy of a zip does not double the volume', async () => {
  const { snapshots, bars, rejections } = await imported({
    ...zips,
    ...shares,
    [`${day}_trade_european.zip`]: zipOf(optionTrades),
    [`${day}_trade_american.zip`]: zipOf(optionTrades),
    [`${day}_trade.ZIP`]: zipOf(shareTrades)
  })
  const { chain } = snapshots[389]
  expect(chain.volume[slotOf(chain, '2024-01-19', 100, CALL)]).toBe(5)
  expect(bars[0][1].volume).toBe(150)
  expect(rejections.map(({ reason }) => reason)).toEqual([
    '1 of its files were read before: each counts once',
    '1 of its files were read before: each counts once'
  ])
})

test('an adjusted series and an expired one are left out', async () => {
  const more = {
    ...optionQuotes,
    [`${day}_zed1_minute_quote_american_call_1000000_20240119.csv`]: `${at(9, 30)},1,1,1,1,1,2,2,2,2,2\n`,
    [`${day}_zed_minute_quote_american_call_1000000_20240104.csv`]: `${at(9, 30)},1,1,1,1,1,2,2,2,2,2\n`
  }
  const { snapshots, rejections } = await imported({ ...shares, [`${day}_quote_american.zip`]: zipOf(more) })
  expect(snapshots[0].chain.size).toBe(2)
  expect(rejections.map(({ reason }) => reason)).toEqual(['it is not of ZED on 2024-01-05, as the zip is'])
})

test('weekly series of an index join its chain, settled as their root is', async () => {
  const quote = `${at(9, 30)},1,1,1,1,1,2,2,2,2.05,2\n`
  const { snapshots } = await imported({
    [`${day}_trade.zip`]: zipOf({ [`${day}_spx_minute_trade.csv`]: `${at(9, 30)},4700.5,4701,4700,4700.25,1\n` }),
    [`${day}_quote_european.zip`]: zipOf({ [`${day}_spx_minute_quote_european_put_47000000_20240119.csv`]: quote }),
    '20240105_quote_american.zip': zipOf({ [`${day}_spxw_minute_quote_european_put_47000000_20240119.csv`]: quote })
  })
  expect(snapshots[0].chain.symbol).toBe('SPX')
  expect(snapshots[0].chain.expirations.map(({ root, settlement }) => [root, settlement])).toEqual([
    ['SPX', 'am'],
    ['SPXW', 'pm']
  ])
})

test('prices of an index and of options on it are not scaled, only the strikes in their names are', async () => {
  const optionName = `${day}_spx_minute_quote_european_call_47000000_20240119.csv`
  const { snapshots, bars } = await imported({
    [`${day}_trade.zip`]: zipOf({ [`${day}_spx_minute_trade.csv`]: `${at(9, 30)},4700.5,4701,4700,4700.25,1\n` }),
    [`${day}_quote_european.zip`]: zipOf({ [optionName]: `${at(9, 30)},30,30,30,30.1,1,31,31,31,31.2,2\n` }),
    [`${day}_trade_european.zip`]: zipOf({
      [optionName.replace('quote', 'trade')]: `${at(9, 30)},30.5,30.5,30.5,30.55,3\n`
    })
  })
  const { chain } = snapshots[0]
  const [last, bid, ask] = [chain.last[0], chain.bid[0], chain.ask[0]]
  expect([chain.spot, chain.strike[0], bid, ask, last]).toEqual([4700.25, 4700, 30.1, 31.2, 30.55])
  expect(bars[0][1]).toMatchObject({ open: 4700.5, high: 4701, low: 4700, close: 4700.25 })
})

test('an index that no list knows is recognized by its folder', () => {
  const units = (path: string) => priceUnitsPerDollar('NEWIX' as Ticker, path)
  expect(units('data/indexoption/usa/minute/newix/20240105_quote_european.zip')).toBe(1)
  expect(units('data\\Index\\usa\\minute\\newix\\20240105_trade.zip')).toBe(1)
  expect(units('data/option/usa/minute/newix/20240105_quote_american.zip')).toBe(10_000)
  expect(units('my-index/option/usa/minute/newix/20240105_quote_american.zip')).toBe(10_000)
  expect(priceUnitsPerDollar('SPX' as Ticker, '20240105_quote_european.zip')).toBe(1)
  expect(priceUnitsPerDollar('SPY' as Ticker, '20240105_quote_american.zip')).toBe(10_000)
})

test('an expiration on a Saturday, as before 2015, is the Friday on which trading ends', async () => {
  const name = '20140106_zed_minute_quote_american_call_1000000_20140118.csv'
  const { snapshots } = await imported({
    '20140106_quote_american.zip': zipOf({ [name]: `${at(9, 30)},1,1,1,1,1,2,2,2,2,2\n` }),
    '20140106_trade.zip': zipOf({ '20140106_zed_minute_trade.csv': `${at(9, 30)},10000,10000,10000,10000,1\n` })
  })
  expect(snapshots[0].chain.expirations[0].date).toBe('2014-01-17')
})

test('a zip of a day without a session goes to the report', async () => {
  const { snapshots, rejections } = await imported({
    '20240106_trade.zip': zipOf({ '20240106_zed_minute_trade.csv': `${at(9, 30)},1,1,1,1,1\n` })
  })
  expect(snapshots).toHaveLength(0)
  expect(rejections[0].reason).toBe('there was no session on 2024-01-06')
})

test('it stops within a day when it is told to', async () => {
  const stopping = new AbortController()
  const folder = folderWith({ ...zips, ...shares })
  const { snapshots } = await take((writer) => importLean([join(folder)], writer), {
    signal: stopping.signal,
    onSnapshot: () => stopping.abort()
  })
  expect(snapshots).toHaveLength(1)
})
