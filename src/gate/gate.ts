import { tradingDays } from '../market/calendar.ts'
import type { Chain } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import { eachShared, liveExpirations } from '../market/shared-contracts.ts'
import {
  type Candidate,
  type ChainDoubtReason,
  type Check,
  type DoubtReason,
  doubtReasons,
  type RefusalReason,
  refusalReasons
} from './candidate.ts'
import { chronology } from './chronology.ts'
import { contracts, isSplit } from './contracts.ts'
import { settledInterest } from './open-interest.ts'
import { quotes } from './quotes.ts'
import { readable } from './readable.ts'
import { repetition } from './repetition.ts'
import { volume } from './session-volume.ts'
import { spotAgainstOptions } from './spot.ts'

/** Reasons not to take what a source states, in the order of metrics and documents. */
export const heldBackReasons = [...refusalReasons, ...doubtReasons] as const
export type HeldBackReason = RefusalReason | DoubtReason

/**
 * The verdict on a candidate: it becomes current; it is older than the held chain and dropped; it is doubted and held
 * back until evidence agrees; or it is refused for good.
 */
export type GateVerdict =
  | { readonly kind: 'taken' }
  | { readonly kind: 'older'; readonly message: string }
  | { readonly kind: 'doubted'; readonly reason: DoubtReason; readonly message: string; readonly settledBy: string }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string }

/** Evidence that ends each doubt, as a clause that follows "until". Another source or the operator always may. */
const evidence: Readonly<Record<ChainDoubtReason, string>> = {
  unusable_quotes: 'its quotes can be used again',
  contracts: 'the whole list is back, or the same short one comes in a later session',
  open_interest: 'open interest is as it was, or the next settlement comes',
  volume: 'volume is what it was and more, or the next session comes',
  spot_off_options: 'spot and options agree again',
  spot_jump: 'options confirm it, or a later session where none are listed'
}

/** Checks that compare with the held chain in order of time, and those that a split or a long time makes meaningless. */
const first: readonly Check[] = [chronology, repetition, readable]
const rest: readonly Check[] = [quotes, contracts, settledInterest, volume, spotAgainstOptions]

/**
 * Judges a chain before it becomes current. A source is trusted as little as a client: what contradicts the clock, the
 * held chain or itself stays out. That it lasts is no evidence for it.
 */
export function judge(candidate: Candidate): GateVerdict {
  const { chain, held, waived } = candidate
  const isComparable = held === undefined || !(isSplit(held, chain) || isLongAgo(held, chain))
  const comparable = isComparable ? candidate : { ...candidate, held: undefined }
  for (const objection of objections(candidate, comparable)) {
    if (objection.kind !== 'doubted') return objection
    if (objection.reason !== waived) return { ...objection, settledBy: evidence[objection.reason] }
  }
  return { kind: 'taken' }
}

/** Sessions between two chains beyond which prices, lists and open interest may have moved anywhere. */
const MAX_SESSIONS_APART = 5

function isLongAgo(held: Chain, chain: Chain): boolean {
  if (!Number.isFinite(chain.asOf)) return false
  return tradingDays(easternDate(held.asOf), easternDate(chain.asOf)).length - 1 > MAX_SESSIONS_APART
}

function* objections(candidate: Candidate, comparable: Candidate) {
  for (const check of first) {
    const objection = check(candidate)
    if (objection !== undefined) yield objection
  }
  for (const check of rest) {
    const objection = check(comparable)
    if (objection !== undefined) yield objection
  }
}

/** Largest difference of spot and of open interest between two sources that confirm each other, as fractions. */
const SAME_SPOT = 0.01
const SAME_INTEREST = 0.05
/** Minimum fraction of the contracts of each of two such chains that the other lists too. */
const SAME_CONTRACTS = 0.9

/** Whether the chains of two sources say the same: either of them is then evidence for the other. */
export function sayTheSame(one: Chain, other: Chain): boolean {
  if (Math.abs(Math.log(one.spot / other.spot)) > SAME_SPOT) return false
  let [shared, interest, otherInterest] = [0, 0, 0]
  eachShared(one, other, (i, k) => {
    shared++
    interest += Math.max(0, one.openInterest[i])
    otherInterest += Math.max(0, other.openInterest[k])
  })
  const live = Math.max(liveContracts(one, other), liveContracts(other, other))
  if (shared < SAME_CONTRACTS * live) return false
  return Math.abs(interest - otherInterest) <= SAME_INTEREST * Math.max(interest, otherInterest)
}

function liveContracts(chain: Chain, at: Chain): number {
  return liveExpirations(chain, at).reduce((sum, { start, end }) => sum + end - start, 0)
}
