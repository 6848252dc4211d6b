import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import { ask, eventually } from '../../test/support/started-service.ts'
import type { Found } from './bars.ts'
import { LARGE, levelsOf, moving, onStores, type Service } from './sharing.ts'

/** The proxy of deploy/cluster before two members on this machine. */
async function startProxy(folder: string, ports: readonly [number, number]) {
  const port = await freePort()
  const config = readFileSync(new URL('../../deploy/cluster/haproxy.cfg', import.meta.url), 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(' resolvers names\n', '\n')
    .replace('member-1:8080', `127.0.0.1:${ports[0]}`)
    .replace('member-2:8080', `127.0.0.1:${ports[1]}`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  const proxy = spawn('haproxy', ['-f', file], { stdio: 'ignore' })
  const stop = () => void proxy.kill('SIGKILL')
  process.once('exit', stop)
  return { port, stop }
}

const WORKERS = 16

/**
 * Requests through the proxy of deploy/cluster while both members are stopped and started again, one after the other, and
 * the collector too.
 */
export function roll(server: PostgresServer, requests: number, symbol = LARGE): Promise<Found> {
  return onStores(server, async ({ folder, key, streamKeys, start }) => {
    const ports = [await freePort(), await freePort()] as const
    const member = (name: string, port: number) =>
      start(name, 'serve', [
        ...moving(symbol),
        '--port',
        `${port}`,
        '--stream-port',
        `${port}`,
        '--drain',
        '3',
        '--trust-proxy'
      ])
    let [collector, a, b] = await Promise.all([
      start('collector', 'collect', moving(symbol)),
      member('a', ports[0]),
      member('b', ports[1])
    ])
    await Promise.all([a, b].map((service) => isReady(service)))
    const proxy = await startProxy(folder, ports)
    try {
      const counts = { asked: 0, failed: 0, slowest: 0 }
      const statuses = new Map<number, number>()
      const keys = [key, ...streamKeys] // the proxy sends each to a member of its own
      let isRolled = false
      const agent = new Agent({ keepAlive: true })
      await eventually(
        'the proxy to answer',
        async () => (await get(proxy.port, levelsOf(symbol), key, agent)) === 200 || undefined
      )
      const working = Array.from({ length: WORKERS }, async () => {
        while (!isRolled || counts.asked < requests) {
          counts.asked++
          const began = performance.now()
          const status = await get(proxy.port, levelsOf(symbol), keys[counts.asked % keys.length]!, agent)
          counts.slowest = Math.max(counts.slowest, performance.now() - began)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status !== 200) counts.failed++
          await pause(20)
        }
      })
      const rolling = async () => {
        await collector.stop()
        collector = await start('collector', 'collect', moving(symbol))
        await a.stop()
        a = await member('a', ports[0])
        await isReady(a)
        await pause(2000)
        await b.stop()
        b = await member('b', ports[1])
        await isReady(b)
        isRolled = true
      }
      await Promise.all([rolling(), ...working])
      agent.destroy()
      const { asked, failed, slowest } = counts
      const faults = failed > 0 ? [`${failed} of ${asked} failed: ${JSON.stringify([...statuses])}`] : []
      return { faults, figures: { asked, failed, slowest: Math.round(slowest) } }
    } finally {
      proxy.stop()
    }
  })
}

const isReady = ({ base, name }: Service) =>
  eventually(`${name} to be ready`, async () => (await ask(`${base}/readyz`)).status === 200 || undefined)

/** Status of an answer, 0 without one. */
function get(port: number, path: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const asked = request({ port, path, agent, headers: { 'x-api-key': key } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!))
      response.once('error', () => resolve(0))
    })
    asked.once('error', () => resolve(0)).end()
  })
}

/** Two collectors, of which the leading one is killed: milliseconds until a member has a newer chain. */
export function takeover(server: PostgresServer): Promise<Found> {
  return onStores(server, async ({ key, start }) => {
    const [first, a] = await Promise.all([start('first', 'collect', moving(LARGE)), start('a', 'serve', moving(LARGE))])
    const momentOf = async () => Date.parse(String((await ask(a.base + levelsOf(LARGE), key)).json?.['as_of']))
    await eventually('a first chain', async () => (await momentOf()) > 0 || undefined)
    let isLeading = false
    const second = start('second', 'collect', moving(LARGE)).then((service) => {
      isLeading = true
      return service
    })
    await pause(5000)
    const faults = isLeading ? ['both collectors led'] : []
    await first.stop('SIGKILL')
    const [killedAt, held] = [Date.now(), await momentOf()]
    await eventually('a newer chain', async () => (await momentOf()) > held || undefined)
    const newerAfter = Date.now() - killedAt
    await second
    return { faults, figures: { newerAfter } }
  })
}
