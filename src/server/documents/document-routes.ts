import Type, { type TSchema } from 'typebox'
import {
  type DocumentKind,
  type DocumentName,
  documentKinds,
  MAX_DOCUMENTS,
  type UserDocument,
  type UserDocuments
} from '../../accounts/documents.ts'
import { apiError } from '../../api/error.ts'
import type { Parameter, Parameters } from '../../api/params.ts'
import { Count, Timestamp } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'
import type { OwnedDeclaration, OwnedRoute } from '../http/owned-routes.ts'

type DocumentRoute = OwnedRoute<UserDocuments>

function route<Params extends Parameters, Body extends TSchema>(
  declaration: OwnedDeclaration<UserDocuments, Params, Body>
): DocumentRoute {
  return declaration
}

const kind: Parameter<DocumentKind> = {
  in: 'path',
  schema: Type.String({
    enum: [...documentKinds],
    description: 'what is kept: arrangements of panels, lists of symbols, or settings'
  }),
  required: true,
  code: 'not_found',
  missing: 'not_found',
  example: 'watchlists',
  read: (written) => documentKinds.find((each) => each === written),
  absent: undefined
}
const id: Parameter<string> = {
  in: 'path',
  schema: Type.String({ maxLength: 40, description: 'a name of small letters, digits and hyphens' }),
  required: true,
  code: 'document_not_found',
  missing: 'document_not_found',
  example: 'stars',
  read: (written) => (/^[a-z0-9][a-z0-9-]{0,39}$/.test(written) ? written : undefined),
  absent: undefined
}

const value = Type.Record(Type.String(), Type.Unknown(), {
  description: 'a JSON object; its fields are those of the page'
})
const document = Type.Object({ id: Type.String(), changed_at: Timestamp(), value }, { title: 'UserDocument' })
const view = ({ id, changedAt, value }: UserDocument) => ({ id, changed_at: isoInstant(changedAt), value })

interface Named {
  readonly kind: DocumentKind
  readonly id: string
}
const nameOf = ({ userId }: { readonly userId: string }, { kind, id }: Named): DocumentName => ({ userId, kind, id })

async function shown(documents: UserDocuments, name: DocumentName) {
  const found = await documents.find(name)
  if (found === undefined) throw apiError('document_not_found')
  return view(found)
}

const held: NonNullable<
  OwnedDeclaration<UserDocuments, { kind: typeof kind; id: typeof id }, TSchema>['current']
> = async (documents, owner, params) => {
  const found = await documents.find(nameOf(owner, params))
  return found && view(found)
}

const guarded = 'With `If-Match: <ETag of a GET>` only while nobody else has changed it, else 409 `document_changed`.'

export const documentRoutes: readonly DocumentRoute[] = [
  route({
    method: 'GET',
    path: '/v1/me/{kind}',
    operationId: 'listDocuments',
    summary: 'What the caller keeps of one kind, by name',
    description:
      'Layouts, watchlists and settings of the pages of the service, which every key of the user reads and changes.',
    params: { kind },
    response: Type.Object({ documents: Type.Array(document), total: Count() }),
    errors: [],
    answer: async (documents, { userId }, params) => {
      const all = await documents.list(userId, params.kind)
      return { documents: all.map(view), total: all.length }
    }
  }),
  route({
    method: 'GET',
    path: '/v1/me/{kind}/{id}',
    operationId: 'getDocument',
    summary: 'A document of the caller',
    description: 'Its `ETag` names this state for `If-Match` of a change.',
    params: { kind, id },
    response: document,
    errors: [],
    answer: (documents, owner, params) => shown(documents, nameOf(owner, params))
  }),
  route({
    method: 'PUT',
    path: '/v1/me/{kind}/{id}',
    operationId: 'putDocument',
    summary: 'Keeps a JSON object of at most 64 KB under a name, in place of what was there',
    description: `The body is the object. ${MAX_DOCUMENTS} of each kind may be kept. ${guarded}`,
    params: { kind, id },
    body: { schema: value, example: { symbols: ['SPY', 'QQQ'] } },
    response: document,
    errors: ['document_limit', 'document_changed'],
    current: held,
    answer: async (documents, owner, params, body) => {
      const kept = await documents.put(nameOf(owner, params), body)
      if (kept === undefined) throw apiError('document_limit')
      return view(kept)
    }
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/{kind}/{id}',
    operationId: 'removeDocument',
    summary: 'Removes a document of the caller',
    description: `Cannot be undone. ${guarded}`,
    params: { kind, id },
    response: document,
    errors: ['document_changed'],
    current: held,
    answer: async (documents, owner, params) => {
      const removed = await shown(documents, nameOf(owner, params))
      await documents.remove(nameOf(owner, params))
      return removed
    }
  })
]
