import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lineWriter } from '../../../src/server/operations/line-writer.ts'

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

const written = () => readFileSync(file, 'utf8')
/** Waits until so much is written, however busy the machine is, and looks at it as a whole then. */
const arrives = async (text: string) => {
  await vi.waitFor(() => expect(written().length).toBeGreaterThanOrEqual(text.length), { timeout: 20_000 })
  expect(written() === text).toBe(true)
}
/** Waits until nothing is left, however busy the machine is. */
const flushed = async (flush: () => Promise<boolean>) => {
  for (let attempt = 0; attempt < 10 && !(await flush()); attempt++);
}
const lost = (lines: number) => `${lines} lost\n`
const line = (k: number, length: number) => `${k} ${'x'.repeat(length)}\n`

test('lines arrive whole and in order, however many batches they fill', async () => {
  const { add } = lineWriter(descriptor, lost)
  const lines = Array.from({ length: 5000 }, (_, k) => line(k, (k * 37) % 400))
  for (const [k, each] of lines.entries()) {
    add(each)
    if (k % 700 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await arrives(lines.join(''))
}, 30_000)

test('a line is written soon though none follows', async () => {
  lineWriter(descriptor, lost).add('alone\n')
  expect(written()).toBe('')
  await arrives('alone\n')
}, 30_000)

test('a line longer than a batch, and one of characters of several bytes, are written as they are', async () => {
  const { add, flush } = lineWriter(descriptor, lost)
  const lines = [
    'short\n',
    line(1, 300_000),
    '\u2028 caf\u00e9 \u{1f4c8} \ud800\n',
    line(2, 65_000),
    'é'.repeat(40_000),
    '\n'
  ]
  for (const each of lines) add(each)
  await flush()
  expect(written()).toBe(Buffer.from(lines.join('')).toString())
})

test('what is left is written at once where it is asked for, and nothing twice', async () => {
  const { add, flush } = lineWriter(descriptor, lost)
  const first = line(1, 100)
  add(first)
  await flush()
  expect(written()).toBe(first)
  await flush()
  add('second\n')
  await flush()
  await delay(300) // longer than a line waits
  expect(written()).toBe(`${first}second\n`)
})

test('what is left comes behind the batch that is being written', async () => {
  const reader = spawn('sh', ['-c', `sleep 0.3; cat > ${file}`], { stdio: ['pipe', 'ignore', 'ignore'] })
  const { fd } = (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle
  const { add, flush } = lineWriter(fd, lost)
  const lines = Array.from({ length: 3000 }, (_, k) => line(k, 100))
  for (const each of lines) add(each)
  await flushed(flush) // more than the pipe holds: a first batch is under way, and the rest waits for its reader
  reader.stdin.end()
  await arrives(lines.join(''))
}, 30_000)

test('a process that is to end does not wait for a reader that takes nothing', async () => {
  const reader = spawn('sleep', ['60'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const { fd } = (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle
  const { add, flush } = lineWriter(fd, lost)
  for (let k = 0; k < 8000; k++) add(line(k, 100))
  const outcome = await Promise.race([flush(), delay(20_000, 'waits', { ref: false })])
  reader.kill()
  expect(outcome).toBe(false)
}, 30_000)

test('a reader that is slower than the lines come loses none', async () => {
  const reader = spawn('sh', ['-c', `sleep 0.3; cat > ${file}`], { stdio: ['pipe', 'ignore', 'ignore'] })
  const { fd } = (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle
  const { add } = lineWriter(fd, lost)
  const lines = Array.from({ length: 8000 }, (_, k) => line(k, 100))
  for (const each of lines) add(each)
  await arrives(lines.join(''))
  reader.stdin.end()
}, 30_000)

test('lines that nobody reads are lost once 64 MB wait, and how many is said where they would be', async () => {
  const reader = spawn('sh', ['-c', `sleep 0.5; cat > ${file}`], { stdio: ['pipe', 'ignore', 'ignore'] })
  const { fd } = (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle
  const { add, flush } = lineWriter(fd, lost)
  const long = 'x'.repeat(99_999)
  const count = 1000
  for (let k = 0; k < count; k++) add(`${long}\n`)
  await flushed(flush)
  const finished = once(reader, 'exit')
  reader.stdin.end()
  await finished
  const lines = written().split('\n')
  expect(lines.slice(-2)).toEqual([`${count - lines.length + 2} lost`, ''])
  expect(lines.slice(0, -2).every((each) => each === long)).toBe(true)
  expect(lines.length - 2).toBeGreaterThan(600)
  expect(lines.length - 2).toBeLessThan(700)
}, 60_000)
