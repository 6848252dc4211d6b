import { randomUUID } from 'node:crypto'
import type { Changes, Database, Queries } from './database.ts'

export const auditActions = [
  'user.create',
  'user.set_plan',
  'user.remove',
  'user.link',
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
  'browser.add',
  'browser.remove',
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

/** Writes an action to the audit trail, in the transaction of the action, so that both are stored or neither. */
export async function audit(tx: Changes, now: number, entry: AuditEntry): Promise<void> {
  const { actor, action, target, detail } = entry
  const at = new Date(now).toISOString()
  const row = { id: randomUUID(), at, actor, action, target, detail: JSON.stringify(detail) }
  await tx.insertInto('audit').values(row).execute()
}

export async function wasEverUsed(read: Queries): Promise<boolean> {
  return (await read.selectFrom('audit').select('id').limit(1).execute()).length > 0
}

/** Audited actions, newest first: `limit` of them at most, without the newest `offset`. */
export async function auditTrail(
  { read }: Pick<Database, 'read'>,
  limit: number,
  offset = 0
): Promise<(AuditEntry & { readonly at: string })[]> {
  const query = read.selectFrom('audit').selectAll().orderBy('at', 'desc').limit(limit).offset(offset)
  const rows = await query.execute()
  return rows.map(({ at, actor, action, target, detail }) => ({
    at,
    actor,
    action: action as AuditAction,
    target,
    detail: JSON.parse(detail)
  }))
}
