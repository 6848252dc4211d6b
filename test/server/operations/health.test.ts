import Fastify from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type HealthCheck, mountHealth } from '../../../src/server/operations/health.ts'

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

  test('says why a component is not well where that knows, and nothing of one that is', async () => {
    const ask = await asking([
      of('storage', async () => ({ status: 'Unhealthy', reason: 'the disk is full' })),
      of('market', () => ({ status: 'Healthy', reason: undefined }))
    ])
    const answer = await ask()
    expect([answer.statusCode, answer.json().checks[0].reason]).toEqual([503, 'the disk is full'])
    expect(Object.keys(answer.json().checks[1])).toEqual(['name', 'status', 'duration'])
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
    const told = slow()
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(1000)
    expect((await told).json().status).toBe('Unhealthy')
    expect((await sound()).json().status).toBe('Healthy')
    expect(vi.getTimerCount()).toBe(0)
  })
})
