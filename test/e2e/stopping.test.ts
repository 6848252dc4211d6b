import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  eventually,
  greeted,
  launch,
  metric,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

const data = join(temporaryFolder(), 'data')
const settings = ['--universe', 'SPY', '--workers', '1']
/** For stops that are about connections: the signals alone show that the history is closed in order. */
const withoutHistory = [...settings, '--history', 'off']

/** The service with nothing left to do: SPY is loaded and no other symbol. */
async function atRest(service: Service): Promise<Service> {
  await eventually('the universe to be loaded', async () => {
    const [held, queue] = [
      await metric(service, 'gammawall_snapshots_held'),
      await metric(service, 'gammawall_engine_queue')
    ]
    return held === 1 && queue === 0 ? true : undefined
  })
  return service
}

/** A request that takes a while, QQQ being loaded for it: under way when this resolves. A stop waits eight seconds for it. */
async function slowRequest(service: Service) {
  const answer = service.ask('/optionquote/QQQ', service.keys.growth)
  answer.catch(() => {}) // told by whoever awaits it
  await eventually('the request to be under way', async () => {
    return ((await metric(service, 'gammawall_engine_queue')) ?? 0) > 0 || undefined
  })
  return { answer }
}

/** Whether somebody else can listen where the service did. */
async function isFree(address: string): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(Number(new URL(address).port), '127.0.0.1', () => resolve(true))
  })
  server.close()
  return free
}

describe.each([
  { name: 'SIGTERM', signals: ['SIGTERM'] },
  { name: 'SIGINT, again SIGINT, then SIGTERM', signals: ['SIGINT', 'SIGINT', 'SIGTERM'] }
] as const)('$name', ({ signals }) => {
  test('ends the service once the request in flight is answered', async () => {
    const service = await atRest(await startService(data, settings))
    const { answer } = await slowRequest(service)
    for (const signal of signals) {
      service.child.kill(signal)
      await pause(10)
    }
    const { status, headers, json } = await answer
    expect([status, headers.get('connection')]).toEqual([200, 'close'])
    expect((json as unknown as readonly unknown[]).length).toBeGreaterThan(5000)
    const { code, signal, stderr } = await service.ended
    expect([code, signal]).toEqual([0, null])
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ level }) => level > 30)).toEqual([])
    expect(lines).toContainEqual(expect.objectContaining({ route: '/optionquote/:ticker', status: 200 }))
    expect(await isFree(service.base)).toBe(true)
    expect(await isFree(service.operations)).toBe(true)
  })
})

describe('under npm, in a process group of its own', () => {
  const start = async () => {
    const npm = launch('npm', ['start', '--', '--data', data, '--port', '0', '--drain', '0', ...settings], {
      ownGroup: true
    })
    return atRest(await greeted(npm, data))
  }

  test('Ctrl-C, which reaches npm and the service, ends it in order', async () => {
    const service = await start()
    const { answer } = await slowRequest(service)
    process.kill(-service.child.pid!, 'SIGINT')
    expect((await answer).status).toBe(200)
    const { code, stderr } = await service.ended
    expect(code, stderr).toBe(0)
    expect(await isFree(service.base)).toBe(true)
  })

  test('SIGTERM to npm alone ends the service too', async () => {
    const service = await start()
    const { answer } = await slowRequest(service)
    service.child.kill('SIGTERM')
    expect((await answer).status).toBe(200)
    const { code, stderr } = await service.ended
    expect(code, stderr).toBe(0)
    expect(await isFree(service.base)).toBe(true)
  })
})

test('a signal during the start ends the service as soon as it stands', async () => {
  const started = launch(process.execPath, [
    'scripts/gammawall.mjs',
    'serve',
    '--data',
    data,
    '--port',
    '0',
    '--drain',
    '0',
    ...settings
  ])
  await pause(250)
  started.child.kill('SIGTERM')
  const { code, signal } = await started.ended
  // Before Node runs our code a signal still has its default effect.
  expect([code === 0, signal === 'SIGTERM']).toContain(true)
})

test('a slow reader gets its answer to the last byte; who only keeps a connection open holds nothing up', async () => {
  const service = await atRest(await startService(data, withoutHistory))
  const whole = await service.ask('/optionquote/SPX', service.keys.growth)
  const opened = (text: string) => {
    const socket = connect(Number(new URL(service.base).port), '127.0.0.1')
    socket.write(text)
    return socket
  }
  const reader = opened(`GET /optionquote/SPX HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${service.keys.growth}\r\n\r\n`)
  const idle = ['', 'GET /optionq', 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'].map((text) => opened(text).resume())
  for (const socket of idle) socket.on('error', () => {})
  await once(reader, 'readable') // the answer has begun; most of its 10 MB wait in the service for their reader
  const stoppedAt = performance.now()
  service.child.kill('SIGTERM')
  await pause(200)
  expect(service.child.exitCode).toBeNull()
  const chunks: Buffer[] = []
  for await (const chunk of reader) chunks.push(chunk)
  const answer = Buffer.concat(chunks)
  const bodyAt = answer.indexOf('\r\n\r\n') + 4
  const [, length] = /^content-length: (\d+)\r$/m.exec(answer.subarray(0, bodyAt).toString())!
  expect(answer.length - bodyAt).toBe(Number(length))
  // Not to the byte that of the question before: the market may have moved.
  expect(Number(length)).toBeGreaterThan(0.9 * whole.text.length)
  expect((await service.ended).code).toBe(0)
  for (const socket of idle) expect(socket.closed || (await once(socket, 'close'))).toBeTruthy()
  expect(performance.now() - stoppedAt).toBeLessThan(7000) // Node alone waits 72 s for a connection that is kept open
})

describe('a stop with a drain', () => {
  /** One request of a client that keeps its connection open for as long as the service does. */
  const request = (address: string, key: string, agent: Agent) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = get(address, { agent, headers: { 'x-api-key': key } }, (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer)).once('error', reject)
      })
      sent.once('error', reject)
    })

  test('loses nothing of 8 keep-alive clients behind a balancer without retries', async () => {
    const service = await atRest(await startService(data, ['--drain', '8', ...withoutHistory]))
    const address = `${service.base}/v1/exposure/levels/SPY`
    const key = service.keys.alpha!
    const seen = { answered: 0, afterSignal: 0, keptOpen: 0, ended: 0 }
    let [isReady, stoppedAt] = [true, Number.POSITIVE_INFINITY]
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (isReady) {
        const sentAt = performance.now()
        const { statusCode, headers } = await request(address, key, agent) // an error of any kind fails the test
        expect(statusCode).toBe(200)
        seen.answered++
        if (sentAt < stoppedAt) continue
        seen.afterSignal++
        if (headers.connection !== 'close') seen.keptOpen++
      }
      agent.destroy()
    }
    const idle = connect(Number(new URL(service.base).port), '127.0.0.1')
    let received = ''
    idle.on('data', (bytes) => (received += bytes)).once('end', () => seen.ended++)
    idle.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    const clients = Array.from({ length: 8 }, client)
    await eventually('the clients to be served', () => seen.answered > 200 || undefined)
    service.child.kill('SIGTERM')
    // Side by side: a loaded machine needs a good part of the drain for one of them.
    const notReady = (host: string) =>
      eventually('readiness to end', async () => (await fetch(`${host}/readyz`)).status === 503 || undefined)
    await Promise.all([service.base, service.replay, service.operations].map(notReady))
    stoppedAt = performance.now()
    const noticed = seen.answered + 200
    // Connections that the balancer has not taken away yet are still served.
    await eventually('the clients to be served on', () => seen.answered > noticed || !isReady || undefined, 1).catch(
      () => {}
    )
    isReady = false
    await Promise.all(clients)
    expect(seen.afterSignal).toBeGreaterThan(0)
    expect(seen.keptOpen).toBe(0)
    const { code, signal } = await service.ended
    expect([code, signal, seen.ended]).toEqual([0, null, 1])
    expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    console.log(`drain: ${seen.answered} answers, ${seen.afterSignal} of them after the signal, none lost`)
  })
})
