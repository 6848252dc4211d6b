import { describe, expect, test } from 'vitest'
import { outcomeText } from '../../src/cli/history/job-progress.ts'
import { importSplits, splitFields } from '../../src/imports/import-splits.ts'
import { ratioText, splitRatio } from '../../src/imports/split-ratio.ts'
import { parseColumnMap } from '../../src/imports/tables/column-map.ts'
import { readJob } from '../../src/jobs/job.ts'
import { runJob } from '../../src/jobs/run-job.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { jobStore } from '../support/job-store.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'
import { folderWith, noParquet, take } from './take.ts'

function imported(files: Readonly<Record<string, string>>, { map, symbol }: { map?: string; symbol?: string } = {}) {
  const columns = map === undefined ? undefined : parseColumnMap(map, splitFields)
  const options = { columns, symbol: symbol as Ticker | undefined, archive: { writeTableText: noParquet } }
  return take((writer) => importSplits([folderWith(files)], options, writer))
}

describe('a ratio', () => {
  test.each([
    ['4:1', 4],
    ['4/1', 4],
    ['4', 4],
    ['0.1', 0.1],
    ['1-for-10', 0.1],
    ['10-for-1', 10],
    ['3 for 2', 1.5],
    ['20 to 1', 20],
    ['1:8', 0.125],
    ['4.000000/1.000000', 4],
    ['10.0000', 10],
    ['10:1 Stock Splits', 10],
    ['1 new for 20 old', 0.05],
    ['1', 1]
  ])('%s is read', (text, ratio) => {
    expect(splitRatio(text)).toBe(ratio)
  })

  test.each([
    '',
    '0',
    '4:0',
    '0/1',
    '-4',
    '4:1:1',
    'four for one',
    '20000:1',
    '4:',
    'for',
    '2024-06-10'
  ])('%j is none', (text) => {
    expect(splitRatio(text)).toBeUndefined()
  })

  test('is written as people say it', () => {
    expect([10, 1.5, 0.1, 1 / 3].map(ratioText)).toEqual(['10 to 1', '1.5 to 1', '1 to 10', '1 to 3'])
  })
})

const nvda = [['NVDA', { date: '2024-06-10', ratio: 10 }]]

test.each([
  ['our own names', 'all.csv', 'symbol,date,ratio\nNVDA,2024-06-10,10:1\n'],
  ['a ticker and two counts', 'all.csv', 'execution_date,id,split_from,split_to,ticker\n2024-06-10,E1,1,10,NVDA\n'],
  ['a factor, the symbol in the name', 'NVDA_splits.csv', 'effective_date,split_factor\n2024-06-10,10.0000\n'],
  ['counts in words', 'NVDA.csv', 'date;fromFactor;toFactor\n2024-06-10;1;10\n'],
  [
    'a history of prices',
    'NVDA.csv',
    'Date,Close,Stock Splits\n2024-06-07 00:00:00-04:00,120.8,0.0\n2024-06-10 00:00:00-04:00,121.7,10.0\n'
  ],
  ['numerator and denominator', 'NVDA.csv', 'date,label,numerator,denominator\n2024-06-10,"June 10, 24",10,1\n']
])('a table is read with %s', async (_, name, text) => {
  const { splits, rejections } = await imported({ [name]: text })
  expect([splits, rejections]).toEqual([nvda, []])
})

test('a map names the columns, and --symbol the share', async () => {
  const { splits } = await imported(
    { 'x.csv': 'on,times\n2024-06-10,10\n' },
    { map: 'on=date,times=ratio', symbol: 'NVDA' }
  )
  expect(splits).toEqual(nvda)
})

test('rows that say nothing usable go to the report, the others are written', async () => {
  const { splits, rejections } = await imported({
    'all.csv': 'symbol,date,ratio\nNVDA,2024-06-10,10:1\n,2024-06-10,4\nKO,soon,4\nKO,2024-06-10,many\n'
  })
  expect(splits).toEqual(nvda)
  expect(rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    '3: its symbol is ""',
    '4: its date is "soon"',
    '5: its ratio is "many"'
  ])
})

test('a date with two ratios has none, and says so', async () => {
  const { splits, rejections } = await imported({
    'all.csv': 'symbol,date,ratio\nNVDA,2024-06-10,10\nNVDA,2024-06-10,4\nGE,2021-08-02,1:8\nGE,2021-08-02,0.125\n'
  })
  expect(splits).toEqual([['GE', { date: '2021-08-02', ratio: 0.125 }]])
  expect(rejections.map(({ reason }) => reason)).toEqual(['NVDA is split on 2024-06-10 by 10 and by 4'])
})

test('a table without a ratio is refused', async () => {
  const { rejections } = await imported({ 'NVDA.csv': 'date,close\n2024-06-10,1\n' })
  expect(rejections[0].reason).toBe('no column fills ratio')
})

test('a job writes the splits, and a ratio of 1 cancels one', async () => {
  const store = memoryStore()
  const run = async (text: string) => {
    const job = readJob({ work: 'import', format: 'splits', paths: [folderWith({ 'all.csv': text })] })
    const context = { store: jobStore(store), seed: 1, assumptions: madeUpAssumptions, now: Date.UTC(2024, 6, 1) }
    const outcome = await runJob(job, context, { onNote: () => {}, signal: new AbortController().signal })
    return outcomeText(job, outcome)
  }
  expect(await run('symbol,date,ratio\nNVDA,2021-07-20,4\nNVDA,2024-06-10,10\n')).toBe('2 splits written')
  await run('symbol,date,ratio\nNVDA,2021-07-20,1:1\n')
  expect(await store.splits('NVDA' as Ticker)).toEqual([{ date: '2024-06-10' as IsoDate, ratio: 10 }])
})
