import { daysBetween } from '../../market/calendar.ts'
import { CALL, type Chain, known } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import { BUY, MICROSECONDS_PER_MILLISECOND, MID } from '../../market/print.ts'
import type { SeriesExpiration } from '../../market/series.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { openInterestDelta } from '../open-interest/simulator.ts'
import { NOT_LISTED, slotsOfSeries } from '../open-interest/slots-of-series.ts'
import type { Groups, Positions } from '../tape-views.ts'
import {
  aggressorShare,
  biasShare,
  CLOSING,
  imbalanceOf,
  openCloseBias,
  pointsOf,
  premiumShare,
  type ScoreParts,
  scoreWeights,
  sizeShare,
  sweepShare,
  tenorShare,
  totalScore
} from './signal-score.ts'

/** Direction that the customer behind a group of prints presumably expects. */
export const intents = ['neutral', 'bullish', 'bearish'] as const
export type Intent = (typeof intents)[number]

export interface SignalSources {
  /** Groups of prints of the sessions in the window, ascending by session. */
  readonly groups: readonly Groups[]
  /** Positions of the newest of these sessions. The views of finished sessions contain their own positions. */
  readonly positions: Positions | undefined
  readonly confidence: number
  /** Chain with the official open interest; if undefined, open interest counts as 0. */
  readonly chain: Chain | undefined
}

/** Groups of prints with their scores, in the first `length` rows. Premium in whole cents. */
export interface ScoredSignals {
  readonly sources: SignalSources
  readonly length: number
  /** Index of each group's view in `sources.groups`. `row` is the group's row in that view. */
  readonly view: Uint8Array
  readonly row: Int32Array
  readonly cents: Float64Array
  readonly score: Uint8Array
  /** Indexes into `openCloseBiases` and `intents`. */
  readonly bias: Uint8Array
  readonly intent: Uint8Array
}

/** Score and other figures of a group that its row does not contain. */
export interface ScoredGroup {
  readonly parts: ScoreParts
  readonly bias: number
  readonly intent: number
  readonly delta: number
  readonly days: number
  readonly cents: number
}

/** Signals whose first print is at `from` or later, of one expiration date if given, in the order of the tape. */
export function signalsSince(from: Instant, expiry: IsoDate | undefined, sources: SignalSources): ScoredSignals {
  const first = from * MICROSECONDS_PER_MILLISECOND
  const signals = emptySignals(sources.groups.reduce((sum, { length }) => sum + length, 0))
  let length = 0
  sources.groups.forEach((groups, view) => {
    const read = signalReader(groups, sources)
    for (let k = 0; k < groups.length; k++) {
      if (groups.first[k] < first || (expiry !== undefined && expirationOf(groups, k).date !== expiry)) continue
      const { parts, cents, bias, intent } = read(k)
      signals.view[length] = view
      signals.row[length] = k
      signals.cents[length] = cents
      signals.score[length] = totalScore(parts)
      signals.bias[length] = bias
      signals.intent[length] = intent
      length++
    }
  })
  return { ...signals, sources, length }
}

function emptySignals(most: number) {
  return {
    view: new Uint8Array(most),
    row: new Int32Array(most),
    cents: new Float64Array(most),
    score: new Uint8Array(most),
    bias: new Uint8Array(most),
    intent: new Uint8Array(most)
  }
}

export const expirationOf = ({ series, instrument }: Groups, k: number): SeriesExpiration =>
  series.expirations[series.expiration[instrument[k]]]

/** Returns a function that scores the groups of one session. */
export function signalReader(groups: Groups, sources: SignalSources): (k: number) => ScoredGroup {
  const { series, instrument, unit } = groups
  const openInterest = officialOpenInterest(groups, sources)
  const { bought, sold } = volumesOf(groups, sources)
  const centsPerMoney = Math.round(unit * 10_000)
  const daysTo = countdownTo(series.expirations)
  return (k) => {
    const of = instrument[k]
    const side = groups.side[k]
    const size = groups.size[k]
    const cents = groups.money[k] * centsPerMoney
    // A series whose first print came after the positions were computed has no volume in them.
    const buys = bought[of] ?? 0
    const sells = sold[of] ?? 0
    const delta = openInterestDelta(buys, sells, sources.confidence)
    const imbalance = imbalanceOf(buys, sells)
    const bias = openCloseBias(imbalance, delta)
    const days = daysTo(groups.first[k], series.expiration[of])
    const labels = { sizes: groups.sizeByAggressor, from: 5 * k }
    const parts = {
      premium: pointsOf(scoreWeights.premium, premiumShare(cents / 100)),
      sizeVsOi: pointsOf(scoreWeights.sizeVsOi, sizeShare(size, openInterest(of))),
      aggressor: pointsOf(scoreWeights.aggressor, aggressorShare(side, size, labels)),
      sweep: pointsOf(scoreWeights.sweep, sweepShare(isSweep(groups, k), groups.prints[k])),
      openingBias: pointsOf(scoreWeights.openingBias, biasShare(bias, imbalance)),
      tenor: pointsOf(scoreWeights.tenor, tenorShare(days))
    }
    return { parts, bias, intent: intentOf(side, series.right[of], bias), delta, days, cents }
  }
}

/** Calendar days from the New York date of a print to each expiration, counted once for all prints of a date. */
function countdownTo(expirations: readonly SeriesExpiration[]): (micros: number, expiration: number) => number {
  let counted: IsoDate | undefined
  let days: readonly number[] = []
  return (micros, expiration) => {
    const date = easternDate(micros / MICROSECONDS_PER_MILLISECOND)
    if (date !== counted) {
      days = expirations.map((listed) => daysBetween(date, listed.date))
      counted = date
    }
    return days[expiration]
  }
}

const noVolumes = new Int32Array(0)

/**
 * Contracts bought and sold, by instrument. For a finished session they are the volumes at its close, otherwise the
 * volumes so far.
 */
function volumesOf({ closing, session }: Groups, { positions }: SignalSources) {
  if (closing !== undefined) return closing
  return positions?.session === session ? positions : { bought: noVolumes, sold: noVolumes }
}

/** Returns a function that gives the official open interest of an instrument in the session; 0 if unknown. */
function officialOpenInterest({ closing, series }: Groups, { chain }: SignalSources): (instrument: number) => number {
  if (closing !== undefined) return (of) => known(closing.openInterest[of])
  if (chain === undefined) return () => 0
  const slots = slotsOfSeries(chain, series)
  return (of) => (slots[of] === NOT_LISTED ? 0 : known(chain.openInterest[slots[of]]))
}

export function isSweep({ prints, oneOrder }: Groups, k: number): boolean {
  return prints[k] > 1 && oneOrder[k] === 0
}

const [NEUTRAL, BULLISH, BEARISH] = intents.keys()

/**
 * Intent of the customer behind prints. Bought calls and sold puts are bullish, bought puts and sold calls bearish.
 * Prints without a side, and prints that close positions, are neutral.
 */
function intentOf(side: number, right: number, bias: number): number {
  if (side === MID || bias === CLOSING) return NEUTRAL
  return (side === BUY) === (right === CALL) ? BULLISH : BEARISH
}

/** Premium of the signals in a feed, USD: by presumed intent, and by whether positions were opened or closed. */
export interface PremiumTilt {
  readonly bullish: number
  readonly bearish: number
  readonly opening: number
  readonly closing: number
}

/** Sums the premium of all signals; sums are built in whole cents, so they are exact. */
export function premiumTilt({ length, cents, bias, intent }: ScoredSignals): PremiumTilt {
  const byIntent = [0, 0, 0]
  const byBias = [0, 0, 0]
  for (let at = 0; at < length; at++) {
    byIntent[intent[at]] += cents[at]
    byBias[bias[at]] += cents[at]
  }
  const [, bullish, bearish] = byIntent.map((sum) => sum / 100)
  const [, opening, closing] = byBias.map((sum) => sum / 100)
  return { bullish, bearish, opening, closing }
}
