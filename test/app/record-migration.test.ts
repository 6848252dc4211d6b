import { expect, test } from 'vitest'
import { startRecordMigration } from '../../src/app/background-work.ts'
import { Shutdown } from '../../src/app/shutdown.ts'
import type { OutdatedDay } from '../../src/archive/history-store.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'
import { memoryStore } from '../support/memory-store.ts'

/** The lines of a log after these days were migrated from an archive of nothing. */
async function logged(days: readonly OutdatedDay[], failure?: Error) {
  const lines: unknown[][] = []
  const note =
    (level: string) =>
    (figures: object, text: string): void =>
      void lines.push([level, figures, text])
  const store = memoryStore()
  if (failure !== undefined) store.closingSnapshot = () => Promise.reject(failure)
  const recording = { store, outdated: async () => days, watch: {} }
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const ending = new Shutdown()
  type Given = Parameters<typeof startRecordMigration>
  startRecordMigration(recording as unknown as Given[0], {} as Given[1], log as unknown as Given[2], ending)
  await expect.poll(() => lines.length + (days.length === 0 ? 1 : 0)).toBe(1)
  await ending.run()
  return lines
}

const day = { symbol: 'KO' as Ticker, date: '2026-07-28' as IsoDate, last: eastern('2026-07-28', '16:00') }

test('what came of the days is said in one line, with the reason where one of them failed', async () => {
  expect(await logged([])).toEqual([])
  expect(await logged([day])).toEqual([['info', { migrated: 0, left: 1 }, expect.stringContaining('made anew')]])
  expect(await logged([day], new Error('the row is torn'))).toEqual([
    ['warn', { migrated: 0, left: 1, err: expect.any(Error) }, expect.stringContaining('and so do those that failed')]
  ])
})
