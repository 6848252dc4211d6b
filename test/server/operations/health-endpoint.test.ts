import Fastify from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type HealthCheck, mountHealth } from '../../../src/server/operations/health-endpoint.ts'

const asking = async (checks: readonly HealthCheck[]) => {
  const app = Fastify()
  mountHealth(app, checks)
  await app.ready()
  return () => app.inject({ url: '/health' })
}
const of = (name: string, check: HealthCheck['check']): HealthCheck => ({ name, check })

afterEach(() => {
  vi.useRealTimers()
})

describe('the health of the service', () => {
  test.each([
    [['Healthy', 'Healthy'], 'Healthy', 200],
    [['Healthy', 'Degraded'], 'Degraded', 200],
    [['Unhealthy', 'Degraded'], 'Unhealthy', 503]
  ] as const)('with components %j is %s', async (states, worst, status) => {
    const ask = await asking(states.map((state, k) => of(`part ${k}`, () => state)))
    const answer = await ask()
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toMatchObject({ status: worst, checks: states.map((state) => ({ status: state })) })
  })

  test('tells what is behind the state of a component, where there is anything to tell', async () => {
    const details = { unreachable_since: '2026-07-29T15:00:00.000Z', refused: { malformed: 3 } }
    const ask = await asking([
      of('market_data', () => ({ status: 'Degraded', details })),
      of('sound', () => ({ status: 'Healthy', details: {} }))
    ])
    const { status, checks } = (await ask()).json()
    expect(status).toBe('Degraded')
    const duration = expect.any(Number)
    expect(checks).toEqual([
      { name: 'market_data', status: 'Degraded', duration, details },
      { name: 'sound', status: 'Healthy', duration }
    ])
  })

  test('is bad when a component throws, at once or later', async () => {
    const ask = await asking([
      of('at once', () => {
        throw new Error('secret of the inside')
      }),
      of('later', async () => {
        throw new Error('secret of the inside')
      }),
      of('sound', async () => 'Healthy' as const)
    ])
    const answer = await ask()
    expect(answer.statusCode).toBe(503)
    expect(answer.json().checks.map(({ status }: { status: string }) => status)).toEqual([
      'Unhealthy',
      'Unhealthy',
      'Healthy'
    ])
    expect(answer.body).not.toContain('secret')
  })

  test('is degraded by a component that is slow to answer, and bad by one that hangs for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    let calls = 0
    const ask = await asking([
      of('hanging', () => {
        calls++
        return new Promise(() => {})
      }),
      of('sound', () => 'Healthy')
    ])
    const askFor = async (wait: number) => {
      const response = ask()
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(wait)
      return response
    }
    const first = await askFor(1000)
    expect([first.statusCode, first.json().status]).toEqual([200, 'Degraded'])
    expect(first.json().checks[0].details).toEqual({ reason: 'its check has not ended yet', seconds: 1 })
    await vi.advanceTimersByTimeAsync(57_000)
    expect((await askFor(1000)).json().status).toBe('Degraded')
    await vi.advanceTimersByTimeAsync(1000)
    expect((await askFor(1000)).json().status).toBe('Unhealthy')
    expect(calls).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is well again once a slow component has answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let answer = (_: 'Healthy') => {}
    const ask = await asking([of('slow', () => new Promise<'Healthy'>((resolve) => (answer = resolve)))])
    const slow = ask()
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(1000)
    expect((await slow).json().status).toBe('Degraded')
    answer('Healthy')
    const next = ask()
    await new Promise((resolve) => setImmediate(resolve))
    answer('Healthy')
    expect((await next).json().status).toBe('Healthy')
  })
})
