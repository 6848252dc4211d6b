import { level } from './format.ts'

// Sentences about contracts that have all expired. They stay visible until midnight but are no longer live, so these
// sentences replace all statements about dealers or price.

export const regimeOfExpired = 'These contracts have expired: their gamma is gone, and dealers no longer hedge them.'

export const vannaOfExpired =
  'These contracts have expired: their vanna is gone, and changes in volatility no longer move hedges.'

export const charmOfExpired =
  'These contracts have expired: their charm is gone, and the passage of time no longer moves hedges.'

export const decayOfExpired = 'These contracts have expired: their time value is gone.'

export const volatilityOfExpired = 'These contracts have expired, and their implied volatility ended with them.'

export function pinOfExpired(maxPain: number | undefined): string {
  const where = maxPain === undefined ? '' : ` Max pain was at ${level(maxPain)}.`
  return `These contracts have expired: their pull on the price ended with them.${where}`
}

export function alignmentOfExpired(maxPain: number): string {
  return `Max pain was at ${level(maxPain)}. The contracts have expired, and no dealer hedging is left to compare it with.`
}

/** Sentence of a narrative about today's expiration, after that expiration is over. */
export function sameDayOfExpired(symbol: string): string {
  return `The contracts of ${symbol} that expired today are gone, and their gamma with them.`
}
