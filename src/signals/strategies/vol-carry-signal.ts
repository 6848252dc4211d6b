import { liveOn, liveScope } from '../../exposure/scope.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import type { IsoDate } from '../../market/units.ts'
import { difference, inPercent } from '../../math/optional.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { closeToClose, realizedChange, type UsableBars } from '../../volatility/realized/realized.ts'
import { quarterSkewOf } from '../../volatility/smile/skew.ts'
import { slices } from '../../volatility/smile/slice.ts'
import { volatilityTermStructure } from '../../volatility/term/term-structure.ts'
import { impliedSide } from '../risk-premium/implied-realized.ts'
import { MIN_SESSIONS, premiumRank, premiumWindow } from '../risk-premium/premium-rank.ts'
import { chosenExpiry } from './expiry-choice.ts'
import { gammaSetting } from './gamma-setting.ts'
import { rankedStructures, variantDeltas } from './ranking.ts'
import { earningsBefore, type RiskCode } from './risk-flags.ts'
import { MAX_AVOIDED, type StrategyAssessment, scoreOf, verdictOf } from './strategy-assessment.ts'
import { ironCondor, shortVertical, type TradeStructure, type VerticalTerms } from './structures.ts'
import { type Tradable, tradableOn } from './tradable-contracts.ts'

export const carryRegimes = [
  'rich_iv_stable_realized_vol',
  'fair_iv_neutral_realized_vol',
  'cheap_iv_or_unstable_realized_vol',
  'vrp_unavailable'
] as const
export type CarryRegime = (typeof carryRegimes)[number]
export const carrySides = ['put', 'call', 'both', 'none'] as const
export type CarrySide = (typeof carrySides)[number]

/** Figures from which the signal is computed. Volatilities are in percent, premiums and changes in vol points. */
export interface CarryFigures {
  readonly atmIv: number
  readonly realized: number
  readonly premium: number
  readonly zScore: number | undefined
  /** Percentile of the premium, a whole number from 0 to 100. */
  readonly percentile: number
  readonly sessions: number
  readonly skew25: number | undefined
  /** Slope of the term structure from 7 to 30 days in percent: 100 (iv30 - iv7) / iv7. */
  readonly termSlope: number | undefined
  readonly realizedChange: number | undefined
  /** Whether an earnings report is due by the expiration. Undefined without an earnings calendar. */
  readonly earningsBefore: boolean | undefined
  readonly side: CarrySide
}

export interface CarryHistory {
  readonly bars: UsableBars
  readonly records: readonly DailyRecord[]
  readonly earnings: readonly IsoDate[] | undefined
}

/**
 * Conditions on the structures that the signal proposes. Money is in USD per share. Widths are distances between
 * strikes, USD.
 */
export interface CarryTerms extends VerticalTerms {
  readonly minOpenInterest: number
  readonly shortDelta: number
}

/** Minimum number of trading sessions for which rank and deviation are meaningful. */
export const REAL_SESSIONS = 20
const FULL_SAMPLE = 60
const EARNINGS_PENALTY = 20

/**
 * Whether volatility is worth selling, and if so as puts, calls or both. Source: the published API contract,
 * /v1/strategies/vol-carry.
 */
export function volCarrySignal(
  chain: PricedChain,
  asked: IsoDate | undefined,
  { bars, records, earnings }: CarryHistory,
  terms: CarryTerms
): StrategyAssessment<CarryRegime, CarryFigures> {
  const regime = 'vrp_unavailable'
  const expiry = chosenExpiry(chain, asked, 1)
  if (expiry === undefined) return { regime, missing: 'expiration', scope: liveScope(chain) }
  const scope = liveOn(chain, expiry)
  const { atmIv } = impliedSide(chain)
  const realized = inPercent(closeToClose(bars, 20))
  const rank = premiumRank(difference(atmIv, realized), premiumWindow(records))
  if (atmIv === undefined) return { regime, missing: 'volatility', scope }
  if (realized === undefined) return { regime, missing: 'realized_volatility', scope }
  const { percentile, sessions, zScore } = rank
  if (percentile === undefined || sessions < MIN_SESSIONS) return { regime, missing: 'history', scope }

  const slice = slices(chain).find(({ date }) => date === expiry)
  const setting = gammaSetting(scope)
  const known = {
    atmIv,
    realized,
    premium: atmIv - realized,
    zScore,
    percentile,
    sessions,
    skew25: slice && quarterSkewOf(slice)?.skew25,
    termSlope: volatilityTermStructure(chain).nearSlope,
    realizedChange: inPercent(realizedChange(bars)),
    earningsBefore: earningsBefore(chain, expiry, earnings)
  }
  const found = carryRegime(known)
  const figures = { ...known, side: sideOf(found, known) }
  const score = scoreOf(weighed(figures, setting.dampening), figures.premium <= 0 ? MAX_AVOIDED : 100)
  const on = figures.side === 'none' ? undefined : tradableOn(chain, expiry, terms.minOpenInterest)
  return {
    regime: found,
    figures,
    score,
    verdict: verdictOf(score),
    sample: withinUnit(sessions / FULL_SAMPLE),
    scope,
    expiry,
    structures: rankedStructures(on === undefined ? [] : soldOn(on, figures.side, terms), score),
    risks: risksOf(figures),
    gammaFlip: setting.flip
  }
}

type Known = Omit<CarryFigures, 'side'>

/**
 * Change of realized volatility divided by realized volatility. Undefined if either is unknown or realized volatility
 * is 0.
 */
function riseOf({ realized, realizedChange: change }: Known): number | undefined {
  return change === undefined || !(realized > 0) ? undefined : change / realized
}

/** Regime of the volatility premium. If the change of realized volatility is unknown, it counts as 0. */
function carryRegime(known: Known): CarryRegime {
  const { premium, percentile } = known
  const rise = riseOf(known) ?? 0
  if (premium <= 0 || percentile <= 30 || rise > 0.2) return 'cheap_iv_or_unstable_realized_vol'
  return percentile >= 60 && rise <= 0.1 ? 'rich_iv_stable_realized_vol' : 'fair_iv_neutral_realized_vol'
}

/** Which options to sell: those of the more expensive side (puts or calls), or both if neither is more expensive. */
function sideOf(regime: CarryRegime, { skew25 = 0, atmIv }: Known): CarrySide {
  if (regime === 'cheap_iv_or_unstable_realized_vol') return 'none'
  if (skew25 >= 0.1 * atmIv) return 'put'
  return skew25 <= -0.05 * atmIv ? 'call' : 'both'
}

function weighed(figures: CarryFigures, dampening: number): number {
  const { premium, percentile, atmIv, termSlope, earningsBefore: reports } = figures
  const rise = riseOf(figures)
  const calm = rise === undefined ? 0.5 : 1 - withinUnit(rise / 0.25)
  const contango = termSlope === undefined ? 0.5 : termSlope > 0 ? 1 : 0
  const richness = withinUnit(premium / (0.4 * atmIv))
  const sum = (0.35 * percentile) / 100 + 0.25 * richness + 0.2 * calm + 0.1 * contango + 0.1 * dampening
  return 100 * sum - (reports === true ? EARNINGS_PENALTY : 0)
}

function soldOn(on: Tradable, side: CarrySide, terms: CarryTerms): readonly (TradeStructure | undefined)[] {
  return variantDeltas(terms.shortDelta).flatMap((delta) => [
    side === 'call' ? undefined : shortVertical(on, 'put', delta, terms),
    side === 'put' ? undefined : shortVertical(on, 'call', delta, terms),
    ironCondor(on, delta, terms)
  ])
}

function risksOf(figures: CarryFigures): readonly RiskCode[] {
  const risks: RiskCode[] = (riseOf(figures) ?? 0) > 0.15 ? ['RISING_REALIZED_VOL'] : []
  return (figures.termSlope ?? 0) < 0 ? [...risks, 'TERM_INVERSION'] : risks
}
