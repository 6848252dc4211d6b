import type { FastifyInstance } from 'fastify'
import type { UserDocuments } from '../../accounts/documents.ts'
import { mountOwnedRoutes, type OwnedHostOptions, ownedPaths } from '../http/owned-routes.ts'
import { documentRoutes } from './document-routes.ts'

/** Maximum size of a document, bytes. */
const MAX_BODY_BYTES = 64 * 1024

/** Adds the routes with which pages keep what their reader chose. */
export function mountDocuments(app: FastifyInstance, documents: UserDocuments, options: OwnedHostOptions): void {
  mountOwnedRoutes(app, documentRoutes, documents, {
    ...options,
    noun: 'documents',
    maxBodyBytes: MAX_BODY_BYTES,
    paces: { changes: () => ({ burst: 60, perMinute: 120 }) }
  })
}

export const documentPaths = ownedPaths(documentRoutes, 'documents')
