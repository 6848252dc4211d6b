import { WINDOW_SESSIONS } from '../../../signals/risk-premium/rank.ts'

/**
 * Daily records that the premium and the correlation read: their 60 sessions and one before, and a few more in the place
 * of sessions without a volatility.
 */
export const RECORDS_READ = WINDOW_SESSIONS + 8
