import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Update } from '../../src/api/stream-frames.ts'
import { createClient } from '../../src/client/client.ts'
import type { StreamEvent } from '../../src/client/stream.ts'
import {
  eventually,
  gammawall,
  launch,
  program,
  projectRoot,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

// The client and the service that it is made for, as built.

let service: Service
beforeAll(async () => {
  service = await startService(temporaryFolder(), ['--universe', 'SPY', '--clock', 'demo', '--history', 'off'])
})
afterAll(() => service.stop())

/** Sockets that can be cut as a bad line cuts them. */
class CutSocket extends WebSocket {
  static readonly made: CutSocket[] = []
  constructor(address: string) {
    super(address)
    CutSocket.made.push(this)
  }
}

function clientOf(key: string | undefined) {
  return createClient({ url: service.base, streamUrl: service.stream, key, WebSocket: CutSocket, random: () => 0.1 })
}

/** A stream of somebody, its events, and the updates of metrics by name. */
function following(key: string | undefined, metrics: readonly string[], cadence_ms = 100) {
  const events: StreamEvent[] = []
  const updates = new Map<string, Update[]>(metrics.map((metric) => [metric, []]))
  const stream = clientOf(key).stream({ onEvent: (event) => events.push(event) })
  const subscriptions = metrics.map((metric) =>
    stream.subscribe({ symbol: 'SPY', metric, cadence_ms }, (update) => updates.get(metric)!.push(update))
  )
  return { stream, events, updates, subscriptions }
}

/** A user of the test's own who may stream. */
async function listener(email: string) {
  const made = JSON.parse(
    (await gammawall('keys', 'create', '--email', email, '--plan', 'free', '--json', ...data())).stdout
  )
  await gammawall('bundles', 'grant', email, ...data())
  return made as { readonly key: string; readonly id: string }
}
const data = () => ['--data', service.data]

describe('requests', () => {
  test('bring answers, and refusals with the code of the service', async () => {
    const client = clientOf(service.keys.growth)
    const summary = await client.get('/v1/exposure/summary/{symbol}', { symbol: 'SPY' })
    expect(summary.symbol).toBe('SPY')
    const levels = client.get('/v1/exposure/levels/{symbol}', { symbol: 'ZZZZZZ' })
    await expect(levels).rejects.toMatchObject({ name: 'ApiError', code: 'symbol_not_found', status: 404 })
    const realized = client.get('/v1/volatility/realized/{symbol}', { symbol: 'SPY' })
    await expect(realized).rejects.toMatchObject({ code: 'tier_restricted', detail: { required_plan: 'Alpha' } })
    const anonymous = clientOf(undefined).get('/v1/account')
    await expect(anonymous).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
  })

  test('bring the freshness of an answer and what is left of the quota', async () => {
    const asked = { symbol: 'SPY' }
    const found = await clientOf(service.keys.growth).ask('/v1/exposure/summary/{symbol}', asked)
    expect(found.answer.symbol).toBe('SPY')
    expect(found).toMatchObject({ isStale: false, source: 'synthetic', replayAsOf: undefined })
    expect(found.age).toBeLessThan(60)
    expect(found.remaining).toBeLessThan(2500)
    const { remaining } = await clientOf(service.keys.alpha).ask('/v1/account')
    expect(remaining).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the stream', () => {
  test('delivers what REST answers for the same moment', async () => {
    const metrics = ['exposure.summary.exposures.net_gex', 'exposure.summary.gamma_flip', 'exposure.summary.regime']
    const { stream, updates, subscriptions } = following(service.keys.alpha, metrics)
    await Promise.all(subscriptions.map(({ ready }) => ready))
    const client = clientOf(service.keys.alpha)
    const compared = await eventually('an update and an answer of one moment', async () => {
      const answer = await client.get('/v1/exposure/summary/{symbol}', { symbol: 'SPY' })
      const moment = Date.parse(answer.as_of)
      const found = metrics.map((metric) => updates.get(metric)!.find(({ ts }) => ts === moment)?.value)
      if (found.some((value) => value === undefined)) return undefined
      return { found, answer: [answer.exposures.net_gex, answer.gamma_flip, answer.regime] }
    })
    expect(compared.found).toEqual(compared.answer)
    stream.close()
  })

  test('goes on after its line was cut, with the same subscriptions and nothing told twice', async () => {
    const metric = 'stockquote.current.mid'
    const { stream, events, updates, subscriptions } = following(service.keys.enterprise, [metric])
    const { sub_id } = await subscriptions[0].ready
    const seen = updates.get(metric)!
    await eventually('two updates', () => (seen.length >= 2 ? true : undefined))
    CutSocket.made.at(-1)!.terminate()
    await eventually('to be back', () => events.find((event) => event.type === 'open' && event.resumed))
    const before = seen.length
    await eventually('two more', () => (seen.length >= before + 2 ? true : undefined))
    const sequence = seen.map(({ seq }) => seq)
    expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b))
    expect(new Set(seen.map((update) => update.sub_id))).toEqual(new Set([sub_id]))
    stream.close()
  })

  test('answers questions about itself', async () => {
    const { stream, subscriptions } = following(service.keys.alpha, ['exposure.gex.net_gex', 'exposure.gex.gamma_flip'])
    await Promise.all(subscriptions.map(({ ready }) => ready))
    expect(await stream.ask({ action: 'status' })).toMatchObject({ limits: { subscriptions: 500 } })
    expect((await stream.ask({ action: 'list' })).count).toBe(2)
    const { metrics } = await stream.ask({ action: 'catalog', prefix: 'exposure.gex' })
    expect(metrics.map(({ id }) => id)).toContain('exposure.gex.strikes[*].net_gex')
    stream.close()
  })

  test('refuses one metric and delivers the other', async () => {
    const { stream, subscriptions } = following(service.keys.alpha, [
      'exposure.zero_dte.strikes.x',
      'exposure.gex.net_gex'
    ])
    await expect(subscriptions[0].ready).rejects.toMatchObject({ name: 'StreamError' })
    expect(await subscriptions[1].ready).toMatchObject({ metric: 'exposure.gex.net_gex' })
    stream.close()
  })

  test('is not for everybody: without a bundle it ends with the refusal', async () => {
    const { stream } = following(service.keys.free, ['exposure.gex.net_gex'])
    expect(await stream.ended).toMatchObject({ name: 'ApiError', code: 'tier_restricted', status: 403 })
  })

  test.each([
    ['its bundle is revoked', 4403, (email: string) => ['bundles', 'revoke', email]],
    ['its key is revoked', 4401, (_: string, id: string) => ['keys', 'revoke', id]]
  ])('ends for good within a few seconds when %s', async (_, code, command) => {
    const email = `ends-with-${code}@example.com`
    const { key, id } = await listener(email)
    await pause(600) // a change of the accounts is seen within half a second
    const { stream, subscriptions } = following(key, ['exposure.gex.net_gex'])
    await subscriptions[0].ready
    expect((await gammawall(...command(email, id), ...data())).code).toBe(0)
    const late = pause(10_000).then(() => 'it did not end')
    expect(await Promise.race([stream.ended, late])).toMatchObject({ code: 'closed', detail: { close_code: code } })
  })
})

describe('gammawall watch', () => {
  const watch = (...args: readonly string[]) => {
    const place = ['--url', service.base, '--stream-url', service.stream, ...data()]
    return launch(process.execPath, [program, 'watch', 'SPY', ...args, ...place])
  }

  test('prints a line for each change with a demo key until it is interrupted', async () => {
    const watching = watch('exposure.summary.net_gex', 'exposure.gex.net_gx', '--cadence', '100')
    const lines = await eventually('three changes', () => {
      const printed = watching.stdout().split('\n').filter(Boolean)
      return printed.length >= 3 ? printed : undefined
    })
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z SPY exposure\.summary\.net_gex -?\d/)
    watching.child.kill('SIGINT')
    const { code, stderr } = await watching.ended
    expect([code, stderr.trim()]).toEqual([
      0,
      expect.stringMatching(/^exposure\.gex\.net_gx: .*did you mean exposure\.gex\.net_gex/)
    ])
  })

  test('says in a sentence what keeps it from watching', async () => {
    const refused = await watch('exposure.summary.net_gex', '--key', service.keys.free!).ended
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/^[^\n]*bundle[^\n]*\n$/i)
  })
})

describe('the examples of docs/client.md', () => {
  const page = readFileSync(join(projectRoot, 'docs/client.md'), 'utf8')
  const examples = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code)

  test.each(examples.map((code, i) => [i + 1, code] as const))('run: number %i', async (i, code) => {
    const hosts = `url: '${service.base}', replayUrl: '${service.replay}', streamUrl: '${service.stream}'`
    const file = join(projectRoot, 'dist', `example-${process.pid}-${i}.mjs`)
    writeFileSync(
      file,
      code.replaceAll("'./dist/src/client/", "'./src/client/").replaceAll('createClient({', `createClient({ ${hosts},`)
    )
    try {
      const {
        code: exit,
        stdout,
        stderr
      } = await launch(process.execPath, [file], {
        env: { GAMMAWALL_KEY: service.keys.alpha! }
      }).ended
      expect([exit, stderr]).toEqual([0, ''])
      expect(stdout).not.toMatch(/undefined|NaN|\[object/)
      expect(stdout.trim()).not.toBe('')
    } finally {
      rmSync(file, { force: true })
    }
  })
})
