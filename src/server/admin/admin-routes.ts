import Type from 'typebox'
import { auditTrail } from '../../accounts/audit.ts'
import type { Changes } from '../../accounts/database.ts'
import type { IssuedKey } from '../../accounts/issued-keys.ts'
import type { User } from '../../accounts/users.ts'
import { apiError } from '../../api/error.ts'
import { Count } from '../../api/quantity.ts'
import { parseIsoDate } from '../../market/units.ts'
import { bundleRoutes } from './admin-bundles.ts'
import { doubtRoutes } from './admin-doubts.ts'
import { type AdminRoute, type AdminStores, keyId, pageFields, paging, route, userId, userOf } from './admin-route.ts'
import {
  auditEntryShape,
  issuedKeyShape,
  keyShape,
  keyView,
  newKeyShape,
  newUserShape,
  planShape,
  planView,
  rotatedKeyShape,
  rotationShape,
  userChangeShape,
  userShape,
  userViews
} from './admin-shapes.ts'

const viewOf = async ({ accounts, quota, plans }: AdminStores, user: User) =>
  userViews([user], await accounts.users.usageToday(), quota, plans)[0]

async function keyOf({ keys }: AdminStores['accounts'], id: string): Promise<IssuedKey> {
  const key = (await keys.list()).find((issued) => issued.id === id)
  if (key === undefined) throw apiError('key_not_found')
  return key
}

export const adminRoutes: readonly AdminRoute[] = [
  route({
    method: 'GET',
    path: '/v1/admin/users',
    operationId: 'listUsers',
    summary: 'The users, by email',
    description: "For the operator's list of customers. Pages by `limit` and `offset`.",
    params: paging,
    response: Type.Object({ users: Type.Array(userShape), total: Count('all users'), ...pageFields }),
    errors: ['invalid_parameter'],
    answer: async ({ accounts, quota, plans }, { limit, offset }) => {
      const users = await accounts.users.list()
      const page = users.slice(offset, offset + limit)
      const views = userViews(page, await accounts.users.usageToday(), quota, plans)
      return { users: views, total: users.length, limit, offset }
    }
  }),
  route({
    method: 'POST',
    path: '/v1/admin/users',
    operationId: 'createUser',
    summary: 'Makes a user without a key',
    description: 'The user cannot ask anything until a key is made.',
    params: {},
    body: { schema: newUserShape, example: { email: 'quant@example.com', plan: 'growth' } },
    response: userShape,
    errors: ['user_exists'],
    answer: async (stores, _params, { email, plan, subscribed_on: subscribedOn }, actor) => {
      const { users } = stores.accounts
      if ((await users.find(email))?.email === email.trim().toLowerCase()) throw apiError('user_exists')
      const wanted = { email, plan, ...(subscribedOn !== undefined && { subscribedOn }) }
      return viewOf(stores, await users.create(wanted, actor))
    }
  }),
  route({
    method: 'GET',
    path: '/v1/admin/users/{id}',
    operationId: 'getUser',
    summary: "A user and today's requests",
    description: "Shows plan, day of subscription and how much of today's quota is used.",
    params: userId,
    response: userShape,
    errors: [],
    answer: async (stores, { id }) => viewOf(stores, await userOf(stores, id))
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/users/{id}',
    operationId: 'changeUser',
    summary: 'Moves a user to another plan, or changes the day the subscription began',
    description:
      "Takes effect at the next request of any of the user's keys. The day of subscription decides what history a replay plan may see.",
    params: userId,
    body: { schema: userChangeShape, example: { plan: 'alpha' } },
    response: userShape,
    errors: [],
    answer: async (stores, { id }, { plan, subscribed_on: subscribedOn }, actor) => {
      const { accounts } = stores
      if (subscribedOn !== undefined && parseIsoDate(subscribedOn) === undefined) {
        throw apiError('invalid_body', 'subscribed_on must be a date, yyyy-MM-dd', { parameter: 'subscribed_on' })
      }
      const change = async (tx: Changes) => {
        let user = await userOf(stores, id, tx)
        if (plan !== undefined && plan !== user.plan) user = await accounts.users.setPlan(id, plan, actor, tx)
        if (subscribedOn === undefined || subscribedOn === user.subscribedOn) return user
        return accounts.users.setSubscribedOn(id, subscribedOn, actor, tx)
      }
      return viewOf(stores, await accounts.atomically(change))
    }
  }),
  route({
    method: 'DELETE',
    path: '/v1/admin/users/{id}',
    operationId: 'removeUser',
    summary: 'Removes a user with every key and count',
    description: 'Cannot be undone. The audit trail keeps what was done with the account.',
    params: userId,
    response: userShape,
    errors: [],
    answer: async (stores, { id }, _body, actor) => {
      const view = await viewOf(stores, await userOf(stores, id))
      await stores.accounts.users.remove(id, actor)
      return view
    }
  }),
  route({
    method: 'GET',
    path: '/v1/admin/users/{id}/keys',
    operationId: 'listKeys',
    summary: 'The keys of a user, revoked ones too, in the order they were made',
    description: 'Shows hints, never keys: the service keeps a hash of each alone.',
    params: userId,
    response: Type.Object({ keys: Type.Array(keyShape) }),
    errors: [],
    answer: async (stores, { id }) => {
      const user = await userOf(stores, id)
      const all = await stores.accounts.keys.list()
      return { keys: all.flatMap((key) => (key.userId === user.id ? [keyView(key)] : [])) }
    }
  }),
  route({
    method: 'POST',
    path: '/v1/admin/users/{id}/keys',
    operationId: 'createKey',
    summary: 'Makes a key, which is shown in this answer and never again',
    description: 'The key is stored as a hash: keep it now. `until` ends it by itself.',
    params: userId,
    body: { schema: newKeyShape, example: { name: 'research notebook', until: '2027-01-31' } },
    response: issuedKeyShape,
    errors: [],
    answer: async (stores, { id }, { name = '', until }, actor) => {
      const user = await userOf(stores, id)
      const made = await stores.accounts.keys.create(user, name, actor, until === undefined ? {} : { until })
      return { key: made.key, ...keyView(made) }
    }
  }),
  route({
    method: 'POST',
    path: '/v1/admin/keys/{id}/rotate',
    operationId: 'rotateKey',
    summary: 'Makes a key in place of another one, which goes on working for a day; it is shown in this answer alone',
    description:
      'For replacing a key without an interruption: both work for a day, unless `now` ends the old one at once.',
    params: keyId,
    body: { schema: rotationShape, example: { now: false } },
    response: rotatedKeyShape,
    errors: [],
    answer: async ({ accounts }, { id }, rotation, actor) => {
      const key = await keyOf(accounts, id)
      // Otherwise a user who may administer because of a plan could obtain an operator's key, which does not depend on
      // a plan.
      if (key.role === 'operator') throw apiError('invalid_body', 'a key of an operator is rotated by the command line')
      const { made, old } = await accounts.keys.rotate(id, actor, rotation)
      return { key: made.key, ...keyView(made), replaced: keyView(old) }
    }
  }),
  route({
    method: 'DELETE',
    path: '/v1/admin/keys/{id}',
    operationId: 'revokeKey',
    summary: 'Ends a key; one that was ended before stays as it is',
    description: 'Requests and connections with it are refused from now on.',
    params: keyId,
    response: keyShape,
    errors: [],
    answer: async ({ accounts }, { id }, _body, actor) => {
      const key = await keyOf(accounts, id)
      return keyView(key.revokedAt === undefined ? await accounts.keys.revoke(id, actor) : key)
    }
  }),
  ...bundleRoutes,
  ...doubtRoutes,
  route({
    method: 'GET',
    path: '/v1/admin/audit',
    operationId: 'listAudit',
    summary: 'What was changed and by whom, newest first',
    description: 'Every change of users, keys, bundles and alerts, with actor and target.',
    params: paging,
    response: Type.Object({
      entries: Type.Array(auditEntryShape),
      more: Type.Boolean({ description: 'whether there are older entries' }),
      ...pageFields
    }),
    errors: ['invalid_parameter'],
    answer: async ({ database }, { limit, offset }) => {
      const found = await auditTrail(database, limit + 1, offset)
      return { entries: found.slice(0, limit), more: found.length > limit, limit, offset }
    }
  }),
  route({
    method: 'GET',
    path: '/v1/admin/plans',
    operationId: 'listPlans',
    summary: 'The plans that are sold, least first',
    description: "What the operator's plan file says, with limits, freshness and entitlements.",
    params: {},
    response: Type.Object({ plans: Type.Array(planShape) }),
    errors: [],
    answer: ({ plans }) => ({ plans: plans.all.map(planView) })
  }),
  route({
    method: 'POST',
    path: '/v1/admin/reload',
    operationId: 'reloadSettings',
    summary: 'Reads plans, presets and log level anew; a file with a mistake changes nothing',
    description: 'For changes without a restart: edit the file, then ask for this and read what changed.',
    params: {},
    response: Type.Object({ changed: Type.Array(Type.String({ description: 'what changed, in words' })) }),
    errors: ['validation_error'],
    answer: async ({ reload }, _params, _body, actor) => ({ changed: await reload(actor) })
  })
]
