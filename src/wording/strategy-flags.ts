import type { RiskCode } from '../signals/strategies/risk-flags.ts'
import type { MissingInput } from '../signals/strategies/strategy-assessment.ts'

const missingSentences: Readonly<Record<MissingInput, string>> = {
  coverage: 'Nothing was recorded for this symbol at this moment.',
  expiration: 'No unexpired contracts are listed for this expiration.',
  income_expiration: 'No expiration is 20 to 45 days away.',
  same_day_expiration: 'No unexpired contracts expire today.',
  volume: 'No option in scope has traded this session.',
  open_interest: 'No contract in scope has known open interest.',
  greeks: 'No contract in scope has both open interest and a usable quote.',
  fitted_smile: 'No smile fit was accepted for this expiration.',
  quarter_delta_wings: 'The quotes of this expiration do not reach both 25-delta strikes.',
  tenth_delta_put: 'The quotes of this expiration do not reach the 10-delta put.',
  volatility: 'The quotes give no at-the-money volatility.',
  realized_volatility: 'Fewer than 21 daily bars are stored, so 20-day realized volatility is unknown.',
  history: 'Fewer than 5 daily records are stored, so there is nothing to compare the premium with.'
}

export const missingReading = (missing: MissingInput): string => missingSentences[missing]

const riskSentences: Readonly<Record<RiskCode, string>> = {
  NEGATIVE_GAMMA:
    'Spot is below the gamma flip: dealer hedging amplifies moves, which hurts short-volatility structures.',
  EARNINGS_BEFORE_EXPIRY: 'The company reports earnings on or before the expiration.',
  EXPECTED_MOVE_EXHAUSTED: 'Spot has already moved from its open by as much as options implied for the full day.',
  EX_DIVIDEND_BEFORE_EXPIRY: 'The stock goes ex-dividend on or before the expiration: the call may be exercised early.',
  NEAR_GAMMA_FLIP: 'Spot is within half a percent of the gamma flip: the gamma regime may change.',
  PREMIUM_VOLUME_DIVERGENCE: 'The side with less volume traded more premium.',
  RISING_REALIZED_VOL: 'Realized volatility has risen by more than 15% of its level in five sessions.',
  TERM_INVERSION: '7-day volatility is above 30-day volatility.',
  WIDE_SPREADS: 'A leg of the first structure has a bid-ask spread wider than 10% of its mid.',
  EX_DIVIDEND_RISK_NOT_MODELED:
    'The dividends of the underlying are unknown, so early exercise of the call is not accounted for.',
  LATE_DAY_GREEKS: 'Less than five minutes are left until the close: greeks change faster than quotes.'
}

export const riskReading = (code: RiskCode): string => riskSentences[code]
