import { expect, test } from 'vitest'
import { JobRunner, type Work } from '../../../src/server/operations/job-runner.ts'

/** Work that says when it begins and ends; it ends when told, or early. */
function work(name: string, log: string[]) {
  let finish = () => {}
  const run: Work = async ({ signal }) => {
    log.push(`${name} begins`)
    await new Promise<void>((resolve) => {
      finish = resolve
      signal.addEventListener('abort', () => resolve())
    })
    log.push(`${name} ${signal.aborted ? 'is ended' : 'ends'}`)
    return { name }
  }
  return { run, finish: () => finish() }
}

const listener = () => ({ onNote: () => {}, signal: new AbortController().signal })
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('work in the background gives way to a job that somebody asked for, and begins again after it', async () => {
  const log: string[] = []
  const jobs = new JobRunner()
  const [seed, asked] = [work('seed', log), work('import', log)]
  jobs.inBackground(seed.run, () => log.push('all is there'))
  const done = jobs.run(asked.run, listener())
  expect(jobs.isBusy).toBe(true)
  await settled()
  expect(log).toEqual(['seed begins', 'seed is ended', 'import begins'])
  asked.finish()
  expect(await done).toEqual({ name: 'import' })
  expect([jobs.isBusy, log.slice(3)]).toEqual([false, ['import ends', 'seed begins']])
  seed.finish()
  await settled()
  expect(log.slice(5)).toEqual(['seed ends', 'all is there'])
  const next = work('export', log)
  const again = jobs.run(next.run, listener())
  await settled()
  next.finish()
  await again
  expect(log.slice(7)).toEqual(['export begins', 'export ends'])
})

test('work in the background begins again once it has something more urgent to do, but not before a job that runs', async () => {
  const log: string[] = []
  const jobs = new JobRunner()
  await jobs.beginAgain()
  const [seed, asked] = [work('seed', log), work('import', log)]
  jobs.inBackground(seed.run, () => log.push('all is there'))
  await jobs.beginAgain()
  expect(log).toEqual(['seed begins', 'seed is ended', 'seed begins'])
  const done = jobs.run(asked.run, listener())
  await settled()
  await jobs.beginAgain()
  expect(log.slice(3)).toEqual(['seed is ended', 'import begins'])
  asked.finish()
  await done
  expect(log.slice(5)).toEqual(['import ends', 'seed begins'])
  seed.finish()
  await settled()
  expect(log.at(-1)).toBe('all is there')
})

test('work in the background says how far it is until it ends, also while another job goes first', async () => {
  const jobs = new JobRunner()
  expect(jobs.progress).toBeUndefined()
  let say: (note: object) => void = () => {}
  let finish = () => {}
  const seed: Work = async ({ onNote }) => {
    say = onNote
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return {}
  }
  jobs.inBackground(seed, () => {})
  expect(jobs.progress).toEqual({ what: 'history', done: 0, total: 0 })
  say({ kind: 'progress', what: 'SPY 2026-11-25', done: 60, total: 369 })
  say({ kind: 'warning', text: 'something else' })
  expect(jobs.progress).toMatchObject({ what: 'SPY 2026-11-25', done: 60, total: 369 })
  finish()
  await settled()
  expect(jobs.progress).toBeUndefined()
})

test('a job that fails is the failure of who asked, and the background goes on', async () => {
  const log: string[] = []
  const jobs = new JobRunner()
  const seed = work('seed', log)
  jobs.inBackground(seed.run, () => {})
  await expect(jobs.run(() => Promise.reject(new Error('the disk is full')), listener())).rejects.toThrow(
    'disk is full'
  )
  expect(log).toEqual(['seed begins', 'seed is ended', 'seed begins'])
  await jobs.stop()
})

test('background work that fails is not begun again', async () => {
  const failures: unknown[] = []
  const jobs = new JobRunner()
  let begun = 0
  const failing: Work = () => {
    begun++
    return Promise.reject(new Error('no room'))
  }
  jobs.inBackground(failing, ({ error }) => failures.push(error))
  await settled()
  await jobs.run(async () => ({}), listener())
  expect([begun, failures]).toEqual([1, [new Error('no room')]])
})

test.each(['background', 'asked'])('a stop ends what runs in the %s and begins nothing again', async (kind) => {
  const log: string[] = []
  const jobs = new JobRunner()
  const [seed, asked] = [work('seed', log), work('import', log)]
  jobs.inBackground(seed.run, () => log.push('all is there'))
  const done = kind === 'asked' ? jobs.run(asked.run, listener()) : undefined
  await settled()
  await jobs.stop()
  await done
  await settled()
  expect(log.filter((line) => line.endsWith('begins'))).toHaveLength(kind === 'asked' ? 2 : 1)
  expect(log.at(-1)).toBe(kind === 'asked' ? 'import is ended' : 'seed is ended')
})
