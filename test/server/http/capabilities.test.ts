import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../../src/accounts/accounts.ts'
import { defaultPlans, entitlements, type PlanId } from '../../../src/api/plan.ts'
import { capabilitiesOf, mayAdminister } from '../../../src/server/http/capabilities.ts'
import { type Service, service } from '../../support/service.ts'

let live: Service
beforeAll(() => {
  live = service()
})
afterAll(() => live.close())

const accountOn = (plan: PlanId, role: Account['role'] = 'user') =>
  ({ userId: 'u', plan: defaultPlans.byId(plan), role }) as Account
const options = {
  plans: defaultPlans,
  bundles: { of: () => undefined },
  usedOf: () => 0,
  hasHistory: true,
  admins: 'enterprise'
} as const

test('follow from the plan', () => {
  expect(capabilitiesOf(accountOn('free'), options)).toEqual({
    stream: undefined,
    replay: false,
    admin: false,
    freshness: 900_000,
    features: []
  })
  expect(capabilitiesOf(accountOn('alpha'), options)).toMatchObject({ replay: true, admin: false, freshness: 1000 })
  expect(capabilitiesOf(accountOn('enterprise'), options)).toMatchObject({ admin: true, features: entitlements })
})

test('leave out a past that is not kept', () => {
  expect(capabilitiesOf(accountOn('alpha'), { ...options, hasHistory: false }).replay).toBe(false)
})

test('name the bundle that runs, its blocks as subscriptions, and what is used of it', () => {
  const bundle = { id: 'b', blocks: 2, endsAt: 86_400_000 }
  const found = capabilitiesOf(accountOn('free'), {
    ...options,
    bundles: { of: () => bundle },
    usedOf: (id) => (id === 'b' ? 33 : 0)
  })
  expect(found.stream).toEqual({ until: 86_400_000, limit: 1000, used: 33 })
})

test('administration takes an operator, or the plan where that is enough', () => {
  const may = (plan: PlanId, role: Account['role'], admins: 'enterprise' | 'operators') =>
    mayAdminister(accountOn(plan, role), defaultPlans, admins)
  expect(may('free', 'operator', 'operators')).toBe(true)
  expect(may('enterprise', 'user', 'enterprise')).toBe(true)
  expect(may('enterprise', 'user', 'operators')).toBe(false)
  expect(may('alpha', 'user', 'enterprise')).toBe(false)
})

test('are what the service then does', async () => {
  for (const plan of ['free', 'basic', 'growth', 'alpha'] as const) {
    const key = live.keyOn(plan)
    const { capabilities } = (await live.ask('/v1/account', key)).json()
    expect((await live.ask('/v1/exposure/levels/SPY', key)).statusCode === 200).toBe(
      capabilities.features.includes('etf')
    )
    expect((await live.ask('/v1/exposure/gex/AAPL', key)).statusCode === 200).toBe(
      capabilities.features.includes('full_chain')
    )
  }
})
