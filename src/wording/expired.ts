import { level } from './format.ts'

// Sentences about contracts that have all expired. They stay visible until midnight but are no longer live, so these
// sentences replace all statements about dealers or price.

export const regimeOfExpired =
  'These contracts have expired: the regime they made ended with them, and dealers hold no gamma of theirs to hedge.'

export const vannaOfExpired =
  'These contracts have expired: their vanna ended with them, and a change of volatility moved no hedges of theirs since.'

export const charmOfExpired =
  'These contracts have expired: their charm ended with them, and time passing moved no hedges of theirs since.'

export const decayOfExpired = 'These contracts have expired: whatever time value they had is gone.'

export const volatilityOfExpired =
  'These contracts have expired: what volatility they were priced with ended with them.'

export function pinOfExpired(maxPain: number | undefined): string {
  const where = maxPain === undefined ? '' : ` Max pain was at ${level(maxPain)}.`
  return `These contracts have expired: nothing of theirs pulled on price since.${where}`
}

export function alignmentOfExpired(maxPain: number): string {
  return `Max pain was at ${level(maxPain)}; the contracts have expired, and no dealer hedging of theirs was left to agree with it.`
}

/** Sentence of a narrative about today's expiration, after that expiration is over. */
export function sameDayOfExpired(symbol: string): string {
  return `What expired today in ${symbol} has ended: same-day gamma played its part and is gone.`
}
