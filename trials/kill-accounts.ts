import type { Service } from '../test/support/started-service.ts'
import type { Acknowledged } from './kill-load.ts'

/** A user whose requests are counted: what the service knew of them after the kill of their round. */
export interface Meter {
  readonly email: string
  /** The UTC day of their round. */
  readonly day: string
  readonly used: number
}

export interface StoredUser {
  readonly email: string
  readonly usage_today: number
}

/** Older users whose keys are tried again after each kill. */
const MAX_TRIED = 10

/** All users that the service knows. Administration is not counted. */
export const storedUsers = (service: Service) => everyPage<StoredUser>(service, '/v1/admin/users', 'users')

/** Number of today's requests counted for a user; NaN for an unknown user. */
export function usedOf(stored: readonly StoredUser[], email: string): number {
  return stored.find((user) => user.email === email)?.usage_today ?? Number.NaN
}

/** Lists acknowledged users that are missing or doubled; the `newest` of them are checked closely. */
export async function faultsOfAccounts(
  service: Service,
  stored: readonly StoredUser[],
  users: readonly Acknowledged[],
  newest: number
): Promise<readonly string[]> {
  const faults: string[] = []
  const times = new Map<string, number>()
  for (const { email } of stored) times.set(email, (times.get(email) ?? 0) + 1)
  for (const [email, count] of times) if (count > 1) faults.push(`${email} is there ${count} times`)
  for (const { email } of users) if (!times.has(email)) faults.push(`${email} was acknowledged and is gone`)

  const close = users.slice(-newest)
  for (const { email } of close) {
    if (usedOf(stored, email) !== 0) faults.push(`${email} asked nothing and has ${usedOf(stored, email)} requests`)
  }
  for (const { email, keys } of [...users.slice(0, MAX_TRIED), ...close]) {
    for (const key of keys) {
      const { status } = await service.ask('/v1/stream/catalog', key) // asks for a key and counts nothing
      if (status !== 200) faults.push(`a key of ${email} was acknowledged and answers ${status}`)
    }
  }
  const bundles = await everyPage<{ readonly email: string }>(service, '/v1/admin/bundles', 'bundles')
  for (const { email, hasBundle } of close) {
    const count = bundles.filter((bundle) => bundle.email === email).length
    if (hasBundle ? count !== 1 : count > 1) faults.push(`${email} has ${count} bundles`)
  }
  const trail = await everyPage<{ readonly action: string; readonly target: string }>(
    service,
    '/v1/admin/audit',
    'entries'
  )
  for (const { email } of close) {
    const count = trail.filter(({ action, target }) => action === 'user.create' && target === email).length
    if (count !== 1) faults.push(`the audit trail has the creation of ${email} ${count} times`)
  }
  return faults
}

async function everyPage<Row>(service: Service, path: string, field: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let offset = 0; ; ) {
    const { status, json, text } = await service.ask(`${path}?limit=500&offset=${offset}`, service.keys.enterprise)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    const page = json![field] as readonly Row[]
    rows.push(...page)
    offset += page.length
    if (page.length < 500) return rows
  }
}
