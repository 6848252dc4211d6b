import type { MissingInput } from '../../signals/strategies/assessment.ts'

const sentences: Readonly<Record<MissingInput, string>> = {
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

/** Names the input that a signal lacks. */
export const missingReading = (missing: MissingInput): string => sentences[missing]
