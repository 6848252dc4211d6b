import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportQuotes } from '../../src/jobs/export.ts'
import { type ExportJob, JobError } from '../../src/jobs/job.ts'
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
  expect(await exportQuotes(jobTo(path), store, ignore, going)).toBe(4)
  expect(readFileSync(path, 'utf8')).toBe('rows')
  // Daylight time began on the Sunday in between.
  expect(asked).toEqual([
    { symbol: 'SPY', format: 'csv', from: '2024-03-08T05:00:00.000Z', to: '2024-03-12T04:00:00.000Z' }
  ])
})

test('a file that is there is not written over', async () => {
  const folder = folderWith({ 'spy.csv': 'mine' })
  const store = { exportQuotes: async () => {} }
  await expect(exportQuotes(jobTo(join(folder, 'spy.csv')), store, ignore, going)).rejects.toThrow('is there already')
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
  await expect(exportQuotes(jobTo(join(folder, 'a')), failing, ignore, going)).rejects.toThrow('the disk is full')
  const ended = { exportQuotes: async (_request: unknown, target: string) => writeFileSync(target, 'rows') }
  expect(await exportQuotes(jobTo(join(folder, 'b')), ended, ignore, AbortSignal.abort())).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})

test('a place where no file can be written is told in a sentence, and no folder is made', async () => {
  const folder = folderWith({})
  const store = { exportQuotes: () => Promise.reject(new Error('not asked for')) }
  const refused = exportQuotes(jobTo(join(folder, 'typo', 'spy.csv')), store, ignore, going)
  await expect(refused).rejects.toThrow(JobError)
  await expect(refused).rejects.toThrow('the file cannot be written: ENOENT')
  expect(readdirSync(folder)).toEqual([])
})
