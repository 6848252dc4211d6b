import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import { nextTradingDay, previousTradingDay, session } from '../../market/calendar.ts'
import { buildChain, type Chain, type ContractRow } from '../../market/chain.ts'
import { isLive } from '../../market/clock.ts'
import { END_OF_TIME, type Instant, type IsoDate, type Ticker } from '../../market/units.ts'
import { median } from '../../math/statistics.ts'
import type { ChainTableOptions, ReadMoments } from './import-chains.ts'
import {
  doubtOfPart,
  doubtOfRoots,
  doubtOfRows,
  doubtOfTime,
  doubtOfTimes,
  doubtOfZone,
  FEWEST,
  lateTimes,
  type MomentDoubt,
  type MomentOverlap,
  misfitOf,
  overlapOf,
  type Shared,
  sharedWith
} from './judge-moment.ts'
import type { Moment } from './moment-rows.ts'
import { contractText, type ResolvedMoment, resolveMoment } from './resolve-moment.ts'
import type { ExpectedAtEnd } from './table-end.ts'
import { uncutRows } from './uncut-rows.ts'

/** Verdict on a moment before anything is written. */
export interface JudgedMoment {
  readonly moment: Moment
  /** Number of its contracts, each once. */
  readonly size: number
  /** Price of the underlying; undefined if nothing tells it. */
  readonly spot: number | undefined
  /** Why it is set aside. */
  doubt: MomentDoubt | undefined
  /** Why it is reported, although it is written. */
  readonly misfit: MomentDoubt | undefined
  /** Whether neither the files nor the archive have a moment beside it, so that a shorter list of contracts is not noticed. */
  isAlone: boolean
}

export type Archive = ChainTableOptions['archive']

const brokenOff: MomentDoubt = { kind: 'breaks off', text: 'it is not complete: the file breaks off' }

/**
 * Judges moments, given by symbol and time: each by its own rows, beside the moments before and after of the same symbol,
 * which may be those of the archive, and by the ends of the tables. Calls `onMoment` with each moment, and with its chain
 * unless the moment has no price of the underlying.
 */
export async function judgeMoments(
  moments: readonly Moment[],
  { rows, cut, expected }: Pick<ReadMoments, 'rows' | 'cut' | 'expected'>,
  { archive, wallNow = END_OF_TIME }: Pick<ChainTableOptions, 'archive' | 'wallNow'>,
  onMoment: (judged: JudgedMoment, chain: Chain | undefined, done: number) => Promise<void>
): Promise<readonly JudgedMoment[]> {
  const known = new Set((await archive.symbols?.()) ?? [])
  const all: JudgedMoment[] = []
  const expectedOf = new Map<Moment, ExpectedAtEnd[]>()
  for (const one of expected) {
    for (const moment of one.doubtful) expectedOf.set(moment, [...(expectedOf.get(moment) ?? []), one])
  }
  for (let from = 0; from < moments.length; ) {
    const { symbol } = moments[from]
    let to = from + 1
    while (to < moments.length && moments[to].symbol === symbol) to++
    for (const judged of await judgeSymbol(moments.slice(from, to), known.has(symbol))) all.push(judged)
    from = to
  }
  return all

  async function judgeSymbol(ofSymbol: readonly Moment[], isInArchive: boolean): Promise<readonly JudgedMoment[]> {
    const { symbol, date: first } = ofSymbol[0]
    const { date: last } = ofSymbol[ofSymbol.length - 1]
    let before = isInArchive ? await closeOf(symbol, previousTradingDay(first)) : undefined
    let next = await judged(ofSymbol[0])
    const found: FoundMoment[] = []
    for (let at = 0; at < ofSymbol.length; at++) {
      const current = next
      if (at + 1 < ofSymbol.length) next = await judged(ofSymbol[at + 1])
      else next = { chain: isInArchive ? await closeOf(symbol, nextTradingDay(last)) : undefined } as typeof next
      const { chain } = current
      current.judged.isAlone = ofSymbol.length === 1 && before === undefined && next.chain === undefined
      const shared = chain && sharedWith(chain, before, next.chain)
      const isSameSession = at > 0 && ofSymbol[at - 1].date === ofSymbol[at].date
      const overlap = isSameSession && chain && before ? overlapOf(before, chain) : undefined
      found.push({ judged: current.judged, shared, overlap, late: current.late })
      await onMoment(current.judged, current.chain, all.length + found.length)
      before = current.chain ?? before
    }
    doubtTimes(found)
    doubtParts(found)
    return found.map(({ judged }) => judged)
  }

  async function judged(moment: Moment) {
    const { rows: uncut, isComplete } = uncutRows(moment, { rows, cut })
    const resolved = resolveMoment(uncut)
    const spot = await spotOf(moment, resolved, archive)
    const size = resolved.contracts.length
    const chain = spot === undefined || size === 0 ? undefined : chainOfMoment(moment, resolved, spot)
    const doubt = isComplete
      ? (doubtOfTime(moment, wallNow) ??
        doubtOfRows(moment, resolved) ??
        doubtOfTable(moment) ??
        (chain && doubtOfRoots(chain)))
      : brokenOff
    const { close } = session(moment.date)!
    return {
      chain,
      late: moment.asOf < close ? undefined : lateTimes(uncut, close),
      judged: { moment, size, spot, doubt, misfit: chain && misfitOf(chain), isAlone: false } as JudgedMoment
    }
  }

  function doubtOfTable(moment: Moment): MomentDoubt | undefined {
    const missed = expectedOf.get(moment)?.find(({ moments, contract, wholeMoment }) => {
      const lacking = moments.filter((other) => isHeld(other) && !listed(other).has(contractText(contract)))
      return lacking.length > 0 && (wholeMoment === undefined || isBeginning(lacking[0], wholeMoment))
    })
    return missed && { kind: 'cut off', text: missed.reason }
  }

  /** Whether a moment lists the contracts of another one up to a place in its order, and hardly any after it. */
  function isBeginning(moment: Moment, whole: Moment): boolean {
    if (!isHeld(whole)) return true
    const names = listed(moment)
    const order = rows
      .rowsOf(whole)
      .filter((row) => isLive(moment.asOf, row.expiration, row.settlement))
      .map(contractText)
    const end = order.findLastIndex((name) => names.has(name))
    const shared = order.filter((name) => names.has(name)).length
    return shared >= BEGINNING * (end + 1)
  }

  function listed(moment: Moment): ReadonlySet<string> {
    return new Set(rows.rowsOf(moment).map(contractText))
  }

  /** Whether a moment is not written yet. */
  function isHeld(moment: Moment): boolean {
    return rows.find(moment.symbol, moment.asOf) === moment
  }

  async function closeOf(symbol: Ticker, date: IsoDate): Promise<Chain | undefined> {
    const stored = await archive.closingSnapshot?.(symbol, date)
    return stored && decodeSnapshot(stored)
  }
}

/** Least share of the contracts of the moment before, up to the last one, that the beginning of a cut table lists. */
const BEGINNING = 0.9
/** Shares of moments that list less of their neighbours than this tell nothing: the source lists others every time. */
const USUAL_SHARE = 0.85
/** A moment with less than this share of the usual number of contracts around it is a part of a chain. */
const MIN_COUNT = 0.5
const AROUND = 5

interface FoundMoment {
  readonly judged: JudgedMoment
  readonly shared: Shared | undefined
  /** Contracts in common with the moment before, if it is of the same session. */
  readonly overlap: MomentOverlap | undefined
  /** Times long after the close that its rows state, if it is of the close. */
  readonly late: ReadonlySet<Instant> | undefined
}

/** Doubts the moments of sessions whose times are not those of chains. */
function doubtTimes(found: readonly FoundMoment[]): void {
  for (let from = 0; from < found.length; ) {
    const { date } = found[from].judged.moment
    let to = from + 1
    while (to < found.length && found[to].judged.moment.date === date) to++
    const ofSession = found.slice(from, to)
    const contracts = ofSession.reduce((sum, { judged }) => sum + judged.size, 0)
    const overlaps = ofSession.flatMap(({ overlap }) => overlap ?? [])
    const { asOf } = ofSession[0].judged.moment
    const late = ofSession[ofSession.length - 1].late ?? new Set()
    const doubt = doubtOfZone(asOf, late, session(date)!) ?? doubtOfTimes(overlaps, contracts)
    if (doubt !== undefined) for (const { judged } of ofSession) judged.doubt ??= doubt
    from = to
  }
}

/** Doubts the moments of a symbol that list less than those around them. */
function doubtParts(found: readonly FoundMoment[]): void {
  const usual = median(found.flatMap(({ shared }) => shared?.before ?? []))
  const isSteady = usual === undefined || usual >= USUAL_SHARE
  found.forEach(({ judged, shared }, at) => {
    if (judged.doubt !== undefined || shared === undefined || !isSteady) return
    const around = found.slice(Math.max(0, at - AROUND), at + AROUND + 1).map((other) => other.judged.size)
    const count = median(around)!
    const text = `it has ${judged.size} contracts, and the moments around it ${count}`
    judged.doubt =
      doubtOfPart(shared) ?? (judged.size < MIN_COUNT * count && count >= FEWEST ? { kind: 'part', text } : undefined)
  })
}

/**
 * Price of the underlying at a moment: the one in the rows, otherwise the midpoint of its quote, otherwise the close in
 * the archive. Undefined without any of them.
 */
export async function spotOf(
  { symbol, date, asOf }: Moment,
  { price, quote, isZero }: ResolvedMoment,
  archive: Pick<Archive, 'bars'>
): Promise<number | undefined> {
  if (price !== undefined) return price
  if (quote !== undefined && quote.bid > 0 && quote.ask >= quote.bid) return (quote.bid + quote.ask) / 2
  return isZero ? undefined : closeInArchive(archive, symbol, date, asOf)
}

async function closeInArchive(
  archive: Pick<Archive, 'bars'>,
  symbol: Ticker,
  date: IsoDate,
  asOf: Instant
): Promise<number | undefined> {
  const { close } = session(date)!
  if (asOf < close) return undefined // the close was not known yet
  const [bar] = await archive.bars(symbol, close, 1)
  return bar?.date === date && bar.close > 0 ? bar.close : undefined
}

/** Chain of a moment, or of other rows of it. */
export function chainOfMoment(
  { symbol, asOf }: Moment,
  { quote, contracts }: Pick<ResolvedMoment, 'quote' | 'contracts'>,
  spot: number,
  rows: readonly ContractRow[] = contracts
): Chain {
  const side = (value: number | undefined) => (value !== undefined && value > 0 ? value : undefined)
  const [bid, ask] = [side(quote?.bid), side(quote?.ask)]
  return buildChain({ symbol, asOf, delay: 0, spot, quote: { bid, ask, last: spot, time: asOf } }, rows)
}
