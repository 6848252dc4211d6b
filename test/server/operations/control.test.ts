import { request as askOver, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../../src/server/http/listen.ts'
import { mountControl } from '../../../src/server/operations/control.ts'
import { JobRunner, type Work } from '../../../src/server/operations/job-runner.ts'
import { createMetrics } from '../../../src/server/operations/metrics.ts'
import { createOperations } from '../../../src/server/operations/operations.ts'

async function started(work: Work) {
  const app = createOperations({ metrics: createMetrics(), isReady: () => true, token: 'secret' })
  const orders: unknown[] = []
  const prepare = (order: unknown) => {
    if ((order as { bad?: true }).bad) throw new Error('it cannot be done')
    orders.push(order)
    return work
  }
  mountControl(app, { token: 'secret', prepare, jobs: new JobRunner() })
  const address = await listen(app, '127.0.0.1', 0)
  onTestFinished(() => app.close())
  return { app, address, orders }
}

function post(address: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${address}/control/work`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-control-token': 'secret', ...headers },
    body: JSON.stringify(body)
  })
}

const linesOf = async (response: Response) =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('what was asked for is done, and told line by line', async () => {
  const { address, orders } = await started(async ({ onNote }) => {
    await onNote({ kind: 'progress', done: 1 })
    return { complete: true }
  })
  const response = await post(address, { work: 'import' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  expect(await linesOf(response)).toEqual([
    { kind: 'progress', done: 1 },
    { kind: 'done', outcome: { complete: true } }
  ])
  expect(orders).toEqual([{ work: 'import' }])
})

test('a caller without the token, and any web page, is refused', async () => {
  const { address, orders } = await started(async () => ({}))
  expect((await post(address, {}, { 'x-control-token': 'guess' })).status).toBe(401)
  expect((await post(address, {}, { 'x-control-token': '' })).status).toBe(401)
  expect((await post(address, {}, { origin: 'https://example.com' })).status).toBe(403)
  expect((await post(address, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(orders).toEqual([])
})

test('an order that cannot be done is refused with its sentence', async () => {
  const { address } = await started(async () => ({}))
  const response = await post(address, { bad: true })
  expect([response.status, await response.text()]).toEqual([400, 'it cannot be done\n'])
})

test('work that fails says why as its last line', async () => {
  const { address } = await started(() => Promise.reject(new Error('the disk is full')))
  expect(await linesOf(await post(address, {}))).toEqual([{ kind: 'failed', reason: 'the disk is full' }])
})

test('one piece of work at a time; the next may come when it has ended', async () => {
  let finish = () => {}
  const { address } = await started(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return {}
  })
  const first = await post(address, {})
  expect((await post(address, {})).status).toBe(409)
  finish()
  await first.text()
  const second = await post(address, {})
  expect(second.status).toBe(200)
  finish()
  await second.text()
})

test('a caller that hangs up ends the work', async () => {
  const stopped = deferred()
  const { address } = await started(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    stopped.resolve(undefined)
    return {}
  })
  const answer = await new Promise<IncomingMessage>((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-control-token': 'secret' }
    askOver(`${address}/control/work`, { method: 'POST', headers }, resolve).end('{}')
  })
  answer.destroy()
  await stopped.promise
})

test('a stop of the service ends the work and waits for it', async () => {
  const events: string[] = []
  const { app, address } = await started(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    events.push('work ended')
    return { complete: false }
  })
  const response = await post(address, {})
  const text = response.text()
  await app.close()
  events.push('service ended')
  expect(events).toEqual(['work ended', 'service ended'])
  expect(await text).toContain('"complete":false')
})

test('a caller that reads slowly slows the work down instead of filling memory', async () => {
  let notes = 0
  const { address } = await started(async ({ onNote, signal }) => {
    while (!signal.aborted && notes < 100_000) {
      await onNote({ kind: 'progress', what: 'x'.repeat(1000) })
      notes++
    }
    return {}
  })
  const answer = await new Promise<IncomingMessage>((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-control-token': 'secret' }
    askOver(`${address}/control/work`, { method: 'POST', headers }, resolve).end('{}')
  })
  answer.pause()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const then = notes
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(notes).toBe(then)
  expect(then).toBeLessThan(100_000)
  answer.destroy()
})

function deferred() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

test('a stop waits for a job however long it takes to end', async () => {
  const jobs = new JobRunner()
  const app = createOperations({ metrics: createMetrics(), isReady: () => true, token: 'secret' })
  mountControl(app, { token: 'secret', prepare: () => async () => ({}), jobs })
  await app.ready()
  let end = () => {}
  jobs.inBackground(
    () => new Promise((resolve) => (end = () => resolve({}))),
    () => {}
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const closed = app.close().then(() => 'closed')
  await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await Promise.race([closed, Promise.resolve('waiting')])).toBe('waiting')
  end()
  expect(await closed).toBe('closed')
})
