import { batch, signal } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { figures } from '../service/figures.ts'
import { type Method, send } from '../service/send.ts'

/** The account behind the session. It is always the present one, in replay too. */
export const account = figures('/v1/account', { params: () => ({}), at: () => undefined })

/** Administration: the answers below /v1/admin. */

export interface User {
  readonly id: string
  readonly email: string
  /** Id of the plan. */
  readonly plan: string
  readonly subscribed_on: string
  readonly usage_today: number
  /** null: unlimited. */
  readonly daily_limit: number | null
}

export interface Key {
  readonly id: string
  /** The last four characters. */
  readonly hint: string
  readonly name: string
  readonly role: string
  readonly created_at: string
  readonly ends_at: string | null
  readonly revoked_at: string | null
}

export interface Bundle {
  readonly user_id: string
  readonly blocks: number
  readonly ends_at: string | null
}

export interface AuditEntry {
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly detail: Readonly<Record<string, string>>
}

export interface Plan {
  readonly id: string
  readonly name: string
}

/** A new key, which is shown only once. */
export interface MadeKey {
  readonly key: string
  readonly email: string
}

export const users = signal<readonly User[]>()
/** The number of all users, of which the page shows some. */
export const userCount = signal(0)
export const plans = signal<readonly Plan[]>([])
export const bundles = signal<readonly Bundle[]>([])
export const audit = signal<readonly AuditEntry[]>([])
/** Id of the user whose keys are shown. */
export const chosen = signal<string>()
export const keys = signal<readonly Key[]>()
/** The key that was just made, until it is copied. */
export const madeKey = signal<MadeKey>()
/** Why the service refused the last change. */
export const refusal = signal<ApiError>()

/** The most rows that the service returns. */
const MOST = 500
const RECENT = 60

const ask = (method: Method, path: string, body?: unknown) => send(method, `/v1/admin/${path}`, body)

/** Reads everything again. */
export async function renew(): Promise<void> {
  await attempt(async () => {
    const [ofUsers, ofPlans, ofBundles, ofAudit] = (await Promise.all([
      ask('GET', `users?limit=${MOST}`),
      ask('GET', 'plans'),
      ask('GET', `bundles?limit=${MOST}`),
      ask('GET', `audit?limit=${RECENT}`)
    ])) as [
      { readonly users: readonly User[]; readonly total: number },
      { readonly plans: readonly Plan[] },
      { readonly bundles: readonly Bundle[] },
      { readonly entries: readonly AuditEntry[] }
    ]
    batch(() => {
      users.value = ofUsers.users
      userCount.value = ofUsers.total
      plans.value = ofPlans.plans
      bundles.value = ofBundles.bundles
      audit.value = ofAudit.entries
    })
    const isThere = ofUsers.users.some(({ id }) => id === chosen.peek())
    await choose(isThere ? chosen.peek() : ofUsers.users[0]?.id)
  })
}

export async function choose(id: string | undefined): Promise<void> {
  if (id !== chosen.peek()) keys.value = undefined
  chosen.value = id
  if (id === undefined) return
  await attempt(async () => {
    const found = (await ask('GET', `users/${id}/keys`)) as { readonly keys: readonly Key[] }
    if (chosen.peek() === id) keys.value = found.keys
  })
}

/** Makes a change and reads everything again. Undefined if the change was refused. */
async function change(method: Method, path: string, body?: unknown): Promise<unknown> {
  const made = await attempt(() => ask(method, path, body))
  if (made !== undefined) await renew()
  return made
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  refusal.value = undefined
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    refusal.value = error
    return undefined
  }
}

export async function createUser(email: string, plan: string): Promise<boolean> {
  const made = (await change('POST', 'users', { email, plan })) as User | undefined
  if (made !== undefined) await choose(made.id)
  return made !== undefined
}

export const setPlan = (id: string, plan: string) => change('PATCH', `users/${id}`, { plan })
export const removeUser = (id: string) => change('DELETE', `users/${id}`)
export const revokeKey = (id: string) => change('DELETE', `keys/${id}`)
export const endBundle = (userId: string) => change('DELETE', `users/${userId}/bundle`)

/** `until`: the last day, yyyy-MM-dd; empty: no end. */
export const grantBundle = (userId: string, blocks: number, until: string) =>
  change('PUT', `users/${userId}/bundle`, { blocks, ...(until !== '' && { until }) })

export async function createKey(userId: string, name: string, until: string): Promise<boolean> {
  const body = { ...(name !== '' && { name }), ...(until !== '' && { until }) }
  return shown(await change('POST', `users/${userId}/keys`, body))
}

/** The old key works for another day. */
export async function rotateKey(id: string): Promise<boolean> {
  return shown(await change('POST', `keys/${id}/rotate`, {}))
}

function shown(made: unknown): boolean {
  if (made !== undefined) madeKey.value = made as MadeKey
  return made !== undefined
}
