import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

export const auditActions = [
  'user.create',
  'user.set_plan',
  'user.remove',
  'key.create',
  'key.revoke',
  'key.rotate',
  'bundle.grant',
  'bundle.revoke',
  'demo.remove',
  'alert.create',
  'alert.change',
  'alert.remove',
  'webhook.rotate',
  'doubt.accept',
  'settings.reload'
] as const
export type AuditAction = (typeof auditActions)[number]

export interface AuditEntry {
  readonly actor: string
  readonly action: AuditAction
  /** Email of the user, or of the owner of the key; the symbol of a doubt. */
  readonly target: string
  readonly detail: Readonly<Record<string, string>>
}

/**
 * Writes an action to the audit trail. Call it inside the transaction of the action, so that both are stored or
 * neither.
 */
export function audit(database: Database, now: number, entry: AuditEntry): void {
  const { actor, action, target, detail } = entry
  const at = new Date(now).toISOString()
  const row = { id: randomUUID(), at, actor, action, target, detail: JSON.stringify(detail) }
  database.run(database.build.insertInto('audit').values(row))
}

export function wasEverUsed(database: Database): boolean {
  return database.rows(database.build.selectFrom('audit').select('id').limit(1)).length > 0
}

/** Audited actions, newest first: `limit` of them at most, without the newest `offset`. */
export function auditTrail(database: Database, limit: number, offset = 0): (AuditEntry & { readonly at: string })[] {
  const query = database.build.selectFrom('audit').selectAll().orderBy('at', 'desc').limit(limit).offset(offset)
  return database.rows(query).map(({ at, actor, action, target, detail }) => ({
    at,
    actor,
    action: action as AuditAction,
    target,
    detail: JSON.parse(detail)
  }))
}
