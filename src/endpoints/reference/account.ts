import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Day, Instant } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'

const digits = Type.String({ pattern: '^(unlimited|[0-9]+)$', description: 'digits, or the word unlimited' })

export const account = endpoint({
  id: 'account.current',
  path: '/v1/account',
  tag: 'account',
  summary: 'Plan and quota of the caller',
  plan: 'free',
  needs: ['account'],
  params: {},
  replay: false,
  stream: false,
  response: Type.Object({
    user_id: Type.String(),
    email: Type.String(),
    plan: Type.String({ description: 'plan id, lower case' }),
    daily_limit: digits,
    usage_today: Count('this request included; 0 on unlimited plans'),
    remaining: digits,
    resets_at: Instant('next 00:00 UTC'),
    usage_by_day: Type.Array(Type.Object({ date: Day('UTC'), requests: Count('counted on unlimited plans too') }), {
      description: 'the last 90 days that have any requests, oldest first, this one included'
    })
  }),
  answer: ({ account: { userId, email, plan, dailyLimit, usedToday, resetsAt, usageByDay } }) => ({
    user_id: userId,
    email,
    plan,
    daily_limit: dailyLimit === undefined ? 'unlimited' : `${dailyLimit}`,
    usage_today: dailyLimit === undefined ? 0 : usedToday,
    remaining: dailyLimit === undefined ? 'unlimited' : `${Math.max(0, dailyLimit - usedToday)}`,
    resets_at: isoInstant(resetsAt),
    usage_by_day: usageByDay()
  })
})
