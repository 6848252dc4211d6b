import Type from 'typebox'
import { auditActions } from '../../accounts/audit.ts'
import { type IssuedKey, keyRoles } from '../../accounts/issued-keys.ts'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { User } from '../../accounts/users.ts'
import { entitlements, type Plan, type Plans } from '../../api/plan.ts'
import { Count, Day, Decimal, Nullable, Timestamp, Words } from '../../api/quantity.ts'

const closed = { additionalProperties: false }
const planId = Type.String({ maxLength: 32, description: 'id of a plan' })

export const newUserShape = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    plan: planId,
    subscribed_on: Type.Optional(Type.String({ maxLength: 10, description: 'yyyy-MM-dd; default: today, UTC' }))
  },
  { title: 'NewUser', ...closed }
)

export const userChangeShape = Type.Object(
  {
    plan: Type.Optional(planId),
    subscribed_on: Type.Optional(Type.String({ maxLength: 10, description: 'yyyy-MM-dd' }))
  },
  { title: 'UserChange', ...closed, minProperties: 1 }
)

const until = Type.Optional(Type.String({ maxLength: 10, description: 'last day, yyyy-MM-dd, UTC; absent: no end' }))

export const newKeyShape = Type.Object(
  { name: Type.Optional(Type.String({ maxLength: 100, description: 'what the key is for' })), until },
  { title: 'NewKey', ...closed }
)

export const rotationShape = Type.Object(
  {
    now: Type.Optional(Type.Boolean({ description: 'end the old key at once, and not a day later' })),
    until: Type.Optional(
      Type.String({
        maxLength: 10,
        description: 'last day of the new key, yyyy-MM-dd, UTC; absent: that of the old one'
      })
    )
  },
  { title: 'KeyRotation', ...closed }
)

export const userShape = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    plan: Type.String({ description: 'id of the plan' }),
    subscribed_on: Day(),
    created_at: Timestamp(),
    usage_today: Count('requests since 00:00 UTC; on an unlimited plan up to a second behind'),
    daily_limit: Nullable(Count('null: unlimited'))
  },
  { title: 'User' }
)

export const keyShape = Type.Object(
  {
    id: Type.String(),
    hint: Type.String({ description: 'the last four characters' }),
    user_id: Type.String(),
    email: Type.String(),
    plan: Type.String({ description: 'id of the plan of its user' }),
    name: Type.String(),
    role: Words(...keyRoles),
    created_at: Timestamp(),
    ends_at: Nullable(Timestamp('the first moment at which it does not work any more; null: it does not end')),
    revoked_at: Nullable(Timestamp())
  },
  { title: 'Key' }
)

export const issuedKeyShape = Type.Object(
  {
    key: Type.String({ description: 'the key itself: it is not kept and cannot be shown again' }),
    ...keyShape.properties
  },
  { title: 'IssuedKey' }
)

export const rotatedKeyShape = Type.Object(
  {
    ...issuedKeyShape.properties,
    replaced: keyShape
  },
  { title: 'RotatedKey' }
)

export const auditEntryShape = Type.Object(
  {
    at: Timestamp(),
    actor: Type.String({ description: 'the account that acted, or the command line' }),
    action: Words(...auditActions),
    target: Type.String({ description: 'email of the user, or of the owner of the key' }),
    detail: Type.Record(Type.String(), Type.String())
  },
  { title: 'AuditEntry' }
)

export const planShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    rank: Type.Integer(),
    daily_limit: Nullable(Count('null: unlimited')),
    freshness: Decimal(0, 'milliseconds', 'how old the data of an answer may be'),
    entitlements: Type.Array(Words(...entitlements))
  },
  { title: 'Plan' }
)

/**
 * Users in responses, with the number of their requests today. On unlimited plans that number comes from the database
 * only, on others it is that of this service where the database has not heard of the last second.
 */
export function userViews(
  users: readonly User[],
  written: ReadonlyMap<string, number>,
  quota: QuotaCounters,
  plans: Plans
) {
  return users.map((user) => {
    const plan = plans.byId(user.plan) ?? plans.all[0] // the lowest plan if the user's plan was removed
    const metered = plan.dailyLimit !== undefined
    return {
      id: user.id,
      email: user.email,
      plan: user.plan,
      subscribed_on: user.subscribedOn,
      created_at: user.createdAt,
      usage_today: Math.max(written.get(user.id) ?? 0, metered ? quota.used({ userId: user.id, plan }) : 0),
      daily_limit: plan.dailyLimit
    }
  })
}

export function keyView({ id, hint, userId, email, plan, name, role, createdAt, endsAt, revokedAt }: IssuedKey) {
  const times = { created_at: createdAt, ends_at: endsAt, revoked_at: revokedAt }
  return { id, hint, user_id: userId, email, plan, name, role, ...times }
}

export function planView({ id, name, rank, dailyLimit, freshness, entitlements }: Plan) {
  return { id, name, rank, daily_limit: dailyLimit, freshness, entitlements }
}
