import Type, { type Static, type TSchema } from 'typebox'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Database, Queries } from '../../accounts/database.ts'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { User } from '../../accounts/users.ts'
import { apiError, type ErrorCode } from '../../api/error.ts'
import { type Parameter, type Parameters, type ValuesOf, whole } from '../../api/params.ts'
import type { Plans } from '../../api/plan.ts'
import { Count } from '../../api/quantity.ts'
import type { DoubtControl } from './admin-doubts.ts'

export interface AdminStores {
  readonly accounts: Accounts
  readonly database: Database
  readonly quota: QuotaCounters
  readonly plans: Plans
  readonly doubtControl: DoubtControl
  /**
   * Reads plans, presets and log level anew and returns what changed, in words. Throws a ConfigError if a file has a
   * mistake; then nothing changes.
   */
  readonly reload: (actor: string) => Promise<readonly string[]>
  /** Wall-clock time, for the audit trail. */
  readonly now: () => number
}

interface Declaration<Params extends Parameters, Body extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** What the operation is for, and what to know before it is used. */
  readonly description: string
  readonly params: Params
  readonly body?: { readonly schema: Body; readonly example: unknown }
  readonly response: TSchema
  readonly errors: readonly ErrorCode[]
  /** Makes the change and returns the response. `actor`, the person who asked for it, is written to the audit trail. */
  readonly answer: (stores: AdminStores, params: ValuesOf<Params>, body: Static<Body>, actor: string) => unknown
}

export type AdminRoute = Omit<Declaration<Parameters, TSchema>, 'answer'> & {
  readonly answer: (stores: AdminStores, params: never, body: never, actor: string) => unknown
}

/** Declares an admin operation. The compiler checks that its parameters, body and response fit together. */
export function route<Params extends Parameters, Body extends TSchema>(
  declaration: Declaration<Params, Body>
): AdminRoute {
  return declaration
}

const limit = whole({ description: 'a whole number of rows', default: 100, minimum: 1, maximum: 500 })
/** Has an upper bound, because all rows before the requested page must be read. */
const offset = whole({ description: 'a whole number of rows to skip', default: 0, minimum: 0, maximum: 1_000_000 })
export const paging = { limit, offset }
export const pageFields = { limit: Count(), offset: Count() }

function idInPath(code: ErrorCode): Parameter<string> {
  const description = 'the id of one that exists'
  const read = (text: string) => (/^[0-9a-f-]{36}$/.test(text) ? text : undefined)
  const schema = Type.String({ maxLength: 36, description })
  const example = '3f2c8b1e-5d94-4a6f-9c07-2e1b8d4f6a53'
  return { in: 'path', schema, required: true, code, missing: code, example, read, absent: undefined }
}
export const userId = { id: idInPath('user_not_found') }
export const keyId = { id: idInPath('key_not_found') }

/** Finds a user by id. Fails with an API error if there is none. */
export async function userOf({ accounts }: AdminStores, id: string, read?: Queries): Promise<User> {
  const user = await accounts.users.find(id, read)
  if (user === undefined) throw apiError('user_not_found')
  return user
}
