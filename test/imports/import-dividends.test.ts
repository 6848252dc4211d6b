import { describe, expect, test } from 'vitest'
import { outcomeText } from '../../src/cli/history/job-progress.ts'
import { dividendFields, importDividends } from '../../src/imports/import-dividends.ts'
import { parseColumnMap } from '../../src/imports/tables/column-map.ts'
import { readJob } from '../../src/jobs/job.ts'
import { runJob } from '../../src/jobs/run-job.ts'
import { serviceJobs } from '../../src/jobs/service-jobs.ts'
import { knownFrom } from '../../src/market/dividend.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { jobStore } from '../support/job-store.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'
import { folderWith, noParquet, take } from './take.ts'

function imported(
  files: Readonly<Record<string, string>>,
  { map, symbol, signal }: { map?: string; symbol?: string; signal?: AbortSignal } = {}
) {
  const columns = map === undefined ? undefined : parseColumnMap(map, dividendFields)
  const archive = { writeTableText: noParquet }
  return take(
    (writer) =>
      importDividends([folderWith(files)], { columns, symbol: symbol as Ticker | undefined, archive }, writer),
    signal && { signal }
  )
}

const paid = (symbol: string, exDate: string, amount: number, declared?: string) => [
  symbol,
  { exDate, amount, knownFrom: knownFrom(exDate as IsoDate, declared as IsoDate | undefined) }
]

test.each([
  ['our own names', 'KO.csv', 'ex_date,amount,declared\n2026-06-12,0.53,2026-04-23\n', ['2026-04-23']],
  ['a list of closes and dividends by day', 'KO.csv', 'Date,Dividends\n2026-06-12,0.53\n', []],
  [
    'dates of all kinds, month first',
    'history.csv',
    'symbol,Ex/EFF Date,Type,Cash Amount,Declaration Date\nKO,06/12/2026,CASH,$0.53,04/23/2026\n',
    ['2026-04-23']
  ],
  [
    'a ticker, and the adjusted amount beside the one that was paid',
    'all.csv',
    'ticker,ex_dividend_date,adj_dividend,dividend,declaration_date\nKO,2026-06-12,0.265,0.53,2026-04-23\n',
    ['2026-04-23']
  ],
  [
    'no declaration, in the words of a vendor',
    'KO_dividends.csv',
    'ex_dividend_date,declaration_date,record_date,payment_date,amount\n2026-06-12,None,2026-06-12,2026-07-01,0.53\n',
    []
  ]
] as const)('a table is read by its heading: %s', async (_, file, text, declared) => {
  const { dividends, rejections, tally } = await imported({ [file]: text })
  expect(rejections).toEqual([])
  expect(dividends).toEqual([paid('KO', '2026-06-12', 0.53, ...declared)])
  expect(tally.dividends).toBe(1)
})

test('a map and a symbol say what no heading says', async () => {
  const text = 'when,cents\n2026-06-12,53\n'
  const { dividends } = await imported({ 'payments.csv': text }, { map: 'when=ex_date,cents=amount/100', symbol: 'KO' })
  expect(dividends).toEqual([paid('KO', '2026-06-12', 0.53)])
})

test('of one ex-date a regular and a special dividend both count, the same row twice counts once', async () => {
  const rows = ['COST,2024-01-05,1.02,2023-12-14', 'COST,2024-01-05,15,2023-12-14', 'COST,2024-01-05,1.02,2023-12-14']
  const { dividends } = await imported({ 'a.csv': ['symbol,ex_date,amount,declared', ...rows].join('\n') })
  expect(dividends).toEqual([
    paid('COST', '2024-01-05', 1.02, '2023-12-14'),
    paid('COST', '2024-01-05', 15, '2023-12-14')
  ])
})

test('rows of no session, without an amount or with dates that are none go to the report', async () => {
  const rows = [
    'KO,2026-06-13,1,',
    'KO,2026-06-12,,',
    'KO,2026-06-12,-1,',
    'KO,soon,1,',
    ',2026-06-12,1,',
    'KO,2026-06-12,1,soon'
  ]
  const { dividends, rejections } = await imported({ 'a.csv': ['symbol,ex_date,amount,declared', ...rows].join('\n') })
  expect(dividends).toEqual([])
  expect(rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    '2: there was no session on 2026-06-13',
    '3: its amount is ""',
    '4: its amount is "-1"',
    '5: its ex-date is "soon"',
    '6: its symbol is ""',
    '7: its declaration date is "soon"'
  ])
})

test('a table that says too little is given up with what it lacks', async () => {
  const { rejections } = await imported({ 'KO.csv': 'ex_date,yield\n', 'every dividend.csv': 'ex_date,amount\n' })
  expect(rejections.map(({ reason }) => reason).sort()).toEqual([
    'no column fills amount',
    'nothing says which symbol it is of: give --symbol'
  ])
})

test('of a table that was not read to its end nothing is written', async () => {
  const { dividends } = await imported(
    { 'KO.csv': 'ex_date,amount\n2026-06-12,0.53\n' },
    { signal: AbortSignal.abort() }
  )
  expect(dividends).toEqual([])
})

describe('as a job', () => {
  test('writes into the archive, and the service is told', async () => {
    const memory = memoryStore()
    const notified: string[] = []
    const prepare = serviceJobs({
      runJob,
      history: { store: jobStore(memory) },
      synthetic: true,
      seed: 1,
      assumptions: madeUpAssumptions,
      now: () => 0,
      onDays: (symbol, written) => notified.push(`${written} of ${symbol}`)
    })
    const folder = folderWith({ 'KO.csv': 'ex_date,amount\n2026-06-12,0.53\n' })
    const job = { work: 'import', format: 'dividends', paths: [folder] } as const
    const outcome = await prepare(job)({ onNote: () => {}, signal: new AbortController().signal })
    expect(outcome.complete).toBe(true)
    expect(outcomeText(job, outcome)).toBe('1 dividends written')
    expect(await memory.dividends('KO' as Ticker, Number.POSITIVE_INFINITY)).toEqual([
      paid('KO', '2026-06-12', 0.53)[1]
    ])
    expect(notified).toEqual(['dividends of KO'])
  })

  test('takes a map and a symbol', () => {
    const job = { work: 'import', format: 'dividends', paths: ['/a.csv'], map: 'a=amount', symbol: 'KO' }
    expect(readJob(job)).toMatchObject(job)
  })
})

test.each([
  'currency',
  'adr_currency_paid',
  'Dividend Currency',
  'ccy'
])('a dividend in another currency is refused, since amounts are read in USD: %s', async (heading) => {
  const rows = [
    'TSM,2026-06-12,5.5,TWD',
    'KO,2026-06-12,0.53,USD',
    'PEP,2026-06-12,1.4,',
    'KO,2026-09-14,0.53,US Dollar',
    'KO,2026-03-13,0.51,US Dollars'
  ]
  const { dividends, rejections } = await imported({
    'all.csv': `ticker,ex_date,cash_amount,${heading}\n${rows.join('\n')}\n`
  })
  expect(dividends).toEqual([
    paid('KO', '2026-06-12', 0.53),
    paid('KO', '2026-09-14', 0.53),
    paid('KO', '2026-03-13', 0.51),
    paid('PEP', '2026-06-12', 1.4)
  ])
  expect(rejections.map(({ line, reason }) => `${line}: ${reason}`)).toEqual(['2: its currency is "TWD"'])
})

test('an amount in another currency is refused', async () => {
  const { dividends, rejections } = await imported({ 'SAP.csv': 'ex_date,amount\n2026-06-12,€2.20\n' })
  expect([dividends, rejections.map(({ reason }) => reason)]).toEqual([[], ['its amount is "€2.20"']])
})
