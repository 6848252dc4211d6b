import type { RiskCode } from '../signals/strategies/risk-flags.ts'
import type { MissingInput } from '../signals/strategies/strategy-assessment.ts'

const missingSentences: Readonly<Record<MissingInput, string>> = {
  coverage: 'This moment lies outside what was recorded of the symbol.',
  expiration: 'No live contracts are listed on this expiration.',
  same_day_expiration: 'No live contracts expire today.',
  volume: 'No option of this scope has traded in the session.',
  open_interest: 'No open interest is known in this scope.',
  greeks: 'No contract of this scope has both open interest and a volatility.',
  fitted_smile: 'No fitted smile was accepted for this expiration.',
  quarter_delta_wings: 'The quotes of this expiration do not reach both 25-delta strikes.',
  tenth_delta_put: 'The quotes of this expiration do not reach the 10-delta put.',
  volatility: 'No quote tells a volatility at the money.',
  realized_volatility: 'Fewer than 21 daily bars are known: realized volatility over 20 days is missing.',
  history: 'Fewer than 5 daily snapshots are stored: the premium has nothing to be compared with.'
}

export const missingReading = (missing: MissingInput): string => missingSentences[missing]

const riskSentences: Readonly<Record<RiskCode, string>> = {
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

export const riskReading = (code: RiskCode): string => riskSentences[code]
