import { latestSession } from './calendar.ts'
import { CALL, type Chain, type Expiration } from './chain.ts'
import { isLive, isMarketOpen } from './clock.ts'
import type { PayloadRows } from './payload-rows.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_MINUTE } from './units.ts'

/** Why a snapshot may be refused, in the order in which it is asked. */
export const refusalReasons = ['from_the_future', 'malformed', 'unusable_quotes', 'spot_jump'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Why a snapshot does not take the place of the one that is held. */
export interface ChainRefusal {
  readonly reason: RefusalReason
  /** A sentence for the operator. */
  readonly message: string
  /** What the snapshot says that is doubted: polls in a row that say the same are believed. Undefined: never believed. */
  readonly claim: string | undefined
}

/** What the polls before this one claimed alike, and how many they were. */
export interface Agreement {
  readonly claim: string
  readonly polls: number
}

/** A snapshot, and what it is judged by. */
export interface Examined {
  readonly chain: Chain
  /** The snapshot whose place it would take. */
  readonly held: Chain | undefined
  /** What became of the rows of its payload; undefined where the source does not say. */
  readonly reading: PayloadRows | undefined
  /** The moment of the market when it was asked for. */
  readonly now: Instant
  /** False where the clock was found to run behind: nothing is from the future then. */
  readonly clockIsTrusted: boolean
  readonly agreed: Agreement | undefined
}

/** How far the moment of a snapshot may lie past the clock, milliseconds. */
export const MAX_AHEAD = 2 * MILLISECONDS_PER_MINUTE
/** The part of the rows of a payload that must be readable. */
const MIN_READABLE = 0.5
/** The part of the live contracts and expirations of the held snapshot that must still be there in the same session. */
const MIN_KEPT = 0.7
/** The part of the contracts with open interest or volume whose quotes may be of no use. */
const MAX_UNUSABLE = 0.2
/** The part of the contracts that may be bid above their offer. */
const MAX_CROSSED = 0.1
/** How far spot may move between two polls, as a fraction, without the options following. */
const MAX_SPOT_JUMP = 0.15
/** The part of the move of spot that the options must have made, on a log scale: futures of the VIX move half of it. */
const MIN_FOLLOWED = 0.5
/** From this part on polls in a row that agree are believed, so that an index whose futures lag is not held for ever. */
const MIN_LAGGING = 0.25
/** Polls in a row that must agree on what is doubted before it is believed. */
const POLLS_THAT_AGREE = 3

/**
 * The one examination that every snapshot passes before it takes the place of the one that is held. Undefined where it
 * may. It trusts a source as little as a client, and no single poll about what contradicts the poll before.
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

/** What the polls up to this one claim alike. A snapshot that is taken, or refused for good, ends an agreement. */
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

/** Whether contracts or expirations are gone that the calendar has live. An empty list is never believed. */
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

/** What a chain lists, in words that tell it from any other listing: each expiration, its contracts and their strikes. */
function claimOf({ expirations, strike }: Chain): string {
  return expirations
    .map(({ root, date, start, end }) => `${root} ${date} ${end - start} ${sum([...strike.subarray(start, end)])}`)
    .join()
}

/** How many contracts of one expiration two chains share: both list them by strike, call before put. */
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

/** Whether too many quotes say nothing. A contract without any is no fault of the source while the market is closed. */
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

/** Whether spot has moved as no market does while the options stay where they were. */
function spotJump({ chain, held }: Examined): ChainRefusal | undefined {
  if (held === undefined || Math.abs(chain.spot / held.spot - 1) <= MAX_SPOT_JUMP) return undefined
  const moved = `spot went from ${held.spot} to ${chain.spot}`
  const claim = `spot ${chain.spot.toPrecision(2)}`
  const after = paritySpot(chain)
  if (after === undefined) {
    return refused('spot_jump', `${moved} and no options tell whether it did`, claim)
  }
  // Where the options stood is told by parity too, so that what they quote around, as futures of the VIX, falls out.
  const before = paritySpot(held) ?? held.spot
  const followed = Math.log(after / before) / Math.log(chain.spot / held.spot)
  if (followed >= MIN_FOLLOWED) return undefined
  const message = `${moved} while the options say ${after.toFixed(2)}`
  return refused('spot_jump', message, followed >= MIN_LAGGING ? claim : undefined)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Strikes whose call and put are read, at most, and at least for an expiration to count. */
const MAX_PAIRS = 5
const MIN_PAIRS = 3

/**
 * The price of the underlying as the options have it, USD: the median of K + C - P over the (at most) five strikes of the
 * nearest live expiration whose call and put quote closest to each other. Carry is left out, which is below a few percent
 * for what expires soon. Undefined where no expiration quotes three such strikes.
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
  /** How far call and put are from each other: least near the money. */
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
