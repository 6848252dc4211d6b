import type { Instant } from '../../market/units.ts'
import type { Input } from './input.ts'

/** The caller's account, for the endpoint that shows it. */
export interface AccountView {
  readonly userId: string
  readonly email: string
  readonly plan: string
  readonly dailyLimit: number | undefined
  readonly usedToday: number
  readonly resetsAt: Instant
  /** Requests of each of the last 90 days that has any, oldest first. Read where it is shown. */
  readonly usageByDay: () => readonly { readonly date: string; readonly requests: number }[]
}

/** The account that the request came with; the endpoint's plan makes sure that there is one. */
export const account: Input<AccountView> = {
  kind: 'service',
  inPlace: true,
  moves: false,
  find: ({ facts }) => facts!.account!,
  version: () => ''
}
