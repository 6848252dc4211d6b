import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { planIds } from '../../src/api/plan.ts'
import {
  demoKeysOf,
  gammawall,
  launch,
  program,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

const settings = ['--universe', 'SPY', '--workers', '1']

/** Answers that count against the quota of a growth key: what was found, what was not, what could not be read. */
const questions = [
  ['/v1/exposure/levels/SPY', 200],
  ['/v1/account', 200],
  ['/v1/exposure/levels/ZZZZQX', 404],
  ['/v1/exposure/gex/SPY?expiration=2026-13-45', 400]
] as const

/** Asks from several connections, at most `most` times, until stopped. Notes when each counted answer had arrived. */
function load(service: Service, connections: number, most: number) {
  const arrivals: number[] = []
  let [asked, stopped] = [0, false]
  const client = async () => {
    while (!stopped && asked < most) {
      const [path, expected] = questions[asked++ % questions.length]
      try {
        const { status } = await service.ask(path, service.keys.growth)
        expect(status).toBe(expected)
        arrivals.push(performance.now())
      } catch (error) {
        if (!stopped) throw error
      }
      await pause(10)
    }
  }
  const clients = Promise.all(Array.from({ length: connections }, client))
  return {
    arrivals,
    async stop() {
      stopped = true
      await clients
    }
  }
}

/** What the store holds for a user. DataRequest for it is not counted. */
async function stored(service: Service, email: string): Promise<number> {
  const { status, json } = await service.ask('/v1/admin/users?limit=100', service.keys.enterprise)
  expect(status).toBe(200)
  const users = json!['users'] as readonly { readonly email: string; readonly usage_today: number }[]
  const found = users.find((user) => user.email === email)
  if (found === undefined) throw new Error(`there is no user ${email}`)
  return found.usage_today
}

describe('kill -9 under load, three times over on one data folder', () => {
  const data = join(temporaryFolder(), 'data')
  const connections = 4
  const made: { readonly email: string; readonly key: string }[] = []
  let counted = 0

  test.each([1, 2, 3])('round %i: users, keys and all but the last second of counts are there again', async (round) => {
    const service = await startService(data, settings)
    if (round > 1) expect(service.keys).toEqual(demoKeysOf(data))
    const traffic = load(service, connections, 800)
    await pause(1400)
    const byHttp = `http-${round}@b.c`
    const admin = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ email: byHttp, plan: 'free' })
    expect((await service.ask('/v1/admin/users', service.keys.enterprise, { ...admin, body })).status).toBe(201)
    const email = `round-${round}@b.c`
    const created = await gammawall('keys', 'create', '--plan', 'basic', '--email', email, '--json', '--data', data)
    const killedAt = performance.now()
    const killed = service.stop('SIGKILL')
    await traffic.stop()
    expect(await killed).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(created.code, created.stderr).toBe(0)
    made.push({ email, key: JSON.parse(created.stdout).key })

    const again = await startService(data, settings)
    expect(again.keys).toEqual(service.keys)
    for (const { key } of made) expect((await again.ask('/v1/account', key)).status).toBe(200)
    expect(await stored(again, byHttp)).toBe(0)

    // A count is written a second after it was made; a busy machine fires timers late.
    const safe = traffic.arrivals.filter((at) => at < killedAt - 1000 - 300).length
    const known = (await stored(again, 'demo-growth@gammawall.local')) - counted
    expect(safe).toBeGreaterThan(20)
    expect(known).toBeGreaterThanOrEqual(safe)
    expect(known).toBeLessThanOrEqual(traffic.arrivals.length + connections) // those that were never told
    counted += known
    expect(await again.stop()).toMatchObject({ code: 0, signal: null })
  })
})

test.each([
  'accounts.db',
  'demo-keys.json'
])('kill -9 at the first start, as soon as %s is there, leaves a folder that starts', async (name) => {
  const data = join(temporaryFolder(), 'data')
  const first = launch(process.execPath, [program, 'serve', '--data', data, '--port', '0', '--drain', '0', ...settings])
  while (!existsSync(join(data, name)) && first.child.exitCode === null) await pause(1)
  first.child.kill('SIGKILL')
  expect((await first.ended).signal).toBe('SIGKILL')
  const service = await startService(data, settings)
  expect(Object.keys(service.keys)).toEqual(planIds)
  expect(demoKeysOf(data)).toEqual(service.keys)
  for (const key of Object.values(service.keys)) expect((await service.ask('/v1/account', key)).status).toBe(200)
  await service.stop()
})
