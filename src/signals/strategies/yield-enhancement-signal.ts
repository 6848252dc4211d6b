import { liveOn, liveScope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { daysBetween } from '../../market/calendar.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import { byExDate } from '../../market/dividend.ts'
import { easternDate } from '../../market/eastern.ts'
import { securityKind } from '../../market/security.ts'
import type { IsoDate } from '../../market/units.ts'
import { normalCdf } from '../../math/normal.ts'
import { withinUnit } from '../../math/unit-interval.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { ivRank } from '../../volatility/term/implied-rank.ts'
import { impliedSide } from '../risk-premium/implied-realized.ts'
import { expiryAfter, incomeExpiry } from './expiry-choice.ts'
import { byEdge, legLiquidity, type WeighedStructure, withEdge } from './ranking.ts'
import { earningsBefore, type RiskCode } from './risk-flags.ts'
import { type StrategyAssessment, scoreOf, verdictOf } from './strategy-assessment.ts'
import { type IncomeKind, incomeFrom } from './structures.ts'
import { nearestDelta, type Tradable, type TradableContract, tradableOn } from './tradable-contracts.ts'

export const yieldRegimes = ['covered_call_income', 'cash_secured_put_income', 'no_yield_candidate'] as const
export type YieldRegime = (typeof yieldRegimes)[number]

/** The option that the signal proposes to sell. Prices are in USD per share. */
export interface YieldPick {
  readonly strike: number
  readonly delta: number
  readonly premium: number
  /** Premium as a percentage of the capital that the position ties up, per year. */
  readonly annualYield: number
  /** Risk-neutral probability that the option ends in the money, a fraction. */
  readonly assignment: number
  /**
   * Distance from spot to the strike of a sold call, in percent of spot. Gains beyond the strike are given up.
   * Undefined for a put.
   */
  readonly surrendered: number | undefined
  readonly breakeven: number
  /** Contract with a similar delta in the next expiration, to which the position could be rolled. */
  readonly roll: { readonly expiry: IsoDate; readonly strike: number; readonly premium: number } | undefined
}

export interface YieldFigures {
  readonly pick: YieldPick | undefined
  readonly days: number
  /** Whether an earnings report is due by the expiration. Undefined without an earnings calendar. */
  readonly earningsBefore: boolean | undefined
  readonly nextEarnings: IsoDate | undefined
  readonly daysToEarnings: number | undefined
  /** Known dividends that go ex by the expiration, USD per share, ascending. Undefined if the dividends are unknown. */
  readonly dividends: readonly { readonly exDate: IsoDate; readonly amount: number }[] | undefined
  /** Whether nothing can cover the call that is asked for, because it is on an index, which nobody can own. */
  readonly isUncoverable: boolean
  readonly ivRank: number | undefined
}

export interface YieldTerms {
  readonly kind: IncomeKind
  readonly targetDelta: number
  readonly minOpenInterest: number
  /** Whether an earnings report by the expiration lowers the scores. */
  readonly avoidsEarnings: boolean
}

export interface YieldHistory {
  readonly records: readonly DailyRecord[]
  readonly earnings: readonly IsoDate[] | undefined
}

const DELTA_REACH = 0.1
const FULL_YIELD = 25
const FULL_SAMPLE = 5
const EARNINGS_PENALTY = 25
/** The distance between a delta and the target may exceed its limit by this much, because of rounding. */
const SAME = 1e-12

/**
 * Finds the option with the best score to sell against stock or cash. Source: the published API contract,
 * /v1/strategies/yield-enhancement.
 */
export function yieldEnhancementSignal(
  chain: PricedChain,
  asked: IsoDate | undefined,
  { records, earnings }: YieldHistory,
  terms: YieldTerms
): StrategyAssessment<YieldRegime, YieldFigures> {
  const expiry = incomeExpiry(chain, asked)
  const on = expiry && tradableOn(chain, expiry, terms.minOpenInterest)
  if (expiry === undefined || on === undefined) {
    const missing = asked === undefined ? 'income_expiration' : 'expiration'
    return { regime: 'no_yield_candidate', missing, scope: liveScope(chain) }
  }
  const scope = liveOn(chain, expiry)
  const today = easternDate(chain.asOf)
  const nextEarnings = earnings?.find((date) => date >= today)
  const { atmIv } = impliedSide(chain)
  const known = {
    days: on.days,
    earningsBefore: earningsBefore(chain, expiry, earnings),
    nextEarnings,
    daysToEarnings: nextEarnings && daysBetween(today, nextEarnings),
    dividends: dividendsUntil(chain, expiry),
    isUncoverable: terms.kind === 'covered_call' && securityKind(chain.symbol) === 'index',
    ivRank: atmIv === undefined ? undefined : ivRank(atmIv, records)
  }
  const candidates = candidatesOn(on, terms, known)
  const best = candidates.at(0)
  const pick = best && pickOf(chain, on, best.contract, terms)
  const score = best?.score ?? 0
  return {
    regime: best === undefined ? 'no_yield_candidate' : `${terms.kind}_income`,
    figures: { ...known, pick },
    score,
    verdict: verdictOf(score),
    sample: withinUnit(candidates.length / FULL_SAMPLE),
    scope,
    expiry,
    structures: byEdge(listed(candidates)),
    risks: best !== undefined && terms.kind === 'covered_call' ? dividendRisks(known.dividends) : [],
    gammaFlip: gammaFlip(scope)
  }
}

interface Candidate {
  readonly contract: TradableContract
  readonly score: number
  readonly structure: WeighedStructure
}

/**
 * Out-of-the-money options with a delta near the target, best score first. If scores are equal, the better edge score
 * comes first. None for a covered call on an index.
 */
function candidatesOn(on: Tradable, terms: YieldTerms, known: Omit<YieldFigures, 'pick'>): readonly Candidate[] {
  const { kind, targetDelta } = terms
  if (known.isUncoverable) return []
  const away = ({ delta }: TradableContract) => Math.abs(Math.abs(delta) - targetDelta)
  const outside =
    kind === 'covered_call'
      ? on.calls.filter(({ strike }) => strike > on.spot)
      : on.puts.filter(({ strike }) => strike < on.spot)
  const near = outside.filter((contract) => away(contract) <= DELTA_REACH + SAME)
  const found = near.map((contract): Candidate => {
    const structure = incomeFrom(on, kind, contract)
    const sum =
      0.35 * withinUnit(structure.annualYield! / FULL_YIELD) +
      0.25 * (1 - withinUnit(away(contract) / DELTA_REACH)) +
      0.2 * legLiquidity(contract) +
      0.2 * (known.ivRank === undefined ? 0.5 : known.ivRank / 100)
    const penalty = terms.avoidsEarnings && known.earningsBefore === true ? EARNINGS_PENALTY : 0
    const score = scoreOf(100 * sum - penalty)
    return { contract, score, structure: withEdge(structure, score) }
  })
  return found.sort(
    (a, b) =>
      b.score - a.score ||
      b.structure.edgeScore - a.structure.edgeScore ||
      b.structure.liquidity - a.structure.liquidity ||
      a.contract.strike - b.contract.strike
  )
}

/**
 * The best candidate, and those others whose edge score is not higher. Structures are listed by edge score and the best
 * candidate must come first, so the others are left out.
 */
function listed([best, ...others]: readonly Candidate[]): readonly WeighedStructure[] {
  if (best === undefined) return []
  const { edgeScore, liquidity } = best.structure
  const beneath = others.filter(
    ({ structure }) =>
      structure.edgeScore < edgeScore || (structure.edgeScore === edgeScore && structure.liquidity < liquidity)
  )
  return [best, ...beneath].map(({ structure }) => structure)
}

function pickOf(
  chain: PricedChain,
  on: Tradable,
  contract: TradableContract,
  { kind, minOpenInterest }: YieldTerms
): YieldPick {
  const { strike, delta, mid: premium, sigma } = contract
  const { annualYield, breakevens } = incomeFrom(on, kind, contract)
  const deviation = sigma * Math.sqrt(on.t)
  const d2 = Math.log(on.forward / strike) / deviation - deviation / 2
  const isCall = kind === 'covered_call'
  const later = expiryAfter(chain, on.expiry)
  const next = later && tradableOn(chain, later, minOpenInterest)
  const like = next && nearestDelta(isCall ? next.calls : next.puts, Math.abs(delta), Number.POSITIVE_INFINITY)
  return {
    strike,
    delta,
    premium,
    annualYield: annualYield!,
    assignment: normalCdf(isCall ? d2 : -d2),
    surrendered: isCall ? (100 * (strike - on.spot)) / on.spot : undefined,
    breakeven: breakevens[0],
    roll: like && { expiry: next!.expiry, strike: like.strike, premium: like.mid }
  }
}

function dividendsUntil({ asOf, dividends }: PricedChain, expiry: IsoDate): YieldFigures['dividends'] {
  const today = easternDate(asOf)
  const coming = dividends?.filter(({ exDate }) => exDate > today && exDate <= expiry)
  return (
    coming &&
    [...byExDate(coming)]
      .map(([exDate, paid]) => ({ exDate, amount: paid.reduce((sum, { amount }) => sum + amount, 0) }))
      .sort((a, b) => (a.exDate < b.exDate ? -1 : 1))
  )
}

function dividendRisks(dividends: YieldFigures['dividends']): readonly RiskCode[] {
  if (dividends === undefined) return ['EX_DIVIDEND_RISK_NOT_MODELED']
  return dividends.length > 0 ? ['EX_DIVIDEND_BEFORE_EXPIRY'] : []
}
