import type { Instant } from '../../market/units.ts'
import type { Entitlement } from '../plan.ts'
import type { Input } from './input.ts'

/** What an account may use of the service. */
export interface Capabilities {
  /** Undefined without a streaming bundle that runs. */
  readonly stream:
    | {
        /** The first moment without it; undefined: it does not end. */
        readonly until: Instant | undefined
        /** Subscriptions, by their cost. */
        readonly limit: number
        readonly used: number
      }
    | undefined
  readonly replay: boolean
  readonly admin: boolean
  /** How old the data of an answer may be, milliseconds. */
  readonly freshness: number
  /** The words of the plan file. */
  readonly features: readonly Entitlement[]
}

/** The caller's account, for the endpoint that shows it. */
export interface AccountView {
  readonly userId: string
  readonly email: string
  /** The last four characters of the key that asks, or that its session was begun with. */
  readonly keyHint: string
  readonly plan: string
  readonly dailyLimit: number | undefined
  readonly usedToday: number
  readonly resetsAt: Instant
  /** Requests of each of the last 90 days that has any, oldest first. Read where it is shown. */
  readonly usageByDay: () => readonly { readonly date: string; readonly requests: number }[]
  readonly capabilities: () => Capabilities
}

/** The account that the request came with; the endpoint's plan makes sure that there is one. */
export const account: Input<AccountView> = {
  kind: 'service',
  inPlace: true,
  moves: false,
  find: ({ facts }) => facts!.account!,
  version: () => ''
}
