import { expect, test } from 'vitest'
import { apiError } from '../../../src/api/error.ts'
import { type VisitorOptions, visitors } from '../../../src/server/dashboard/visitor.ts'

const endpoints = [
  { path: '/v1/quotes', plan: 'free' },
  { path: '/v1/summary/{symbol}', plan: 'growth' },
  { path: '/v1/narrative/{symbol}', plan: 'growth' },
  { path: '/v1/forecast/{symbol}', plan: 'alpha' }
] as const

/** A reader of the plan Basic, or of one whose pages end at the last close. */
function visitorOf(account: object | undefined, isStreamed = false) {
  const refusal = () => apiError('tier_restricted', 'x', { page_at: '2026-11-20T16:00:00' })
  const planRefusal = (_: unknown, plan: string) =>
    plan === 'free' ? undefined : apiError('tier_restricted', 'x', { required_plan: plan.toUpperCase() })
  const options = {
    sessions: { accountOf: () => account },
    access: { planRefusal },
    pageUse: { refusal },
    endpoints,
    streams: () => isStreamed
  }
  return visitors(options as unknown as VisitorOptions)({})
}

test('a reader without a session is told apart, and nothing else is known', () => {
  expect(visitorOf(undefined)).toEqual({ signed_in: false })
})

test('a page knows which paths the plan of its reader does not open, and which plan does', () => {
  expect(visitorOf({ plan: { name: 'Basic' } }, true)).toEqual({
    signed_in: true,
    plan: 'Basic',
    stream: true,
    lacks: { GROWTH: ['/v1/summary/{symbol}', '/v1/narrative/{symbol}'], ALPHA: ['/v1/forecast/{symbol}'] }
  })
})

test('a page that ends at the last close knows that close', () => {
  const known = visitorOf({ plan: { name: 'Free' }, page: {} })
  expect(known).toEqual({
    signed_in: true,
    plan: 'Free',
    stream: false,
    closing: { page_at: '2026-11-20T16:00:00' }
  })
})
