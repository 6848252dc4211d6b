import { execFileSync, spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

/** The last 100 bytes of a file. */
function endOf(path: string): string {
  const descriptor = openSync(path, 'r')
  const end = Buffer.alloc(100)
  const read = readSync(descriptor, end, 0, 100, Math.max(0, fstatSync(descriptor).size - 100))
  closeSync(descriptor)
  return end.toString('utf8', 0, read)
}

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

/** A process that reads nothing for a while and writes what comes into the file then. */
function lateReader(seconds: number) {
  const reader = spawn('sh', ['-c', `sleep ${seconds}; cat > ${file}`], { stdio: ['pipe', 'ignore', 'ignore'] })
  return { reader, fd: (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle.fd }
}

test('a flush comes behind the batch that is being written', async () => {
  const { reader, fd } = lateReader(0.3)
  const { add, flush } = openAccessLog(fd)
  for (let k = 0; k < 3000; k++) add(numbered(k, 100)) // more than the pipe holds
  expect(await flush()).toBe(true)
  reader.stdin.end()
  await arrive(3000)
})

test('a process that is to end does not wait for a reader that takes nothing', async () => {
  const reader = spawn('sleep', ['60'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const { fd } = (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle
  const { add, flush } = openAccessLog(fd)
  for (let k = 0; k < 8000; k++) add(numbered(k, 100))
  const outcome = await Promise.race([flush(), delay(20_000, 'waits', { ref: false })])
  reader.kill()
  await delay(300) // the batch under way is tried again until the pipe is closed, which must not be another by then
  expect(outcome).toBe(false)
})

test('a reader that is slower than the lines come loses none', async () => {
  const { reader, fd } = lateReader(0.3)
  const { add, flush } = openAccessLog(fd)
  for (let k = 0; k < 8000; k++) add(numbered(k, 100))
  await arrive(8000)
  await flush()
  reader.stdin.end()
})

test('a reader that closes its end takes its lines with it and leaves the service', async () => {
  const reader = spawn('sh', ['-c', 'exec 0<&-; sleep 60'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const { fd } = (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle
  await delay(300)
  const { add, flush } = openAccessLog(fd)
  for (let k = 0; k < 1000; k++) add(numbered(k, 100))
  await flush()
  add(numbered(1000, 100))
  reader.kill()
})

test('lines that nobody reads are lost once 64 MB wait, and how many is said once they are read', async () => {
  const pipe = join(folder, 'pipe') // a named one blocks its writer, as standard error does
  execFileSync('mkfifo', [pipe])
  const end = openSync(pipe, 'r+')
  const { add, flush } = openAccessLog(end)
  const count = 1000
  for (let k = 0; k < count; k++) add(numbered(k, 99_999))
  await delay(500)
  const reader = spawn('sh', ['-c', `cat ${pipe} > ${file}`], { stdio: 'ignore' })
  const expectLastLine = () => expect(endOf(file)).toMatch(/nobody read the log"}\n$/)
  await vi.waitFor(expectLastLine, { timeout: 150_000, interval: 200 })
  await flush()
  reader.kill()
  closeSync(end)
  const lines = written()
  const kept = lines.length - 1
  expect(lines.at(-1)?.lines).toBe(count - kept)
  expect(lines.slice(0, -1).map(({ id }) => id)).toEqual(ids(kept))
  expect(kept).toBeGreaterThan(600)
  expect(kept).toBeLessThan(700)
})
