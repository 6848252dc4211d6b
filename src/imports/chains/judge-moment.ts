import { isSplit } from '../../gate/contracts.ts'
import { daysBetween, type Session } from '../../market/calendar.ts'
import { CALL, type Chain, CONTRACT_SIZE } from '../../market/chain.ts'
import { isLive } from '../../market/clock.ts'
import { easternDate, easternDateTime } from '../../market/eastern.ts'
import { impliedSpot, parityValues } from '../../market/implied-spot.ts'
import { isVolatilityIndex, securityKind } from '../../market/security.ts'
import { eachShared, liveExpirations } from '../../market/shared-contracts.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { optionRoots } from '../../market/wanted-roots.ts'
import { median } from '../../math/statistics.ts'
import { SYMBOLS_CHANGED } from '../tables/row-contract.ts'
import type { Moment, MomentRow } from './moment-rows.ts'
import { contractText, type ResolvedMoment } from './resolve-moment.ts'

/** Why a moment is doubted. Equal kinds are counted together in reports. */
export interface MomentDoubt {
  readonly kind: string
  readonly text: string
}

/** Why a moment cannot have been recorded yet; undefined if it lies in the past. */
export function doubtOfTime({ date, asOf }: Pick<Moment, 'date' | 'asOf'>, now: Instant): MomentDoubt | undefined {
  if (asOf <= now) return undefined
  const remedy = 'the column of dates may be that of expirations, or have another form: see --dates'
  return { kind: 'future', text: `${date} is still to come: ${remedy}` }
}

/** Largest distance of the prices of the underlying that the rows of one moment state, as a fraction. */
const SAME_SPOT = 0.005
/** Rows of a moment that may be unusable: fewer than so many, or less than a share of all. */
const FEW_REFUSED = 3
const SHARE_REFUSED = 0.1

/** Why the rows of a moment cannot stand for its chain, as far as they tell alone; undefined if they can. */
export function doubtOfRows(
  { rows, refused }: Moment,
  { contradicted, lowest, highest }: ResolvedMoment
): MomentDoubt | undefined {
  if (contradicted.length > 0) {
    const [{ row, other }] = contradicted
    const lines = `the first is ${contractText(row)} in lines ${other.line} and ${row.line}`
    const remedy = 'two series or two times are in one, so a column must tell the root or the time of each row'
    const text = `${contradicted.length} contracts come twice with other figures (${lines}): ${remedy}`
    return { kind: 'contradicted', text }
  }
  if (lowest !== undefined && highest! > lowest * (1 + SAME_SPOT)) {
    const remedy = 'if its rows are of several moments, map the column of their times to time'
    const text = `the price of the underlying is ${lowest} in one row and ${highest} in another: ${remedy}`
    return { kind: 'several spots', text }
  }
  if (refused >= FEW_REFUSED && refused >= SHARE_REFUSED * (rows + refused)) {
    const text = `${refused} of its ${rows + refused} rows cannot be used, and the rest would stand for the whole chain`
    return { kind: 'refused rows', text }
  }
  return undefined
}

/**
 * Why the option roots of a chain do not belong to its symbol; undefined if they do. An index may have further roots
 * beside its own.
 */
export function doubtOfRoots({ symbol, asOf, expirations }: Chain): MomentDoubt | undefined {
  if (easternDate(asOf) < SYMBOLS_CHANGED) return undefined
  const own = optionRoots(symbol)
  const other = expirations.find(({ root }) => !own.includes(root))
  if (other === undefined) return undefined
  if (securityKind(symbol) === 'index' && expirations.some(({ root }) => own.includes(root))) return undefined
  const remedy = 'a column may hold the wrong symbol, or the company was renamed'
  return { kind: 'roots', text: `its symbol is ${symbol}, and options of it have the root ${other.root}: ${remedy}` }
}

/** Fewest contracts of a chain from which anything can be told: fewer may be an excerpt. */
export const FEWEST = 8
/** Moments that lie further apart, in days, are no neighbours. */
const NEIGHBOUR_DAYS = 10
/** Least share of the live contracts of a neighbour that a chain lists, if its source lists nearly all every time. */
const MIN_SHARED = 0.7
/** Least share of the contracts of the following chain that the first one of a symbol lists: others may be new. */
const MIN_OF_NEXT = 0.5

/** How much of its neighbours a chain lists. */
export interface Shared {
  /** Share of the contracts of the chain before that are still alive; undefined if there is none to compare with. */
  readonly before: number | undefined
  /** Share of the contracts of the chain after; undefined if there is none to compare with. */
  readonly after: number | undefined
}

/** Compares a chain with its neighbours, of the same import or of the archive. */
export function sharedWith(chain: Chain, before: Chain | undefined, after: Chain | undefined): Shared {
  return {
    before: before && areNeighbours(before, chain) ? sharedShare(before, chain) : undefined,
    after: after && areNeighbours(chain, after) ? listedShare(chain, after) : undefined
  }
}

function areNeighbours(first: Chain, second: Chain): boolean {
  const days = daysBetween(easternDate(first.asOf), easternDate(second.asOf))
  const isExcerpt = Math.max(first.size, second.size) < FEWEST
  return days <= NEIGHBOUR_DAYS && !isExcerpt && !isSplit(first, second)
}

function sharedShare(before: Chain, chain: Chain): number | undefined {
  const live = liveExpirations(before, chain).reduce((sum, { start, end }) => sum + end - start, 0)
  return live === 0 ? undefined : sharedCount(before, chain) / live
}

function listedShare(chain: Chain, after: Chain): number | undefined {
  return after.size === 0 ? undefined : sharedCount(chain, after) / after.size
}

function sharedCount(first: Chain, second: Chain): number {
  let shared = 0
  eachShared(first, second, () => shared++)
  return shared
}

/** Counts of the contracts of a chain and of the moment before. */
export interface MomentOverlap {
  /** Contracts that both list. */
  readonly shared: number
  /** Contracts of the larger one. */
  readonly listed: number
}

export function overlapOf(before: Chain, chain: Chain): MomentOverlap {
  return { shared: sharedCount(before, chain), listed: Math.max(before.size, chain.size) }
}

/** Least share of the contracts of a moment that the next one of its session lists again. */
const MIN_AGAIN = 0.5

/**
 * Why the moments of a session are no moments of a chain, by what each has in common with the one before: they list
 * other contracts each time, as rows do that hold the time of a last trade or of a changed quote.
 */
export function doubtOfTimes(overlaps: readonly MomentOverlap[], contracts: number): MomentDoubt | undefined {
  if (overlaps.length === 0 || contracts < FEWEST) return undefined
  const shared = overlaps.reduce((sum, each) => sum + each.shared, 0)
  const listed = overlaps.reduce((sum, each) => sum + each.listed, 0)
  if (shared >= MIN_AGAIN * listed) return undefined
  const what = `${overlaps.length + 1} moments of its session list other contracts each`
  const remedy = 'their times may be those of last trades or of changed quotes, so map no column of times'
  return { kind: 'times', text: `${what}: ${remedy}` }
}

/** Milliseconds after the open by which a session has its first moment, and after the close by which it has its last. */
const LATE_OPEN = 225 * MILLISECONDS_PER_MINUTE
const LATE_CLOSE = 30 * MILLISECONDS_PER_MINUTE
/** Fewest times long after the close that are no downloads in the evening. */
const LATE_TIMES = 2

/** Times long after the close that rows of a session state, each once. */
export function lateTimes(rows: readonly MomentRow[], close: Instant): ReadonlySet<Instant> {
  return new Set(rows.flatMap(({ stated }) => (stated > close + LATE_CLOSE ? stated : [])))
}

/** Why the times of a session seem to be of another zone: they begin hours after the open and end hours after the close. */
export function doubtOfZone(first: Instant, late: ReadonlySet<Instant>, { open }: Session): MomentDoubt | undefined {
  if (first < open + LATE_OPEN || late.size < LATE_TIMES) return undefined
  const [from, to] = [first, Math.max(...late)].map((at) => easternDateTime(at).slice(11, 16))
  const text = `its times go from ${from} to ${to} New York, as those of another zone do: say it with --zone`
  return { kind: 'zone', text }
}

/** Why a chain seems to be a part of one, beside its neighbours; undefined if it does not. */
export function doubtOfPart({ before, after }: Shared): MomentDoubt | undefined {
  const percent = (share: number) => `${Math.floor(100 * share)} %`
  if (before !== undefined) {
    const isShort = before < MIN_SHARED && (after === undefined || after < MIN_SHARED)
    const text = `it lists ${percent(before)} of the live contracts of the moment before`
    return isShort ? { kind: 'part', text } : undefined
  }
  if (after === undefined || after >= MIN_OF_NEXT) return undefined
  return { kind: 'part', text: `it lists ${percent(after)} of the contracts of the moment after` }
}

/** Strikes within this share of spot, or this many dollars, are near it. */
const NEAR_SPOT = 0.25
const NEAR_DOLLARS = 5
/** Largest distance of spot from the prices that its options imply, as a fraction; a dividend may come on top. */
const NEAR_PARITY = 0.05
const DIVIDEND = 0.03

/** Least share of the bids that are worth more than the option can be, from which prices are of another scale. */
const MANY_EXCESSIVE = 0.2

/** Says of prices that they are of another scale: no call is worth more than its underlying, no put more than its strike. */
function excessiveBids({ spot, strike, right, bid, symbol, size }: Chain): string | undefined {
  if (isVolatilityIndex(symbol)) return undefined // calls are on the future, which may cost more than the index
  let [quoted, excessive, first] = [0, 0, -1]
  for (let i = 0; i < size; i++) {
    if (!(bid[i] > 0)) continue
    quoted++
    if (bid[i] <= (right[i] === CALL ? spot : strike[i])) continue
    excessive++
    if (first < 0) first = i
  }
  if (excessive < FEW_REFUSED || excessive < MANY_EXCESSIVE * quoted) return undefined
  const option = `a ${right[first] === CALL ? 'call' : 'put'} of strike ${strike[first]}`
  return `${excessive} of its ${quoted} bids are too high, the first ${bid[first]} for ${option} at a spot of ${spot}`
}

/** Slope of parity values above which calls and puts seem exchanged, see `ParityValue`. */
const EXCHANGED = 1.5

/** Says of quotes that many bids are above their asks. */
function crossedQuotes({ bid, ask, size }: Chain): string | undefined {
  let [quoted, crossed] = [0, 0]
  for (let i = 0; i < size; i++) {
    if (!(bid[i] > 0 && ask[i] > 0)) continue
    quoted++
    if (bid[i] > ask[i]) crossed++
  }
  if (crossed < FEW_REFUSED || crossed < MANY_EXCESSIVE * quoted) return undefined
  return `${crossed} of its ${quoted} bids are above their asks: the two columns may be exchanged`
}

function hasPrice({ bid, ask, last, size }: Chain): boolean {
  for (let i = 0; i < size; i++) if (bid[i] > 0 || ask[i] > 0 || last[i] > 0) return true
  return false
}

/** Fewest open interests, and fewest different ones, that tell whether all are whole hundreds by chance. */
const MANY_INTERESTS = 20
const MANY_DIFFERENT = 5

/** Says of open interest that it comes in whole hundreds only, as numbers of shares do. */
function interestInShares({ openInterest }: Chain): string | undefined {
  const known = openInterest.filter((interest) => interest > 0)
  if (known.length < MANY_INTERESTS || known.some((interest) => interest % CONTRACT_SIZE !== 0)) return undefined
  if (new Set(known).size < MANY_DIFFERENT) return undefined
  return `each of its ${known.length} open interests is a whole hundred: they may count shares, ${CONTRACT_SIZE} to a contract`
}

/** Why spot, strikes and prices of a chain do not seem to be of one scale and one moment; undefined if they do. */
export function misfitOf(chain: Chain): MomentDoubt | undefined {
  const { asOf, spot, strike, expirations } = chain
  const reach = Math.max(NEAR_SPOT * spot, NEAR_DOLLARS)
  let [low, high, isNear] = [Number.POSITIVE_INFINITY, 0, false]
  for (const { date, settlement, start, end } of expirations) {
    if (!isLive(asOf, date, settlement)) continue
    for (let i = start; i < end; i++) {
      low = Math.min(low, strike[i])
      high = Math.max(high, strike[i])
      isNear ||= Math.abs(strike[i] - spot) <= reach
    }
  }
  const isInside = low <= spot && spot <= high
  if (chain.size >= FEWEST && high > 0 && !isNear && !isInside) {
    return { kind: 'scale', text: `no strike near spot: strikes go from ${low} to ${high}, and spot is ${spot}` }
  }
  const inShares = interestInShares(chain)
  if (inShares !== undefined) return { kind: 'interest unit', text: inShares }
  if (chain.size >= FEWEST && !hasPrice(chain)) {
    return { kind: 'no prices', text: 'none of its contracts has a bid, an ask or a last price: nothing can be priced' }
  }
  const wrong = excessiveBids(chain) ?? crossedQuotes(chain)
  if (wrong !== undefined) return { kind: 'prices', text: wrong }
  const values = isVolatilityIndex(chain.symbol) ? [] : parityValues(chain)
  const slope = median(values.map((value) => value.slope))
  if (slope !== undefined && slope > EXCHANGED) {
    const text = 'its calls and puts do not fit together by put-call parity: they may be exchanged'
    return { kind: 'sides', text }
  }
  const implied = impliedSpot(values)
  if (implied === undefined) return undefined
  if (spot >= implied.low * (1 - NEAR_PARITY) && spot <= implied.high * (1 + NEAR_PARITY + DIVIDEND)) return undefined
  const range = `${implied.low.toFixed(2)} to ${implied.high.toFixed(2)}`
  return { kind: 'parity', text: `its spot is ${spot}, and its options say ${range} by put-call parity` }
}
