import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { accessLine, openAccessLog } from '../../../src/server/operations/access-log.ts'

const record = {
  id: 'abc-1',
  method: 'GET',
  route: '/v1/exposure/gex/:symbol',
  path: '/v1/exposure/gex/SPY',
  status: 200,
  plan: 'growth',
  userId: 'user-1',
  seconds: 0.0000124,
  bytes: 2048,
  error: undefined
}

test('a request is one line of JSON, with the time it was answered and its duration to the microsecond', () => {
  const line = accessLine(record)
  expect(line.indexOf('\n')).toBe(line.length - 1)
  const { time, ...fields } = JSON.parse(line)
  const { error: _, ...logged } = record
  expect(fields).toEqual({ level: 30, ...logged, seconds: 0.000012, msg: 'request' })
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(2000)
})

test('a request without a key names no plan and no user', () => {
  const fields = JSON.parse(accessLine({ ...record, plan: undefined, userId: undefined }))
  expect(fields).not.toHaveProperty('plan')
  expect(fields).not.toHaveProperty('userId')
})

test.each([
  '/v1/"quoted"\\',
  '/v1/caf\u00e9',
  '/v1/\u2028line\nfeed'
])('a path is logged as it was asked for: %j', (path) => {
  const line = accessLine({ ...record, path, plan: 'the "best" plan' })
  expect(line.indexOf('\n')).toBe(line.length - 1)
  expect(JSON.parse(line)).toMatchObject({ path, plan: 'the "best" plan' })
})

let folder: string
let file: string
let descriptor: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gammawall-lines-'))
  file = join(folder, 'lines')
  descriptor = openSync(file, 'a')
})
afterEach(() => {
  closeSync(descriptor)
  rmSync(folder, { recursive: true })
})

interface Line {
  readonly id?: string
  readonly path?: string
  readonly lines?: number
}

const written = (): readonly Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const numbered = (k: number, length: number) => ({ ...record, id: `r-${k}`, path: `/${'x'.repeat(length)}` })
const ids = (count: number) => Array.from({ length: count }, (_, k) => `r-${k}`)
/** Waits until so many lines are written, however busy the machine is, and expects them whole and in order. */
const arrive = async (count: number) => {
  const lines = () => readFileSync(file, 'utf8').split('\n').length - 1
  await vi.waitFor(() => expect(lines()).toBeGreaterThanOrEqual(count), { timeout: 120_000 })
  expect(written().map(({ id }) => id)).toEqual(ids(count))
}

test('lines arrive whole and in order, however many batches they fill', async () => {
  const { add, flush } = openAccessLog(descriptor)
  for (let k = 0; k < 5000; k++) {
    add(numbered(k, (k * 37) % 400))
    if (k % 700 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await arrive(5000)
  await flush()
})

test('a line is written soon though none follows', async () => {
  const { add, flush } = openAccessLog(descriptor)
  add(numbered(0, 1))
  expect(written()).toEqual([])
  await arrive(1)
  await flush()
})

test('a line longer than a batch, and one of characters of several bytes, are written as they are', async () => {
  const { add, flush } = openAccessLog(descriptor)
  const paths = ['/short', `/${'x'.repeat(300_000)}`, '/\u2028 caf\u00e9 \u{1f4c8}', `/${'é'.repeat(40_000)}`, '/']
  for (const path of paths) add({ ...record, path })
  await flush()
  expect(written().map(({ path }) => path)).toEqual(paths)
})

test('a flush writes what is left at once, and nothing twice', async () => {
  const { add, flush } = openAccessLog(descriptor)
  add(numbered(0, 100))
  await flush()
  expect(written()).toHaveLength(1)
  await flush()
  add(numbered(1, 100))
  await flush()
  await delay(300) // longer than a line waits
  expect(written().map(({ id }) => id)).toEqual(ids(2))
})

/**
 * A process that logs `count` requests to its standard error, as the service does, and flushes the log when it is told to. It is
 * one of its own because a log goes on writing to its descriptor, which may be another file's by then.
 */
function logging(count: number, length: number) {
  const log = new URL('../../../src/server/operations/access-log.ts', import.meta.url).href
  const program = `
    import { openAccessLog } from ${JSON.stringify(log)}
    const record = ${JSON.stringify(record)}
    const { add, flush } = openAccessLog(2)
    const logged = (from, to) => {
      for (let k = from; k < to; k++) add({ ...record, id: 'r-' + k, path: '/' + 'x'.repeat(${length}) })
    }
    logged(0, ${count})
    process.on('message', async (more) => {
      logged(${count}, ${count} + more)
      process.send(await flush())
      process.disconnect()
    })
    process.send('logged')`
  const child = spawn(process.execPath, [...process.execArgv, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc']
  })
  onTestFinished(() => void child.kill())
  const texts: string[] = []
  return {
    logged: once(child, 'message'),
    /** Begins to read what is logged. */
    read: () => void child.stderr!.setEncoding('utf8').on('data', (text: string) => texts.push(text)),
    closeReader: () => void child.stderr!.destroy(),
    /** Logs so many requests more, flushes, and returns whether somebody read the log. */
    async flush(more = 0) {
      const answer = once(child, 'message')
      child.send(more)
      const [isRead] = await answer
      return isRead as boolean
    },
    last: () => texts.at(-1)?.slice(-100),
    lines: (): readonly Line[] =>
      texts
        .join('')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
  }
}

const EXPECTED_WAIT = { timeout: 150_000, interval: 100 }

test('a flush comes behind the batch that is being written', async () => {
  const log = logging(3000, 100) // more than the pipe holds
  await log.logged
  const flushed = log.flush()
  await delay(300)
  log.read()
  expect(await flushed).toBe(true)
  await vi.waitFor(() => expect(log.lines().map(({ id }) => id)).toEqual(ids(3000)), EXPECTED_WAIT)
})

test('a process that is to end does not wait for a reader that takes nothing', async () => {
  const log = logging(8000, 100)
  await log.logged
  expect(await log.flush()).toBe(false)
})

test('a reader that is slower than the lines come loses none', async () => {
  const log = logging(8000, 100)
  await log.logged
  await delay(300)
  log.read()
  await vi.waitFor(() => expect(log.lines().map(({ id }) => id)).toEqual(ids(8000)), EXPECTED_WAIT)
})

test('a reader that closes its end takes its lines with it and leaves the service', async () => {
  const log = logging(1000, 100)
  await log.logged
  log.closeReader()
  await delay(300)
  await log.flush(1)
})

test('lines that nobody reads are lost once 64 MB wait, and how many is said once they are read', async () => {
  const count = 1000
  const log = logging(count, 99_999)
  await log.logged
  await delay(500)
  log.read()
  await vi.waitFor(() => expect(log.last()).toMatch(/nobody read the log"}\n$/), EXPECTED_WAIT)
  const lines = log.lines()
  const kept = lines.length - 1
  expect(lines.at(-1)?.lines).toBe(count - kept)
  expect(lines.slice(0, -1).map(({ id }) => id)).toEqual(ids(kept))
  expect(kept).toBeGreaterThan(600)
  expect(kept).toBeLessThan(700)
})
