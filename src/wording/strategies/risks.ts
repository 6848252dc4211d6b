import type { RiskCode } from '../../signals/strategies/risk-flags.ts'

const sentences: Readonly<Record<RiskCode, string>> = {
  NEGATIVE_GAMMA: 'Spot is below the gamma flip: dealer hedging feeds moves against a short-volatility structure.',
  EARNINGS_BEFORE_EXPIRY: 'The company reports on or before the expiration.',
  EXPECTED_MOVE_EXHAUSTED: 'Spot has already gone as far from its open as a full day was expected to take it.',
  EX_DIVIDEND_BEFORE_EXPIRY: 'A dividend goes ex on or before the expiration: the call may be exercised early.',
  NEAR_GAMMA_FLIP: 'Spot is within half a percent of the gamma flip: the regime may turn.',
  PREMIUM_VOLUME_DIVERGENCE: 'More premium traded on the side with less volume.',
  RISING_REALIZED_VOL: 'Realized volatility has risen by more than 15% of itself in five sessions.',
  TERM_INVERSION: 'Volatility of 7 days is above that of 30 days.',
  WIDE_SPREADS: 'A leg of the first structure is quoted more than 10% of its mid wide.',
  EX_DIVIDEND_RISK_NOT_MODELED:
    'No dividend of the underlying is known: early exercise of the call is not accounted for.',
  LATE_DAY_GREEKS: 'Less than five minutes are left to the close: greeks change faster than quotes.'
}

/** What a flag means. */
export const riskReading = (code: RiskCode): string => sentences[code]
