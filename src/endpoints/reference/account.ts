import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import type { Capabilities } from '../../api/inputs/account.ts'
import { entitlements } from '../../api/plan.ts'
import { Count, Day, Name, Nullable, Seconds, Timestamp, Words } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'

const digits = Type.String({ pattern: '^(unlimited|[0-9]+)$', description: 'digits, or the word unlimited' })

const capabilityBlock = block(
  Type.Object(
    {
      stream: Nullable(
        Type.Object(
          {
            until: Nullable(Timestamp('the first moment without it; null where it does not end')),
            limit: Count('subscriptions; objects and lists count as ten'),
            used: Count()
          },
          { title: 'StreamBundle', description: 'the streaming bundle; null without one' }
        )
      ),
      replay: Type.Boolean({ description: 'past moments may be requested' }),
      admin: Type.Boolean({ description: 'this key may manage users and keys' }),
      freshness_seconds: Seconds('how old the data of an answer may be'),
      features: Type.Array(Words(...entitlements), {
        description: 'what the plan opens, by the words of the plan file'
      })
    },
    { title: 'Capabilities' }
  ),
  ({ stream, replay, admin, freshness, features }: Capabilities) => ({
    stream: stream && { ...stream, until: stream.until === undefined ? undefined : isoInstant(stream.until) },
    replay,
    admin,
    freshness_seconds: freshness / 1000,
    features
  })
)

export const account = endpoint({
  id: 'account.current',
  path: '/v1/account',
  tag: 'account',
  summary: 'Plan and quota of the caller',
  description: 'The plan of the key, requests used and left, when they reset, and what the plan opens.',
  plan: 'free',
  keyPlace: 'header',
  needs: ['account'],
  params: {},
  replay: false,
  stream: false,
  response: Type.Object({
    user_id: Name(),
    email: Name(),
    plan: Name('plan id, lower case'),
    daily_limit: digits,
    usage_today: Count('this request included; 0 on unlimited plans'),
    remaining: digits,
    resets_at: Timestamp('next 00:00 UTC'),
    usage_by_day: Type.Array(
      Type.Object(
        {
          date: Day('UTC'),
          requests: Count('counted on unlimited plans too'),
          of_panels: Count('how many of them came from embedded panels')
        },
        { title: 'DailyUsage' }
      ),
      { ...rowKey('date'), description: 'the last 90 days that have any requests, oldest first, this one included' }
    ),
    capabilities: capabilityBlock.schema,
    key_hint: Name('the last four characters of the requesting key')
  }),
  answer: ({
    account: { userId, email, keyHint, plan, dailyLimit, usedToday, resetsAt, usageByDay, capabilities }
  }) => ({
    user_id: userId,
    email,
    plan,
    daily_limit: dailyLimit === undefined ? 'unlimited' : `${dailyLimit}`,
    usage_today: dailyLimit === undefined ? 0 : usedToday,
    remaining: dailyLimit === undefined ? 'unlimited' : `${Math.max(0, dailyLimit - usedToday)}`,
    resets_at: isoInstant(resetsAt),
    usage_by_day: usageByDay.map(({ date, requests, ofPanels }) => ({ date, requests, of_panels: ofPanels })),
    capabilities: capabilityBlock.fill(capabilities()),
    key_hint: keyHint
  })
})
