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

  test('is bad when a component does not answer within a second, and leaves no timer behind when it does', async () => {
    const slow = await asking([of('slow', () => new Promise(() => {}))])
    const sound = await asking([of('sound', () => 'Healthy')])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const response = slow()
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(1000)
    expect((await response).json().status).toBe('Unhealthy')
    expect((await sound()).json().status).toBe('Healthy')
    expect(vi.getTimerCount()).toBe(0)
  })
})
