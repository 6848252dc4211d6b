import { expect, test } from 'vitest'
import { createProgress, outcomeText, progressText, remainder } from '../../../src/cli/history/job-progress.ts'
import type { Note, Tally } from '../../../src/imports/import-writer.ts'
import { emptyTally } from '../../../src/imports/import-writer.ts'
import type { Job } from '../../../src/jobs/job.ts'

const tally: Tally = {
  snapshots: 210,
  rows: 1_234_567,
  bars: 1,
  dividends: 0,
  splits: 0,
  earnings: 0,
  prints: 0,
  tapes: 0,
  rejected: 0,
  leftOut: 0,
  doubted: 0,
  marked: 0,
  kept: 0
}
const at = (done: number, total: number, counts: Tally = tally): Extract<Note, { kind: 'progress' }> => {
  return { kind: 'progress', what: '/recordings/GOOG 2015-12-24', done, total, tally: counts }
}

test('a line says what is at work, how far, how fast and how long it should take', () => {
  expect(progressText(at(25, 100), 4)).toBe('GOOG 2015-12-24  25 %  1,234,567 rows  308,642 rows/s  12 s left')
  expect(progressText(at(1, 100), 60)).toContain('1 h 39 min left')
  expect(progressText(at(50, 100), 600)).toContain('10 min left')
  expect(progressText(at(25, 100, { ...tally, rejected: 3 }), 0.5)).toBe(
    'GOOG 2015-12-24  25 %  1,234,567 rows  3 not usable'
  )
  expect(progressText(at(12_345_678, 0), 4)).toBe('GOOG 2015-12-24  12.3 MB')
})

test('one line is written again and again where somebody watches, and cleared at the end', () => {
  let clock = 0
  const shown: string[] = []
  const progress = createProgress({ rewrite: (line) => shown.push(line), err: expect.unreachable }, () => clock)
  for (clock = 100; clock <= 1000; clock += 100) progress.show(at(clock, 1000))
  progress.end()
  expect(shown).toHaveLength(6) // the first at once, then every 200 ms, then the end
  expect(shown.at(-1)).toBe('')
})

test('the time left is that of the stage at work, whose unit may be another one', () => {
  let clock = 0
  const shown: string[] = []
  const progress = createProgress({ rewrite: (line) => shown.push(line), err: expect.unreachable }, () => clock)
  for (clock = 1000; clock <= 100_000; clock += 1000) progress.show(at(clock, 100_000))
  for (let done = 0; done <= 10; done++, clock += 1000) progress.show(at(done, 161))
  expect(shown.at(-1)).toBe('GOOG 2015-12-24  6 %  1,234,567 rows  3 min left')
})

test('a log gets a line now and then', () => {
  let clock = 0
  const lines: string[] = []
  const progress = createProgress({ err: (line) => lines.push(line) }, () => clock)
  for (clock = 0; clock <= 30_000; clock += 100) progress.show(at(clock, 30_000))
  progress.end()
  expect(lines).toHaveLength(3)
})

test('the outcome is one sentence', () => {
  const imported: Job = { work: 'import', format: 'cboe', paths: ['/a'] }
  expect(outcomeText(imported, { complete: true, tally, bytes: undefined })).toBe(
    '210 snapshots of 1,234,567 contracts, 1 daily bars written'
  )
  const leftOut = { ...tally, leftOut: 1000 }
  expect(outcomeText(imported, { complete: true, tally: leftOut, bytes: undefined })).toContain(
    ', 1,000 rows left out by rule'
  )
  expect(
    outcomeText(
      { work: 'backfill', days: 1, symbols: [], every: 1 },
      { complete: true, tally: leftOut, bytes: undefined }
    )
  ).toContain(', 1,000 snapshots were there')
})

test('an interrupted export does not claim that anything stays', () => {
  const exported = { work: 'export', symbol: 'SPY', from: '', to: '', format: 'csv', path: '/a' } as unknown as Job
  expect(remainder(exported)).toBe('the file is not written')
  expect(remainder({ work: 'import', format: 'cboe', paths: ['/a'] })).toContain('run the same command to continue')
})

test('rows that are read count until the first one is written', () => {
  const note = {
    kind: 'progress',
    what: 'a.csv 2024-03-05',
    done: 25,
    total: 100,
    tally: emptyTally,
    read: 9000
  } as const
  expect(progressText(note, 3)).toBe('a.csv 2024-03-05  25 %  9,000 rows read  3,000 rows/s  9 s left')
  const written = { ...note, tally: { ...emptyTally, rows: 600 } }
  expect(progressText(written, 3)).toBe('a.csv 2024-03-05  25 %  600 rows  200 rows/s  9 s left')
})
