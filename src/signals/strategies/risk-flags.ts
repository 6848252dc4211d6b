import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { SignalReading } from './strategy-assessment.ts'

/** Every risk that is flagged, and how much it matters, the gravest first and then by name. Source: the wire contract. */
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
export const riskCodes = Object.keys(riskSeverities) as readonly RiskCode[] // the names it was written with

/** Percent of spot within which the flip is near, and percent of mid from which a spread is wide. */
const NEAR_FLIP = 0.5
const WIDE_SPREAD = 10

/** The risks of a reading, in the order of the list. */
export function riskFlags(
  { scope, gammaFlip, structures, expiry, risks }: SignalReading<string, unknown>,
  earnings: readonly IsoDate[] | undefined
): readonly RiskCode[] {
  const { spot } = scope.chain
  const [best] = structures
  const found = new Set<RiskCode>(risks)
  if (gammaFlip !== undefined) {
    // Every structure that a signal lists is short volatility.
    if (spot < gammaFlip && best !== undefined) found.add('NEGATIVE_GAMMA')
    if (Math.abs((100 * (spot - gammaFlip)) / spot) < NEAR_FLIP) found.add('NEAR_GAMMA_FLIP')
  }
  if (earningsBefore(scope.chain, expiry, earnings)) found.add('EARNINGS_BEFORE_EXPIRY')
  if (best?.legs.some(({ spread }) => spread > WIDE_SPREAD)) found.add('WIDE_SPREADS')
  return riskCodes.filter((code) => found.has(code))
}

/** Whether the company reports from the day of a chain to an expiration, both included. Undefined without a calendar. */
export function earningsBefore(
  { asOf }: Pick<PricedChain, 'asOf'>,
  expiry: IsoDate | undefined,
  earnings: readonly IsoDate[] | undefined
): boolean | undefined {
  const today = easternDate(asOf)
  return earnings?.some((date) => date >= today && expiry !== undefined && date <= expiry)
}
