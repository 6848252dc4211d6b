import type { Instant } from '../../market/units.ts'
import type { Entitlement } from '../plan.ts'
import type { Input } from './input.ts'

export interface Capabilities {
  /** Streaming rights; undefined without an active streaming bundle. */
  readonly stream:
    | {
        /** First moment without the bundle; undefined if the bundle has no end. */
        readonly until: Instant | undefined
        readonly limit: number
        readonly used: number
      }
    | undefined
  readonly replay: boolean
  readonly admin: boolean
  /** Maximum age of data in responses, milliseconds. */
  readonly freshness: number
  /** Entitlements by their names in the plan file. */
  readonly features: readonly Entitlement[]
}

export interface AccountView {
  readonly userId: string
  readonly email: string
  /** Last four characters of the key used, or of the key that began the browser session. */
  readonly keyHint: string
  readonly plan: string
  readonly dailyLimit: number | undefined
  readonly usedToday: number
  readonly resetsAt: Instant
  /** Requests per day over the last 90 days, oldest first, without empty days. */
  readonly usageByDay: readonly { readonly date: string; readonly requests: number; readonly ofPanels: number }[]
  readonly capabilities: () => Capabilities
}

/** Account of the request; the endpoint's plan ensures that there is one. */
export const account: Input<AccountView> = {
  kind: 'service',
  inPlace: true,
  moves: false,
  find: ({ facts }) => facts!.account!,
  version: () => ''
}
