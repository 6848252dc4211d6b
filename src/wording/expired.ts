import { level } from './format.ts'

// What is said of contracts whose last one has ended. They stay visible until midnight, and nothing of them is live:
// these sentences take the place of all readings that speak of what dealers do or price may do.

export const regimeOfExpired =
  'These contracts have expired: the regime they made ended with them, and dealers hold no gamma of theirs to hedge.'

export const vannaOfExpired =
  'These contracts have expired: their vanna ended with them, and a change of volatility moved no hedges of theirs since.'

export const charmOfExpired =
  'These contracts have expired: their charm ended with them, and time passing moved no hedges of theirs since.'

export const decayOfExpired = 'These contracts have expired: whatever time value they had is gone.'

export const volatilityOfExpired =
  'These contracts have expired: what volatility they were priced with ended with them.'

/** Names max pain, which stays visible. */
export function pinOfExpired(maxPain: number | undefined): string {
  const where = maxPain === undefined ? '' : ` Max pain was at ${level(maxPain)}.`
  return `These contracts have expired: nothing of theirs pulled on price since.${where}`
}

export function alignmentOfExpired(maxPain: number): string {
  return `Max pain was at ${level(maxPain)}; the contracts have expired, and no dealer hedging of theirs was left to agree with it.`
}

/** The same-day sentence of a narrative once the day's expiration is over. */
export function sameDayOfExpired(symbol: string): string {
  return `What expired today in ${symbol} has ended: same-day gamma played its part and is gone.`
}
