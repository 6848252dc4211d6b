import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Note } from '../../src/imports/import-writer.ts'
import type { PastFigures } from '../../src/jobs/export-figures.ts'
import { type ExportOptions, exportFile } from '../../src/jobs/export-file.ts'
import { type ExportJob, type FigureExport, JobError } from '../../src/jobs/job.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { folderWith, iso } from '../imports/take.ts'

const jobTo = (path: string): ExportJob => ({
  work: 'export',
  symbol: 'SPY' as Ticker,
  from: '2024-03-08' as IsoDate,
  to: '2024-03-11' as IsoDate,
  format: 'csv',
  path
})
const going = new AbortController().signal
const ignore = () => {}

const day = {
  date: '2024-03-08' as IsoDate,
  snapshots: 1,
  last: 0,
  hasUnderlying: true,
  hasOptions: true,
  hasOpenInterest: true,
  hasFit: true,
  hasTape: false,
  fidelity: 'recorded',
  missing: []
} as const

/** Exports from an archive that has SPY on the first of the two days. */
function exported(
  job: ExportJob,
  store: Partial<ExportOptions['store']>,
  signal = going,
  more: Partial<ExportOptions> = {}
): Promise<number> {
  const whole: ExportOptions['store'] = {
    coverage: async (symbol) => ({ symbol, days: [day], updatedAt: 0 }),
    symbols: async () => ['SPY' as Ticker],
    moments: async () => [],
    snapshot: async () => undefined,
    bars: async () => [],
    exportQuotes: () => Promise.reject(new Error('not asked for')),
    exportPrints: () => Promise.reject(new Error('not asked for')),
    exportFigures: () => Promise.reject(new Error('not asked for')),
    waitingFigures: async () => [],
    tapedSessions: async () => [],
    ...store
  }
  return exportFile(job, { store: whole, onSize: ignore, onNote: ignore, signal, ...more })
}

test('the file has its name once it is whole, and holds both days in New York time', async () => {
  const folder = folderWith({})
  const path = join(folder, 'spy.csv')
  const asked: unknown[] = []
  const store = {
    async exportQuotes({ from, to, ...rest }: { from: number; to: number }, target: string) {
      asked.push({ from: iso(from), to: iso(to), ...rest })
      expect(target).not.toBe(path)
      expect(existsSync(path)).toBe(false)
      writeFileSync(target, 'rows')
    }
  }
  expect(await exported(jobTo(path), store)).toBe(4)
  expect(readFileSync(path, 'utf8')).toBe('rows')
  // Daylight time began on the Sunday in between.
  expect(asked).toEqual([
    { symbol: 'SPY', format: 'csv', from: '2024-03-08T05:00:00.000Z', to: '2024-03-12T04:00:00.000Z' }
  ])
})

test('figures over time are written as the database has them, and those that wait to be made are told of', async () => {
  const path = join(folderWith({}), 'spy.csv')
  const notes: Note[] = []
  const first = Date.parse('2024-03-08T05:00:00Z')
  const store: Partial<ExportOptions['store']> = {
    async exportFigures({ from, to, fields, format }, target) {
      expect([iso(from), iso(to), format]).toEqual(['2024-03-08T05:00:00.000Z', '2024-03-12T03:59:59.999Z', 'csv'])
      expect(fields).toContain('zero_dte.pin_score')
      writeFileSync(target, 'rows')
    },
    waitingFigures: async () => [
      { symbol: 'SPY' as Ticker, date: '2024-03-08' as IsoDate, moments: [first - 1, first, first + 1] }
    ]
  }
  const onNote = (note: Note) => void notes.push(note)
  expect(await exported({ ...jobTo(path), what: 'series', format: 'csv' }, store, going, { onNote })).toBe(4)
  expect(notes).toEqual([{ kind: 'warning', text: expect.stringMatching(/^2 snapshots are left out/) }])
})

test('prints are written of the sessions that have a tape, whether quotes were recorded or not', async () => {
  const folder = folderWith({})
  const job = (path: string): ExportJob => ({ ...jobTo(join(folder, path)), what: 'prints', format: 'parquet' })
  const asked: unknown[] = []
  const store = (...dates: readonly string[]) => ({
    coverage: async () => undefined,
    tapedSessions: async () => dates as readonly IsoDate[],
    async exportPrints(request: unknown, target: string) {
      asked.push(request)
      writeFileSync(target, 'prints')
    }
  })
  expect(await exported(job('a'), store('2024-03-11'))).toBe(6)
  expect(asked).toEqual([{ symbol: 'SPY', format: 'parquet', from: '2024-03-08', to: '2024-03-11' }])
  await expect(exported(job('b'), store())).rejects.toThrow('no prints of options on SPY were ever recorded')
  await expect(exported(job('b'), store('2024-03-01', '2024-03-04'))).rejects.toThrow(
    'no prints of options on SPY were recorded from 2024-03-08 to 2024-03-11; the history has them from 2024-03-01'
  )
})

test('a file that is there is not written over', async () => {
  const folder = folderWith({ 'spy.csv': 'mine' })
  const store = { exportQuotes: async () => {} }
  await expect(exported(jobTo(join(folder, 'spy.csv')), store)).rejects.toThrow('is there already')
  expect(readFileSync(join(folder, 'spy.csv'), 'utf8')).toBe('mine')
})

test('an export that fails or is ended leaves nothing behind', async () => {
  const folder = folderWith({})
  const failing = {
    async exportQuotes(_request: unknown, target: string) {
      writeFileSync(target, 'half')
      throw new Error('the disk is full')
    }
  }
  await expect(exported(jobTo(join(folder, 'a')), failing)).rejects.toThrow('the disk is full')
  const ended = { exportQuotes: async (_request: unknown, target: string) => writeFileSync(target, 'rows') }
  expect(await exported(jobTo(join(folder, 'b')), ended, AbortSignal.abort())).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})

test('a place where no file can be written is told in a sentence, and no folder is made', async () => {
  const folder = folderWith({})
  const store = { exportQuotes: () => Promise.reject(new Error('not asked for')) }
  const refused = exported(jobTo(join(folder, 'typo', 'spy.csv')), store)
  await expect(refused).rejects.toThrow(JobError)
  await expect(refused).rejects.toThrow('the file cannot be written: ENOENT')
  expect(readdirSync(folder)).toEqual([])
})

test('an export of nothing fails with the reason, and no file of headings is left', async () => {
  const folder = folderWith({})
  const job = jobTo(join(folder, 'spy.csv'))
  const coverage = (days: readonly unknown[]) => ({
    coverage: async (symbol: Ticker) => ({ symbol, days, updatedAt: 0 }) as never
  })
  const later = { ...day, date: '2024-04-02' }
  await expect(exported(job, { coverage: async () => undefined })).rejects.toThrow(
    'nothing of SPY was ever recorded; the history has SPY'
  )
  await expect(exported(job, { coverage: async () => undefined, symbols: async () => [] })).rejects.toThrow(
    'nothing of SPY was ever recorded; the history is empty'
  )
  await expect(exported(job, coverage([later, { ...later, date: '2024-04-03' }]))).rejects.toThrow(
    'nothing of SPY was recorded from 2024-03-08 to 2024-03-11; the history has it on 2 days from 2024-04-02 to 2024-04-03'
  )
  await expect(exported(job, coverage([{ ...day, hasOptions: false }]))).rejects.toThrow(
    'no options of SPY were recorded from 2024-03-08 to 2024-03-11: its level alone was'
  )
  expect(readdirSync(folder)).toEqual([])
})

describe('figures', () => {
  const minute = (hour: string) => Date.parse(`2024-03-08T${hour}:00Z`)
  const moments = ['14:00', '14:31', '14:32', '21:00'].map((hour) => ({
    asOf: minute(hour),
    fidelity: 'recorded' as const
  }))
  const levels = (path: string, format: 'jsonl' | 'csv') => ({ ...jobTo(path), what: 'levels', format }) as FigureExport
  const figures: PastFigures = {
    figureColumns: async () => ['symbol', 'as_of', 'levels.gamma_flip', 'levels.call_wall'],
    figuresAt: async (_what, symbol, at) =>
      at === minute('14:32')
        ? { refused: 'no options are listed' }
        : {
            body: `{"symbol":"${symbol}","as_of":"${new Date(at).toISOString()}","levels":{"gamma_flip":0.1,"call_wall":null}}`
          }
  }

  test('are the answers about every recorded moment of a session, one in each line', async () => {
    const path = join(folderWith({}), 'levels.jsonl')
    const notes: Note[] = []
    const more = { figures, onNote: (note: Note) => void notes.push(note) }
    await exported(levels(path, 'jsonl'), { moments: async () => moments }, going, more)
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).as_of)).toEqual([
      '2024-03-08T14:31:00.000Z',
      '2024-03-08T21:00:00.000Z'
    ])
    expect(notes).toEqual([
      {
        kind: 'warning',
        text: '1 of 3 moments have no levels, the first at 2024-03-08T09:32:00: no options are listed'
      }
    ])
  })

  test('are a table with a column for each single figure where CSV is asked for', async () => {
    const path = join(folderWith({}), 'levels.csv')
    await exported(levels(path, 'csv'), { moments: async () => moments.slice(0, 2) }, going, { figures })
    expect(readFileSync(path, 'utf8')).toBe(
      'symbol,as_of,levels.gamma_flip,levels.call_wall\nSPY,2024-03-08T14:31:00.000Z,0.1,\n'
    )
  })

  test('of moments without a single answer are refused with the reason', async () => {
    const folder = folderWith({})
    const refused = exported(levels(join(folder, 'x'), 'csv'), { moments: async () => [moments[2]] }, going, {
      figures
    })
    await expect(refused).rejects.toThrow(
      'there is no levels of SPY to write: 2024-03-08T09:32:00: no options are listed'
    )
    expect(readdirSync(folder)).toEqual([])
  })
})
