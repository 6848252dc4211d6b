import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { SignalReading } from './strategy-assessment.ts'

/**
 * All risk flags with their severity. The most severe come first; those of equal severity are ordered by name. Source:
 * the published API contract.
 */
export const riskSeverities = {
  NEGATIVE_GAMMA: 'high',
  EARNINGS_BEFORE_EXPIRY: 'medium',
  EXPECTED_MOVE_EXHAUSTED: 'medium',
  EX_DIVIDEND_BEFORE_EXPIRY: 'medium',
  NEAR_GAMMA_FLIP: 'medium',
  PREMIUM_VOLUME_DIVERGENCE: 'medium',
  RISING_REALIZED_VOL: 'medium',
  TERM_INVERSION: 'medium',
  WIDE_SPREADS: 'medium',
  EX_DIVIDEND_RISK_NOT_MODELED: 'low',
  LATE_DAY_GREEKS: 'low'
} as const
export type RiskCode = keyof typeof riskSeverities
export const riskCodes = Object.keys(riskSeverities) as readonly RiskCode[]

/**
 * The flip counts as near within this distance, in percent of spot. A bid-ask spread above `WIDE_SPREAD` percent of mid
 * counts as wide.
 */
const NEAR_FLIP = 0.5
const WIDE_SPREAD = 10

/** Risk flags that apply to a signal, in the order of `riskSeverities`. */
export function riskFlags(
  { scope, gammaFlip, structures, expiry, risks }: SignalReading<string, unknown>,
  earnings: readonly IsoDate[] | undefined
): readonly RiskCode[] {
  const { spot } = scope.chain
  const [best] = structures
  const found = new Set<RiskCode>(risks)
  if (gammaFlip !== undefined) {
    // Every structure that a signal proposes is short volatility.
    if (spot < gammaFlip && best !== undefined) found.add('NEGATIVE_GAMMA')
    if (Math.abs((100 * (spot - gammaFlip)) / spot) < NEAR_FLIP) found.add('NEAR_GAMMA_FLIP')
  }
  if (earningsBefore(scope.chain, expiry, earnings)) found.add('EARNINGS_BEFORE_EXPIRY')
  if (best?.legs.some(({ spread }) => spread > WIDE_SPREAD)) found.add('WIDE_SPREADS')
  return riskCodes.filter((code) => found.has(code))
}

/**
 * Whether the company reports earnings from the chain's day to an expiration, both days included. Undefined without an
 * earnings calendar.
 */
export function earningsBefore(
  { asOf }: Pick<PricedChain, 'asOf'>,
  expiry: IsoDate | undefined,
  earnings: readonly IsoDate[] | undefined
): boolean | undefined {
  const today = easternDate(asOf)
  return earnings?.some((date) => date >= today && expiry !== undefined && date <= expiry)
}
