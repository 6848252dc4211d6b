import Type from 'typebox'
import { auditTrail } from '../../accounts/audit.ts'
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

const viewOf = ({ accounts, quota, plans }: AdminStores, user: User) =>
  userViews([user], accounts.users.usageToday(), quota, plans)[0]

function keyOf({ keys }: AdminStores['accounts'], id: string): IssuedKey {
  const key = keys.list().find((issued) => issued.id === id)
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
    answer: ({ accounts, quota, plans }, { limit, offset }) => {
      const users = accounts.users.list()
      const page = users.slice(offset, offset + limit)
      const views = userViews(page, accounts.users.usageToday(), quota, plans)
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
    answer: (stores, _params, { email, plan, subscribed_on: subscribedOn }, actor) => {
      const { users } = stores.accounts
      if (users.find(email)?.email === email.trim().toLowerCase()) throw apiError('user_exists')
      const wanted = { email, plan, ...(subscribedOn !== undefined && { subscribedOn }) }
      return viewOf(stores, users.create(wanted, actor))
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
    answer: (stores, { id }) => viewOf(stores, userOf(stores, id))
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
    answer: (stores, { id }, { plan, subscribed_on: subscribedOn }, actor) => {
      const { accounts } = stores
      if (subscribedOn !== undefined && parseIsoDate(subscribedOn) === undefined) {
        throw apiError('invalid_body', 'subscribed_on must be a date, yyyy-MM-dd', { parameter: 'subscribed_on' })
      }
      const change = () => {
        let user = userOf(stores, id)
        if (plan !== undefined && plan !== user.plan) user = accounts.users.setPlan(id, plan, actor)
        if (subscribedOn === undefined || subscribedOn === user.subscribedOn) return user
        return accounts.users.setSubscribedOn(id, subscribedOn, actor)
      }
      return viewOf(stores, accounts.atomically(change))
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
    answer: (stores, { id }, _body, actor) => {
      const view = viewOf(stores, userOf(stores, id))
      stores.accounts.users.remove(id, actor)
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
    answer: (stores, { id }) => {
      const user = userOf(stores, id)
      return { keys: stores.accounts.keys.list().flatMap((key) => (key.userId === user.id ? [keyView(key)] : [])) }
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
    answer: (stores, { id }, { name = '', until }, actor) => {
      const user = userOf(stores, id)
      const made = stores.accounts.keys.create(user, name, actor, until === undefined ? {} : { until })
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
    answer: ({ accounts }, { id }, rotation, actor) => {
      const key = keyOf(accounts, id)
      // Otherwise a user who may administer because of a plan could obtain an operator's key, which does not depend on
      // a plan.
      if (key.role === 'operator') throw apiError('invalid_body', 'a key of an operator is rotated by the command line')
      const { made, old } = accounts.keys.rotate(id, actor, rotation)
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
    answer: ({ accounts }, { id }, _body, actor) => {
      const key = keyOf(accounts, id)
      return keyView(key.revokedAt === undefined ? accounts.keys.revoke(id, actor) : key)
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
    answer: ({ database }, { limit, offset }) => {
      const found = auditTrail(database, limit + 1, offset)
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
    answer: ({ reload }, _params, _body, actor) => ({ changed: reload(actor) })
  })
]
