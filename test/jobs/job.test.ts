import { expect, test } from 'vitest'
import { importFormatNames, importFormats } from '../../src/imports/import-formats.ts'
import { readJob } from '../../src/jobs/job.ts'

test('a job is read from JSON and is the same plain data', () => {
  const imported = { work: 'import', format: 'csv', paths: ['/a.csv'], map: 'a=date', symbol: 'spy' }
  expect(readJob(imported)).toEqual({ ...imported, symbol: 'SPY' })
  const backfill = { work: 'backfill', days: 3, symbols: ['SPY', 'spy', 'QQQ'], every: 60_000 }
  expect(readJob(backfill)).toEqual({ ...backfill, symbols: ['SPY', 'QQQ'] })
  const taped = { ...backfill, symbols: ['SPY', 'QQQ'], tapes: ['QQQ'] }
  expect(readJob({ ...taped, tapes: ['qqq', 'QQQ'] })).toEqual(taped)
  expect(readJob({ ...backfill, symbols: ['SPXW', 'SPX', 'ruTW', 'XSP'] })).toMatchObject({
    symbols: ['SPX', 'RUT', 'XSP']
  })
  const accuracy = { work: 'accuracy', symbols: ['SPY'], sessions: 20 }
  expect(readJob({ ...accuracy, symbols: ['spy', 'SPY'] })).toEqual(accuracy)
  const exported = { work: 'export', symbol: 'SPY', from: '2024-01-05', to: '2024-01-08', format: 'csv', path: '/x' }
  expect(readJob(exported)).toEqual(exported)
})

test.each([
  [
    { work: 'export', what: 'greeks', symbol: 'SPY', from: '2024-01-05', to: '2024-01-05', path: '/x' },
    'what must be one of quotes, prints, series, lean, levels, summary, gex, volatility, flow, signals'
  ],
  [
    { work: 'export', what: 'gex', symbol: 'SPY', from: '2024-01-05', to: '2024-01-05', format: 'arrow', path: '/x' },
    'format of gex must be one of jsonl, csv'
  ],
  [{ work: 'backfill', days: 1, symbols: ['SPY'], every: 60_000, asOf: 'now' }, 'asOf must be a moment'],
  [null, 'work must be import, backfill, export or accuracy'],
  [{ work: 'delete' }, 'work must be import, backfill, export or accuracy'],
  [{ work: 'import', format: 'xls', paths: ['/a'] }, 'format must be one of cboe, lean, csv, daily'],
  [{ work: 'import', format: 'cboe', paths: [] }, 'name the files or folders to import'],
  [{ work: 'import', format: 'cboe', paths: ['/a\0b'] }, 'name the files or folders to import'],
  [{ work: 'import', format: 'cboe', paths: ['/a'], map: 'x' }, 'cboe files have one layout: they take no column map'],
  [{ work: 'import', format: 'csv', paths: ['/a'], symbol: 'not one' }, '"not one" is no ticker'],
  [
    { work: 'backfill', days: 1, symbols: ['SPY'], every: 60_000, tapes: ['QQQ'] },
    'tapes can be made of the symbols of the work alone: QQQ is none'
  ],
  [{ work: 'backfill', days: 1, symbols: ['SPY'], every: 60_000, tapes: 'all' }, 'tapes must be tickers'],
  [{ work: 'accuracy', sessions: 0 }, 'sessions must be a whole number from 1 to 3000'],
  [{ work: 'backfill', days: 0, symbols: ['SPY'], every: 60_000 }, 'days must be a whole number from 1 to 3000'],
  [{ work: 'backfill', days: 1, symbols: [], every: 60_000 }, 'symbols must be 1 to 1000 tickers'],
  [{ work: 'backfill', days: 1, symbols: ['SPY'], every: 10 }, 'the step must be from a second to a day'],
  [
    { work: 'export', symbol: 'SPY', from: '2024-1-5', to: '2024-01-05', format: 'csv', path: '/x' },
    'from and to must be dates, yyyy-MM-dd'
  ],
  [
    { work: 'export', symbol: 'SPY', from: '2024-01-06', to: '2024-01-07', format: 'csv', path: '/x' },
    'there is no session from 2024-01-06 to 2024-01-07'
  ],
  [
    { work: 'export', symbol: 'SPY', from: '2024-01-05', to: '2024-01-05', format: 'xml', path: '/x' },
    'format must be one of csv, parquet, arrow'
  ]
])('%j is refused in a sentence', (order, sentence) => {
  expect(() => readJob(order)).toThrow(sentence)
})

test.each(
  importFormatNames
)('an import of %s takes the options that its format declares, and refuses the others', (format) => {
  const given = { map: 'a=date', symbol: 'SPY', conditions: '13=late' }
  for (const [option, value] of Object.entries(given)) {
    const read = () => readJob({ work: 'import', format, paths: ['/a'], [option]: value })
    if (importFormats[format].takes.some((taken) => taken === option)) expect(read()).toMatchObject({ [option]: value })
    else expect(read).toThrow(`${format} files`)
  }
})
