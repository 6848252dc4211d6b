import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { importCboe } from '../../src/imports/import-cboe.ts'
import { cboeOption, cboePayload, recordedPayloads } from '../support/cboe-payload.ts'
import { folderWith, iso, take } from './take.ts'

const qqq = { symbol: 'QQQ', options: [cboeOption('QQQ260731C00730000')] }

test('a payload of the evening becomes the snapshot of the close and the bar of the day', async () => {
  const folder = folderWith({
    'any-name.json': cboePayload(),
    'packed.json.gz': gzipSync(cboePayload(qqq))
  })
  const { snapshots, bars, rejections, tally } = await take((writer) => importCboe([folder], writer))
  expect(snapshots.map(({ chain }) => [chain.symbol, iso(chain.asOf), chain.spot, chain.size])).toEqual([
    ['SPY', '2026-07-29T20:00:00.000Z', 729.46, 2],
    ['QQQ', '2026-07-29T20:00:00.000Z', 729.46, 1]
  ])
  expect(snapshots[0]).toMatchObject({ fidelity: 'imported', missing: ['trade_tape', 'macro_intraday'] })
  const bar = { date: '2026-07-29', open: 739.97, high: 742.68, low: 729.1, close: 729.46, volume: 69560498 }
  expect(bars).toEqual([
    ['SPY', bar],
    ['QQQ', bar]
  ])
  expect(rejections).toHaveLength(0)
  expect(tally).toMatchObject({ snapshots: 2, rows: 3, bars: 2 })
})

test('of two payloads of one session the one fetched last counts, whatever the files are called', async () => {
  const early = cboePayload({ timestamp: '2026-07-29 22:00:00', underlying: { close: 1 } })
  const late = cboePayload({ timestamp: '2026-07-30 03:00:00', underlying: { close: 2 } })
  const spots = async (files: Readonly<Record<string, string>>) => {
    const { snapshots } = await take((writer) => importCboe([folderWith(files)], writer))
    return snapshots.map(({ chain }) => chain.spot)
  }
  expect(await spots({ '1.json': late, '2.json': early })).toEqual([2])
  expect(await spots({ '1.json': early, '2.json': late })).toEqual([1, 2]) // what is written last counts
})

test('a payload taken while the session ran is a snapshot of its moment and makes no bar', async () => {
  const option = cboeOption('SPY260731C00730000', { last_trade_time: '2026-07-29T11:00:10' })
  const running = cboePayload({
    timestamp: '2026-07-29 15:15:12',
    underlying: { last_trade_time: '2026-07-29T11:00:12' },
    options: [option]
  })
  const { snapshots, bars } = await take((writer) =>
    importCboe([join(folderWith({ 'a.json': running }), 'a.json')], writer)
  )
  expect(snapshots.map(({ chain }) => [iso(chain.asOf), chain.delay])).toEqual([['2026-07-29T15:00:12.000Z', 900]])
  expect(bars).toEqual([])
})

test('a file that is no payload goes to the report, and the others are imported', async () => {
  const folder = folderWith({ 'a.json': '{"half": ', 'b.json': cboePayload(), 'c.json.gz': 'not packed' })
  const { snapshots, rejections } = await take((writer) => importCboe([folder], writer))
  expect(snapshots).toHaveLength(1)
  expect(rejections.map(({ file, line }) => [file, line])).toEqual([
    [join(folder, 'a.json'), undefined],
    [join(folder, 'c.json.gz'), undefined]
  ])
  expect(rejections[0].reason).toBe('the Cboe payload cannot be used: it is not JSON, or not all of it')
})

test('a packed payload that is damaged is reported as that, not as bad JSON', async () => {
  const whole = gzipSync(cboePayload())
  const other = Buffer.from(whole)
  other[whole.length - 5] ^= 1 // in the checksum
  const folder = folderWith({ 'a.json.gz': whole.subarray(0, -20), 'b.json.gz': other, 'c.json.gz': whole })
  const { snapshots, rejections } = await take((writer) => importCboe([folder], writer))
  expect(snapshots).toHaveLength(1)
  expect(rejections).toEqual([
    { file: join(folder, 'a.json.gz'), line: undefined, reason: 'unexpected end of file', outcome: 'refused' },
    { file: join(folder, 'b.json.gz'), line: undefined, reason: 'incorrect data check', outcome: 'refused' }
  ])
})

test('a packed payload is read whole, whatever size it states: packed in two pieces it states that of the last', async () => {
  const text = cboePayload({ symbol: 'QQQ', options: Array(3000).fill(cboeOption('QQQ260731C00730000')) })
  const packed = Buffer.concat([text.slice(0, -50), text.slice(-50)].map((piece) => gzipSync(piece)))
  const { snapshots, rejections } = await take((writer) => importCboe([folderWith({ 'a.json.gz': packed })], writer))
  expect(snapshots.map(({ chain }) => chain.symbol)).toEqual(['QQQ'])
  expect(rejections).toEqual([])
})

test('more files than are read ahead come in their order', async () => {
  const symbols = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const files = symbols.map((symbol) => [`${symbol}.json`, cboePayload({ symbol, options: [] })])
  const { snapshots, notes } = await take((writer) => importCboe([folderWith(Object.fromEntries(files))], writer))
  expect(snapshots.map(({ chain }) => chain.symbol)).toEqual(symbols)
  const progress = notes.flatMap((note) => (note.kind === 'progress' ? [note.done / note.total] : []))
  expect(progress).toEqual(progress.toSorted())
  expect(progress.at(-1)).toBe(1)
})

test('a path that is not there, or a folder without payloads, is told at once', async () => {
  const empty = folderWith({})
  await expect(take((writer) => importCboe([join(empty, 'no')], writer))).rejects.toThrow('cannot be opened')
  await expect(take((writer) => importCboe([empty], writer))).rejects.toThrow(
    'there is no file to import in the folder'
  )
})

test('it stops between two files when it is told to', async () => {
  const stopping = new AbortController()
  const folder = folderWith({ 'a.json': cboePayload(), 'b.json': cboePayload(qqq) })
  const { snapshots } = await take((writer) => importCboe([folder], writer), {
    signal: stopping.signal,
    onSnapshot: () => stopping.abort()
  })
  expect(snapshots).toHaveLength(1)
})

const folder = recordedPayloads()

describe.skipIf(folder === undefined)('the recorded payloads', () => {
  test('are ten sessions: the one fetched again a day later is the session before', async () => {
    const { snapshots, bars, rejections, tally } = await take((writer) => importCboe([folder!], writer))
    const written = new Map(snapshots.map(({ chain }) => [`${chain.symbol} ${iso(chain.asOf)}`, chain]))
    expect([...written].map(([name, { size }]) => `${name} ${size}`).sort()).toEqual([
      'SPX 2026-07-30T20:00:00.000Z 29210',
      'SPX 2026-07-31T20:00:00.000Z 29082',
      'SPY 2022-07-12T20:00:00.000Z 9208',
      'SPY 2026-07-22T20:00:00.000Z 13592',
      'SPY 2026-07-28T20:00:00.000Z 14032',
      'SPY 2026-07-29T20:00:00.000Z 14024',
      'SPY 2026-07-30T20:00:00.000Z 14092',
      'SPY 2026-07-31T20:00:00.000Z 14398',
      'SPY 2026-08-03T20:00:00.000Z 13958',
      'SPY 2026-08-04T20:00:00.000Z 13944'
    ])
    expect(written.get('SPY 2026-07-29T20:00:00.000Z')?.spot).toBe(729.46)
    expect(new Set(bars.map(([symbol, { date }]) => `${symbol} ${date}`)).size).toBe(10)
    expect(rejections).toEqual([])
    expect(tally.snapshots).toBeLessThanOrEqual(11)
  })
})
