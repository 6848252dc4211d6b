import type { Chain } from '../market/chain.ts'
import type { PayloadRows } from '../market/payload-rows.ts'
import type { Instant, IsoDate } from '../market/units.ts'

/** Reasons to refuse a chain for good: nothing can make it true. */
export const refusalReasons = ['from_the_future', 'malformed'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Reasons to doubt a chain: it is held back until independent evidence agrees. */
export const chainDoubtReasons = [
  'unusable_quotes',
  'contracts',
  'open_interest',
  'volume',
  'spot_off_options',
  'spot_jump'
] as const
export type ChainDoubtReason = (typeof chainDoubtReasons)[number]
/** Reasons to doubt anything that a source states: chains, the closes of past sessions, daily bars. */
export const doubtReasons = [...chainDoubtReasons, 'past_close', 'daily_bars'] as const
export type DoubtReason = (typeof doubtReasons)[number]

/** A doubt about a symbol's chains, closes or daily bars, from the first one that was held back. */
export interface Doubt {
  readonly reason: DoubtReason
  /** Sentence for the operator. */
  readonly message: string
  /** New York date of the first one that was doubted. */
  readonly session: IsoDate
}

/** A chain that may become current, and everything it is judged by. */
export interface Candidate {
  readonly chain: Chain
  /** The last good chain, even if it comes from the archive; undefined if there is none. */
  readonly held: Chain | undefined
  /** Row counts of the payload; undefined if the source does not give them. */
  readonly reading: PayloadRows | undefined
  /** Market time at which the chain was requested. */
  readonly now: Instant
  /** False if our clock was found to run behind: then no chain counts as from the future by our clock alone. */
  readonly clockIsTrusted: boolean
  /** The clock of the server that sent the chain, if it stated one. */
  readonly servedAt?: Instant | undefined
  /** The doubt that stands against the symbol's chains. */
  readonly doubt: Doubt | undefined
  /** New York date whose settlement of open interest the held chain is known to have. */
  readonly settledOn: IsoDate | undefined
  /** Whether the held chain lists less than once before, which was believed after a while: the rest may come back. */
  readonly heldIsShortened?: boolean | undefined
  /** Reason that the operator has waived until a chain passes without it. */
  readonly waived: DoubtReason | undefined
}

/** A reason not to take a chain, found by one check. */
export type Objection =
  | { readonly kind: 'older'; readonly message: string }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string }
  | { readonly kind: 'doubted'; readonly reason: ChainDoubtReason; readonly message: string }

/** A check of the gate; undefined if it has nothing against the chain. */
export type Check = (candidate: Candidate) => Objection | undefined

export const refused = (reason: RefusalReason, message: string): Objection => ({ kind: 'refused', reason, message })
export const doubted = (reason: ChainDoubtReason, message: string): Objection => ({ kind: 'doubted', reason, message })
