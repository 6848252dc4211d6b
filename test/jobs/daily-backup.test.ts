import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DailyBackup } from '../../src/jobs/daily-backup.ts'
import { temporaryFolder } from '../accounts/temporary-accounts.ts'

function daily() {
  const folder = join(temporaryFolder(), 'copies')
  const clock = { at: Date.parse('2026-11-28T23:50:00Z') }
  const [made, errors]: [string[], unknown[]] = [[], []]
  const state = { failure: undefined as Error | undefined }
  const backup = new DailyBackup({
    folder,
    kept: 3,
    now: () => clock.at,
    backUp: async (target) => {
      if (state.failure !== undefined) throw state.failure
      mkdirSync(target, { recursive: true })
    },
    onMade: (target) => made.push(target),
    onError: (error) => errors.push(error)
  })
  return { backup, folder, clock, made, errors, state }
}

test('a backup is made once a day, and the newest three are kept', async () => {
  const { backup, folder, clock, made } = daily()
  await Promise.all([backup.check(), backup.check()])
  await backup.check()
  expect(made).toEqual([join(folder, '2026-11-28')])
  writeFileSync(join(folder, 'of-mine.txt'), '')
  for (let day = 0; day < 4; day++) {
    clock.at += 86_400_000
    await backup.check()
  }
  expect(readdirSync(folder).sort()).toEqual(['2026-11-30', '2026-12-01', '2026-12-02', 'of-mine.txt'])
})

test('a backup that fails is told, deletes no older one, and is tried again', async () => {
  const { backup, folder, clock, errors, state } = daily()
  await backup.check()
  clock.at += 86_400_000
  state.failure = new Error('the disk is full')
  await backup.check()
  expect([errors, readdirSync(folder)]).toEqual([[state.failure], ['2026-11-28']])
  state.failure = undefined
  await backup.check()
  expect(readdirSync(folder).sort()).toEqual(['2026-11-28', '2026-11-29'])
})
