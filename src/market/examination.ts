import { latestSession } from './calendar.ts'
import { CALL, type Chain, type Expiration } from './chain.ts'
import { isLive, isMarketOpen } from './clock.ts'
import type { PayloadRows } from './payload-rows.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_MINUTE } from './units.ts'

/** Reasons to refuse a chain, in the order of the checks. */
export const refusalReasons = ['from_the_future', 'malformed', 'unusable_quotes', 'spot_jump'] as const
export type RefusalReason = (typeof refusalReasons)[number]

export interface ChainRefusal {
  readonly reason: RefusalReason
  /** Sentence for the operator. */
  readonly message: string
  /**
   * Identifies a surprising change in the chain: if enough polls in a row show the same change, it is accepted.
   * Undefined if it never may be.
   */
  readonly claim: string | undefined
}

/** The claim on which the last polls agree, and the number of those polls. */
export interface Agreement {
  readonly claim: string
  readonly polls: number
}

export interface Examined {
  readonly chain: Chain
  readonly held: Chain | undefined
  /** Row counts of the new chain's payload; undefined if the source does not give them. */
  readonly reading: PayloadRows | undefined
  /** Market time at which the new chain was requested. */
  readonly now: Instant
  /** False if our clock was found to run behind: then no chain counts as from the future. */
  readonly clockIsTrusted: boolean
  readonly agreed: Agreement | undefined
}

/** Largest lead of a chain's time over our clock, milliseconds. */
export const MAX_AHEAD = 2 * MILLISECONDS_PER_MINUTE
/** Minimum fraction of the payload's rows that must be readable. */
const MIN_READABLE = 0.5
/** Minimum fraction of the current chain's live contracts and expirations that must remain in the same session. */
const MIN_KEPT = 0.7
/** Maximum fraction of the contracts with open interest or volume that may have unusable quotes. */
const MAX_UNUSABLE = 0.2
/** Maximum fraction of the contracts whose bid may exceed their ask. */
const MAX_CROSSED = 0.1
/** Largest move of spot between two polls that options need not confirm, as a fraction. */
const MAX_SPOT_JUMP = 0.15
/** Fraction of spot's log move that option prices must have followed: VIX futures follow half of it. */
const MIN_FOLLOWED = 0.5
/**
 * Fraction of spot's move from which agreeing polls are accepted, so that an index whose futures lag is not blocked
 * forever.
 */
const MIN_LAGGING = 0.25
/** Consecutive polls that must agree on a surprising change before it is accepted. */
const POLLS_THAT_AGREE = 3

/**
 * Examines a chain before it replaces the current one; undefined if it passes. A source is trusted as little as a
 * client, and no single poll can contradict the previous one.
 */
export function examine(examined: Examined): ChainRefusal | undefined {
  const refusal =
    fromTheFuture(examined) ??
    unreadable(examined) ??
    lessThanHeld(examined) ??
    unusableQuotes(examined) ??
    spotJump(examined)
  if (refusal?.claim === undefined) return refusal
  const { agreed } = examined
  return agreed?.claim === refusal.claim && agreed.polls >= POLLS_THAT_AGREE - 1 ? undefined : refusal
}

/** Updates the agreement with the latest poll. A chain that is accepted, or refused without a claim, resets it. */
export function agreementAfter(before: Agreement | undefined, claim: string | undefined): Agreement | undefined {
  if (claim === undefined) return undefined
  return { claim, polls: before?.claim === claim ? before.polls + 1 : 1 }
}

const refused = (reason: RefusalReason, message: string, claim?: string): ChainRefusal => ({ reason, message, claim })

function fromTheFuture({ chain: { asOf }, now, clockIsTrusted }: Examined): ChainRefusal | undefined {
  if (!Number.isFinite(asOf)) return refused('malformed', 'it does not say which moment it shows')
  if (!clockIsTrusted || asOf <= now + MAX_AHEAD) return undefined
  return refused('from_the_future', `it is of ${isoInstant(asOf)} where the clock says ${isoInstant(now)}`)
}

function unreadable({ chain: { spot }, reading }: Examined): ChainRefusal | undefined {
  if (!(spot > 0 && spot < Number.POSITIVE_INFINITY)) return refused('malformed', 'it has no price of the underlying')
  if (reading === undefined || reading.rows - reading.unreadable >= MIN_READABLE * reading.rows) return undefined
  return refused('malformed', `${reading.unreadable} of its ${reading.rows} contracts cannot be read`)
}

/** Refuses a chain if live contracts or expirations are missing. An empty chain is never accepted. */
function lessThanHeld({ chain, held }: Examined): ChainRefusal | undefined {
  if (held === undefined) return undefined
  const live = held.expirations.filter(({ date, settlement }) => isLive(chain.asOf, date, settlement))
  if (live.length === 0) return undefined
  if (chain.size === 0) return refused('malformed', `it lists no options where ${held.size} are held`)
  if (latestSession(chain.asOf).date > latestSession(held.asOf).date) return undefined
  const listed = new Map(chain.expirations.map((expiration) => [nameOf(expiration), expiration]))
  const kept = live.flatMap((expiration) => {
    const again = listed.get(nameOf(expiration))
    return again === undefined ? [] : [sharedContracts(held, expiration, chain, again)]
  })
  const contracts = sum(live.map(({ start, end }) => end - start))
  const keptContracts = sum(kept)
  if (kept.length < MIN_KEPT * live.length) {
    return refused('malformed', `it lists ${kept.length} of the ${live.length} live expirations`, claimOf(chain))
  }
  if (keptContracts < MIN_KEPT * contracts) {
    return refused('malformed', `it lists ${keptContracts} of the ${contracts} live contracts`, claimOf(chain))
  }
  return undefined
}

const nameOf = ({ root, date }: Expiration) => `${root} ${date}`

/** Text that identifies what a chain lists: each expiration, its contracts and their strikes. */
function claimOf({ expirations, strike }: Chain): string {
  return expirations
    .map(({ root, date, start, end }) => `${root} ${date} ${end - start} ${sum([...strike.subarray(start, end)])}`)
    .join()
}

/** Number of contracts of one expiration that two chains share; both list them by strike, call before put. */
function sharedContracts(held: Chain, one: Expiration, chain: Chain, other: Expiration): number {
  let shared = 0
  for (let i = one.start, k = other.start; i < one.end && k < other.end; ) {
    const order = held.strike[i] - chain.strike[k] || held.right[i] - chain.right[k]
    if (order === 0) shared++
    if (order <= 0) i++
    if (order >= 0) k++
  }
  return shared
}

/**
 * Refuses a chain if too many quotes are unusable. While the market is closed, contracts without a quote are normal.
 */
function unusableQuotes({ chain, reading }: Examined): ChainRefusal | undefined {
  const { bid, ask, openInterest, volume } = chain
  const isOpen = isMarketOpen(chain.asOf)
  let contracts = 0
  let crossed = 0
  let liquid = reading?.unusableLiquid ?? 0
  let unusable = liquid
  for (const { date, settlement, start, end } of chain.expirations) {
    if (!isLive(chain.asOf, date, settlement)) continue
    contracts += end - start
    for (let i = start; i < end; i++) {
      if (ask[i] > 0 && bid[i] > ask[i]) crossed++
      if (!(openInterest[i] > 0 || volume[i] > 0)) continue
      liquid++
      if (isOpen && !(bid[i] > 0 || ask[i] > 0)) unusable++
    }
  }
  if (liquid === 0 && reading !== undefined) {
    liquid = contracts + reading.unusable
    unusable = reading.unusable
  }
  if (unusable > MAX_UNUSABLE * liquid) {
    return refused('unusable_quotes', `${unusable} of its ${liquid} traded contracts have no usable quote`)
  }
  if (crossed > MAX_CROSSED * contracts) {
    return refused('unusable_quotes', `${crossed} of its ${contracts} contracts are bid above their offer`)
  }
  return undefined
}

/** Refuses a chain whose spot moved implausibly far while option prices stayed. */
function spotJump({ chain, held }: Examined): ChainRefusal | undefined {
  if (held === undefined || Math.abs(chain.spot / held.spot - 1) <= MAX_SPOT_JUMP) return undefined
  const moved = `spot went from ${held.spot} to ${chain.spot}`
  const claim = `spot ${chain.spot.toPrecision(2)}`
  const after = paritySpot(chain)
  if (after === undefined) {
    return refused('spot_jump', `${moved} and no options tell whether it did`, claim)
  }
  // The options' earlier level comes from parity too, so that a constant difference between spot and parity, as with
  // VIX futures, cancels.
  const before = paritySpot(held) ?? held.spot
  const followed = Math.log(after / before) / Math.log(chain.spot / held.spot)
  if (followed >= MIN_FOLLOWED) return undefined
  const message = `${moved} while the options say ${after.toFixed(2)}`
  return refused('spot_jump', message, followed >= MIN_LAGGING ? claim : undefined)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Maximum number of strikes used, and the minimum for an expiration to count. */
const MAX_PAIRS = 5
const MIN_PAIRS = 3

/**
 * Price of the underlying implied by its options, USD: the median of K + C - P over the (at most) five strikes of the
 * nearest live expiration whose call and put quotes are closest to each other. Carry is ignored; it is below a few
 * percent for near expirations. Undefined if no expiration has three such strikes.
 */
export function paritySpot(chain: Chain): number | undefined {
  for (const { date, settlement, start, end } of chain.expirations) {
    if (!isLive(chain.asOf, date, settlement)) continue
    const pairs = pairsOf(chain, start, end)
    if (pairs.length >= MIN_PAIRS) return medianOf(pairs.slice(0, MAX_PAIRS).map(({ spot }) => spot))
  }
  return undefined
}

interface Pair {
  /** Difference of call and put price: smallest near the money. */
  readonly gap: number
  readonly spot: number
}

function pairsOf(chain: Chain, start: number, end: number): readonly Pair[] {
  const { strike, right } = chain
  const pairs: Pair[] = []
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i]) continue
    const difference = midOf(chain, i) - midOf(chain, i + 1)
    if (!Number.isNaN(difference)) pairs.push({ gap: Math.abs(difference), spot: strike[i] + difference })
  }
  return pairs.sort((a, b) => a.gap - b.gap)
}

function midOf({ bid, ask }: Chain, i: number): number {
  return bid[i] > 0 && ask[i] >= bid[i] ? (bid[i] + ask[i]) / 2 : Number.NaN
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
