import { MICROSECONDS_PER_MILLISECOND } from '../../market/print.ts'
import type { SeriesExpiration } from '../../market/series.ts'
import type { Instant } from '../../market/units.ts'
import { NOT_LISTED, slotsOfSeries } from '../open-interest/slots-of-series.ts'
import type { Groups } from '../tape-views.ts'
import {
  expirationOf,
  type Intent,
  intents,
  isSweep,
  type ScoredGroup,
  type ScoredSignals,
  type SignalSources,
  signalReader
} from './signal.ts'
import { aggressorOfGroup, totalScore } from './signal-score.ts'

export const signalStructures = ['block', 'sweep'] as const
export type SignalStructure = (typeof signalStructures)[number]
export const convictions = ['minimal', 'low', 'medium', 'high'] as const
export type Conviction = (typeof convictions)[number]
export const signalTags = ['sweep', 'block', 'opening', 'closing', '0dte', 'whale', 'golden'] as const

/** A signal with at least this premium, USD, is a whale. */
export const WHALE = 1_000_000
/** Minimum score of a signal with high conviction. A golden signal must reach it too. */
const HIGH = 70
/** Largest fraction of a feed's signals that may be golden. */
const GOLDEN_SHARE = 0.1

export interface SignalFilter {
  readonly minScore?: number
  readonly intent?: Intent | undefined
  /** Structure of the group of prints. Signals are never `single`, so that value selects none. */
  readonly structure?: SignalStructure | 'single' | undefined
}

/** A scored group of prints as returned in a feed. */
export interface Signal extends Omit<ScoredGroup, 'cents'> {
  /** Time of the group's first print. */
  readonly ts: Instant
  readonly expiration: SeriesExpiration
  readonly strike: number
  readonly right: number
  /** Slot of the signal's series in the chain; undefined if the chain does not list it. */
  readonly slot: number | undefined
  readonly side: number
  /** Average price weighted by size, USD. */
  readonly price: number
  readonly size: number
  readonly premium: number
  readonly structure: SignalStructure
  readonly aggressor: number
  readonly score: number
  readonly conviction: Conviction
  readonly isWhale: boolean
  /** Whether the signal has high conviction and is among the best tenth of the filtered signals. */
  readonly isGolden: boolean
}

/**
 * The best `count` signals that pass a filter, sorted by score, then premium, time and sequence, all descending.
 * Source: the published API contract.
 */
export function bestSignals(signals: ScoredSignals, filter: SignalFilter, count: number): readonly Signal[] {
  const wanted = wantedRows(signals, filter)
  const golden = Math.ceil(GOLDEN_SHARE * wanted.length)
  const readers = signals.sources.groups.map((groups) => signalReader(groups, signals.sources))
  return best(signals, wanted, count).map((at, rank) => {
    const view = signals.view[at]
    const row = signals.row[at]
    return signalOf(signals.sources, view, row, readers[view](row), rank < golden)
  })
}

function wantedRows(signals: ScoredSignals, { minScore = 0, intent, structure }: SignalFilter): readonly number[] {
  const { sources, view, row, score } = signals
  const meant = intent === undefined ? undefined : intents.indexOf(intent)
  const wanted: number[] = []
  for (let at = 0; at < signals.length; at++) {
    if (score[at] < minScore || (meant !== undefined && signals.intent[at] !== meant)) continue
    if (structure !== undefined && structureOf(sources.groups[view[at]], row[at]) !== structure) continue
    wanted.push(at)
  }
  return wanted
}

const structureOf = (groups: Groups, k: number): SignalStructure => (isSweep(groups, k) ? 'sweep' : 'block')

/**
 * Selects the best signals. It first counts scores to drop the signals that cannot be among the best, then sorts the
 * few that are left.
 */
function best({ sources, view, row, cents, score }: ScoredSignals, wanted: readonly number[], count: number) {
  const holders = new Uint32Array(256)
  for (const at of wanted) holders[score[at]]++
  let least = 255
  for (let found = holders[least]; found < count && least > 0; found += holders[least]) least--
  const of = (column: 'first' | 'sequence', at: number) => sources.groups[view[at]][column][row[at]]
  return wanted
    .filter((at) => score[at] >= least)
    .sort(
      (a, b) =>
        score[b] - score[a] ||
        cents[b] - cents[a] ||
        of('first', b) - of('first', a) ||
        of('sequence', b) - of('sequence', a)
    )
    .slice(0, count)
}

function signalOf(sources: SignalSources, view: number, k: number, read: ScoredGroup, isAmongBest: boolean): Signal {
  const groups = sources.groups[view]
  const { series, instrument, side, size, money, unit, first } = groups
  const of = instrument[k]
  const { cents, ...reading } = read
  const score = totalScore(reading.parts)
  const slot = sources.chain === undefined ? NOT_LISTED : slotsOfSeries(sources.chain, series)[of]
  return {
    ...reading,
    ts: Math.floor(first[k] / MICROSECONDS_PER_MILLISECOND),
    expiration: expirationOf(groups, k),
    strike: series.strike[of],
    right: series.right[of],
    slot: slot === NOT_LISTED ? undefined : slot,
    side: side[k],
    price: money[k] / size[k] / Math.round(1 / unit),
    size: size[k],
    premium: cents / 100,
    structure: structureOf(groups, k),
    aggressor: aggressorOfGroup(side[k], { sizes: groups.sizeByAggressor, from: 5 * k }),
    score,
    conviction: convictionOf(score),
    isWhale: cents >= 100 * WHALE,
    isGolden: isAmongBest && score >= HIGH
  }
}

function convictionOf(score: number): Conviction {
  if (score >= HIGH) return 'high'
  if (score >= 50) return 'medium'
  return score >= 30 ? 'low' : 'minimal'
}
