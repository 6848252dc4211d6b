import type { SpotTerms } from '../greeks.ts'
import type { ForwardTerms } from '../implied-volatility.ts'

/** What the American options of one expiration share: spot and forward agree through rate and yield. */
export interface AmericanTerms extends SpotTerms, ForwardTerms {}
