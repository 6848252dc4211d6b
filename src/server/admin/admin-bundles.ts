import Type from 'typebox'
import type { GrantedBundle } from '../../accounts/bundles.ts'
import { apiError } from '../../api/error.ts'
import { Count, Nullable, Timestamp } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'
import { type AdminRoute, pageFields, paging, route, userId, userOf } from './admin-route.ts'

const termsShape = Type.Object(
  {
    blocks: Type.Integer({ minimum: 1, maximum: 1000, description: 'each allows 500 subscriptions' }),
    until: Type.Optional(Type.String({ maxLength: 10, description: 'last day, yyyy-MM-dd, UTC; absent: no end' }))
  },
  { title: 'NewBundle', additionalProperties: false }
)

const bundleShape = Type.Object(
  {
    id: Type.String(),
    user_id: Type.String(),
    email: Type.String(),
    blocks: Count('each allows 500 subscriptions'),
    granted_at: Timestamp(),
    ends_at: Nullable(Timestamp('the first moment without it; null: it does not end'))
  },
  { title: 'Bundle' }
)

export const bundleRoutes: readonly AdminRoute[] = [
  route({
    method: 'GET',
    path: '/v1/admin/bundles',
    operationId: 'listBundles',
    summary: 'The streaming bundles, ended ones too, by email of their user',
    description: "For the operator's list of who may stream, and how many subscriptions are in use.",
    params: paging,
    response: Type.Object({ bundles: Type.Array(bundleShape), total: Count('all bundles'), ...pageFields }),
    errors: ['invalid_parameter'],
    answer: async ({ accounts }, { limit, offset }) => {
      const bundles = await accounts.bundles.list()
      return { bundles: bundles.slice(offset, offset + limit).map(bundleView), total: bundles.length, limit, offset }
    }
  }),
  route({
    method: 'PUT',
    path: '/v1/admin/users/{id}/bundle',
    operationId: 'grantBundle',
    summary: 'Lets a user listen to the stream, or changes the terms of one who may',
    description: 'A block is 500 subscriptions. Sending it again replaces blocks and end.',
    params: userId,
    body: { schema: termsShape, example: { blocks: 2, until: '2027-01-31' } },
    response: bundleShape,
    errors: [],
    answer: async (stores, { id }, terms, actor) =>
      bundleView(await stores.accounts.bundles.grant(await userOf(stores, id), terms, actor))
  }),
  route({
    method: 'DELETE',
    path: '/v1/admin/users/{id}/bundle',
    operationId: 'revokeBundle',
    summary: 'Ends the streaming of a user; open connections are closed',
    description: "The user's REST access stays as it is; a new bundle opens the stream again.",
    params: userId,
    response: bundleShape,
    errors: ['bundle_not_found'],
    answer: async (stores, { id }, _body, actor) => {
      const { bundles } = stores.accounts
      const user = await userOf(stores, id)
      if (!(await bundles.list()).some(({ userId }) => userId === user.id)) throw apiError('bundle_not_found')
      return bundleView(await bundles.revoke(user.id, actor))
    }
  })
]

function bundleView({ id, userId, email, blocks, grantedAt, endsAt }: GrantedBundle) {
  return {
    id,
    user_id: userId,
    email,
    blocks,
    granted_at: grantedAt,
    ends_at: endsAt === undefined ? null : isoInstant(endsAt)
  }
}
