import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { earningsFields, importEarnings } from '../../src/imports/import-earnings.ts'
import { parseColumnMap } from '../../src/imports/tables/column-map.ts'
import { eventsKnownAt, isReported } from '../../src/market/earnings.ts'
import type { Ticker } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'
import { folderWith, noParquet, take } from './take.ts'

const now = eastern('2026-07-01', '12:00')

function imported(path: string, { map, symbol }: { map?: string; symbol?: string } = {}) {
  const columns = map === undefined ? undefined : parseColumnMap(map, earningsFields)
  const options = { columns, symbol: symbol as Ticker | undefined, archive: { writeTableText: noParquet }, now }
  return take((writer) => importEarnings([path], options, writer))
}

test('a row that says since when counts from then on, with everything it states', async () => {
  const { earnings, rejections } = await imported(
    folderWith({
      'all.csv':
        'symbol,date,hour,quarter,year,epsEstimate,epsActual,revenueActual,importance,confirmed,company,updatedAt\n' +
        'KO,2026-07-21,bmo,2,2026,"$0.80",,,4,true,Coca-Cola,2026-06-15T12:00:00Z\n' +
        'D,2026-07-22,time-not-supplied,,,($0.20),N/A,"$1,250,000",9,,,2026-07-22\n'
    })
  )
  expect(rejections).toEqual([])
  expect(earnings).toEqual([
    {
      symbol: 'KO',
      date: '2026-07-21',
      timing: 'bmo',
      company: 'Coca-Cola',
      confirmed: true,
      fiscalPeriod: 'Q2',
      fiscalYear: 2026,
      importance: 4,
      epsEstimate: 0.8,
      epsActual: undefined,
      revenueEstimate: undefined,
      revenueActual: undefined,
      knownFrom: Date.parse('2026-06-15T12:00:00Z')
    },
    expect.objectContaining({
      symbol: 'D',
      timing: undefined,
      epsEstimate: -0.2,
      epsActual: undefined,
      revenueActual: 1_250_000,
      importance: undefined,
      knownFrom: eastern('2026-07-23', '00:00')
    })
  ])
})

test('without it dates count from 30 days before or from now on, figures once they were out', async () => {
  const { earnings } = await imported(
    folderWith({
      'KO_earnings.csv':
        'Earnings Date,EPS Estimate,Reported EPS\n2026-04-28 08:00:00-04:00,0.7,0.75\n2026-10-20,0.9,\n'
    })
  )
  expect(earnings.map(({ date, timing, epsActual, knownFrom }) => ({ date, timing, epsActual, knownFrom }))).toEqual([
    { date: '2026-04-28', timing: 'bmo', epsActual: undefined, knownFrom: eastern('2026-03-29', '00:00') },
    { date: '2026-04-28', timing: 'bmo', epsActual: 0.75, knownFrom: eastern('2026-04-28', '09:30') },
    { date: '2026-10-20', timing: undefined, epsActual: undefined, knownFrom: now }
  ])
})

test.each([
  ['1630', 'amc'],
  ['07:30', 'bmo'],
  ['12:00', 'dmh'],
  ['before market open', 'bmo'],
  ['after market close', 'amc'],
  ['time-pre-market', 'bmo'],
  ['time-after-hours', 'amc'],
  ['soon', undefined]
])('a time of %s is %s', async (time, timing) => {
  const { earnings } = await imported(folderWith({ 'KO.csv': `date,time\n2026-10-20,${time}\n` }))
  expect(earnings[0].timing).toBe(timing)
})

test('rows that cannot be used are reported, the others are taken', async () => {
  const { earnings, rejections } = await imported(
    folderWith({
      'KO.csv': 'date,eps_actual,known_at\nsoon,,\n2026-04-28,much,\n2026-04-28,1,yesterday\n2026-04-28,1,\n'
    })
  )
  expect(rejections.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'its date is "soon"'],
    [3, 'its figure is "much"'],
    [4, 'its moment is "yesterday"']
  ])
  expect(earnings).toHaveLength(2)
})

test('a table without dates, and one that says no symbol, are refused as a whole', async () => {
  const { rejections } = await imported(
    folderWith({ 'KO.csv': 'symbol,eps\nKO,1\n', 'some words.csv': 'date\n2026-04-28\n' })
  )
  expect(rejections.map(({ reason }) => reason).sort()).toEqual([
    expect.stringContaining('no column fills date'),
    expect.stringContaining('nothing says which symbol')
  ])
})

const recorded = resolve(import.meta.dirname, '../../../shared/data/earnings')

test.skipIf(!existsSync(recorded))('the recorded calendars of AAPL and NVDA are read in full', async () => {
  const { earnings, rejections } = await imported(recorded)
  expect(rejections).toEqual([])
  for (const symbol of ['AAPL', 'NVDA']) {
    const mine = earnings.filter((statement) => statement.symbol === symbol)
    const events = eventsKnownAt(mine, now)
    expect(events.filter(isReported).length).toBeGreaterThan(35)
    expect(events.filter(({ timing }) => timing === 'amc').length).toBeGreaterThan(0.8 * events.length)
    const before = eventsKnownAt(mine, eastern('2025-08-01', '12:00'))
    expect(before.at(-1)!.date < '2025-09-01').toBe(true)
  }
})
if (!existsSync(recorded)) console.log('skipped: the recorded calendars are not beside the project')
