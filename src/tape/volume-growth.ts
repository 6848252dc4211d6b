import { judgeByQuote } from '../flow/sides/side.ts'
import { latestSession } from '../market/calendar.ts'
import { type Chain, type Expiration, UNKNOWN } from '../market/chain.ts'
import {
  AFTER_GAP,
  aggressorOf,
  deciderOf,
  INFERRED,
  judgedOf,
  LATE,
  MICROSECONDS_PER_MILLISECOND,
  MID,
  NO_PRICE,
  SETS_NO_PRICE,
  sideOf
} from '../market/print.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import type { PlacedPrint, Tape } from './tape.ts'

/**
 * Nothing is inferred from polls further apart than this, milliseconds: too much may have happened to know who bought.
 */
const MAX_BETWEEN_POLLS = 15 * MILLISECONDS_PER_MINUTE

/** Receives the prints that are inferred: a tape, or a list of them. */
export type InferredTaker = Pick<Tape, 'unit' | 'instrumentOf' | 'append'>

/** Columns of a polled chain, kept for comparison with the next poll. */
interface Poll {
  readonly asOf: Instant
  readonly session: IsoDate
  readonly source: string | undefined
  readonly expirations: readonly Expiration[]
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly bid: Float64Array
  readonly ask: Float64Array
  /** Highest volume of the session so far: a source that once says less must not have the difference counted again. */
  readonly volume: Int32Array
}

/**
 * Infers prints from the growth of each contract's volume between two polls, for sources without prints. Each contract
 * that grew gets one print at its last price. The print counts as bought or sold if the quotes of both polls agree on
 * the side, or if only one poll has a quote and it shows the side; otherwise as neither. Nothing is inferred from the
 * first poll of a session or source, from a late poll, or from a volume below its highest. The first print after a change of
 * source is flagged `AFTER_GAP`. Known errors of the method: docs/methods/inferred-flow.md.
 */
export class VolumeGrowth {
  readonly #countsLate: boolean
  #last: Poll | undefined
  #isAfterGap = false

  /**
   * With `countsLate`, volume that grew until a late poll counts too, as late prints: without a side, a price or a part in
   * any estimate. A recorded session may have no other polls.
   */
  constructor({ countsLate = false }: { readonly countsLate?: boolean } = {}) {
    this.#countsLate = countsLate
  }

  /**
   * Appends the prints that follow from the growth of volume since the previous poll. Ignores polls that are not newer.
   * Returns whether the poll could be compared: both have volumes, and nothing speaks against it.
   */
  note(chain: Chain, tapeOf: (session: IsoDate) => InferredTaker): boolean {
    const last = this.#last
    if (last !== undefined && chain.asOf <= last.asOf) return false
    const poll = pollOf(chain, last)
    this.#last = poll
    if (last !== undefined && last.source !== poll.source) {
      this.#isAfterGap = true
      return false
    }
    if (last === undefined || last.session !== poll.session) return false
    const before = slotsBefore(last, poll)
    for (let i = 0; i < poll.volume.length; i++) {
      const from = before(i)
      if (from !== -1 && poll.volume[i] !== UNKNOWN) poll.volume[i] = Math.max(poll.volume[i], last.volume[from])
    }
    const isLate = poll.asOf - last.asOf > MAX_BETWEEN_POLLS
    if (isLate && !this.#countsLate) return false
    const tape = tapeOf(poll.session)
    chain.expirations.forEach(({ date, root, settlement, start, end }) => {
      for (let i = start; i < end; i++) {
        const from = before(i)
        const size = from === -1 || last.volume[from] < 0 ? 0 : poll.volume[i] - last.volume[from]
        if (size <= 0 || !(chain.last[i] > 0)) continue
        const series = { date, root, settlement, strike: chain.strike[i], right: chain.right[i], adjusted: false }
        const quoted = { bid: last.bid[from], ask: last.ask[from] }
        const placed = rowOf(chain, i, size, quoted, tape, tape.instrumentOf(series))
        const row = isLate ? late(placed) : placed
        tape.append(this.#isAfterGap ? { ...row, flags: row.flags | AFTER_GAP } : row)
        this.#isAfterGap = false
      }
    })
    return hasVolumes(last) && hasVolumes(poll)
  }
}

const hasVolumes = ({ volume }: Poll) => volume.some((count) => count !== UNKNOWN)

/** Copies what is compared with the next poll. Contracts that are listed as before share the copy of the last poll. */
function pollOf(chain: Chain, last: Poll | undefined): Poll {
  const { asOf, source, expirations, bid, ask, volume } = chain
  const session = latestSession(asOf).date
  const { strike, right } =
    last !== undefined && isSameListing(last, chain)
      ? last
      : { strike: chain.strike.slice(), right: chain.right.slice() }
  return {
    asOf,
    session,
    source,
    expirations,
    strike,
    right,
    bid: bid.slice(),
    ask: ask.slice(),
    volume: volume.slice()
  }
}

/** Returns a function that finds a contract's index in the previous poll, or -1 if it was not listed then. */
function slotsBefore(last: Poll, poll: Poll): (slot: number) => number {
  if (isSameListing(last, poll)) return (slot) => slot
  const slots = new Map<string, number>()
  for (const { date, root, start, end } of last.expirations) {
    for (let i = start; i < end; i++) slots.set(`${root} ${date} ${last.strike[i]} ${last.right[i]}`, i)
  }
  const names: string[] = []
  for (const { date, root, start, end } of poll.expirations) {
    for (let i = start; i < end; i++) names[i] = `${root} ${date} ${poll.strike[i]} ${poll.right[i]}`
  }
  return (slot) => slots.get(names[slot]) ?? -1
}

type Listing = Pick<Poll, 'expirations' | 'strike' | 'right'>

function isSameListing(one: Listing, other: Listing): boolean {
  if (one.strike === other.strike) return true
  return (
    one.strike.length === other.strike.length &&
    one.expirations.length === other.expirations.length &&
    one.expirations.every(({ date, root, end }, k) => {
      const listed = other.expirations[k]
      return listed.date === date && listed.root === root && listed.end === end
    }) &&
    one.strike.every((strike, i) => strike === other.strike[i] && one.right[i] === other.right[i])
  )
}

interface Quote {
  readonly bid: number
  readonly ask: number
}

function rowOf(
  chain: Chain,
  i: number,
  size: number,
  before: Quote,
  { unit }: InferredTaker,
  instrument: number
): PlacedPrint {
  const moment = MICROSECONDS_PER_MILLISECOND * chain.asOf
  const inUnits = (value: number) => (value >= 0 ? Math.round(value / unit) : NO_PRICE)
  const price = inUnits(chain.last[i])
  const bid = inUnits(chain.bid[i])
  const ask = inUnits(chain.ask[i])
  const judged = agreed(judgeByQuote(price, inUnits(before.bid), inUnits(before.ask)), judgeByQuote(price, bid, ask))
  const spot = inUnits(chain.spot)
  return {
    known: moment,
    ts: moment,
    sequence: undefined,
    exchange: 0,
    instrument,
    price,
    size,
    bid,
    ask,
    spot,
    flags: INFERRED,
    judged
  }
}

/** The row as volume alone: its side and price are not known after so long. */
function late(row: PlacedPrint): PlacedPrint {
  return { ...row, flags: row.flags | LATE | SETS_NO_PRICE, judged: judgedOf(MID, 0, 0) }
}

/**
 * Combines the sides that the quotes of two polls give a print: if both agree, the print has this side, otherwise mid.
 * The aggressor is taken from the later poll.
 */
function agreed(before: number, now: number): number {
  const [one, other] = [sideOf(before), sideOf(now)]
  const isUsable = (judged: number) => deciderOf(judged) !== 0
  const side = !isUsable(before) ? other : !isUsable(now) || one === other ? one : MID
  return judgedOf(side, aggressorOf(now), deciderOf(isUsable(now) ? now : before))
}
