import { CALL } from '../market/chain.ts'
import { memoize } from '../market/memoize.ts'
import type { Carry } from '../pricing/carry.ts'
import { fillExtrinsicValues } from '../pricing/extrinsic-value.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Scope } from './scope.ts'

// Theta and charm are stated for a calendar day. A contract that expires today does not have a day left: near the close
// its theta of a day is many times the time value that it can still lose, and its charm of a day many times the delta
// that it has. Sums over contracts therefore use the columns of this file and never `theta` and `charm` of the chain.

/**
 * Change of each contract's delta as time passes while spot and volatility stay: over one calendar day, or until its
 * expiry if it expires today. Delta per share. NaN without greeks.
 *
 *     expires today:  (delta at expiry at the present spot) - (delta now)
 */
export const charmAhead = memoize((chain: PricedChain): Float64Array => {
  if (!expiresToday(chain)) return chain.charm
  const { strike, right, sigma, delta } = chain
  const ahead = Float64Array.from(chain.charm)
  for (let at = 0; at < chain.expirations.length; at++) {
    const { start, end } = chain.expirations[at]
    const carry = chain.carries[at]
    if (!isLastDay(carry)) continue
    for (let i = start; i < end; i++) {
      // A contract without a volatility moves like its underlying until the end: its charm is 0 already.
      if (Number.isNaN(sigma[i])) continue
      ahead[i] = deltaAtExpiry(right[i] === CALL, carry.spot, strike[i]) - delta[i]
    }
  }
  return ahead
})

/**
 * Change of each contract's price as time passes while spot and volatility stay: over one calendar day, or until its
 * expiry if it expires today, which is minus its extrinsic value. USD per share. NaN without a volatility.
 */
export const decayAhead = memoize((chain: PricedChain): Float64Array => {
  if (!expiresToday(chain)) return chain.theta
  const ahead = Float64Array.from(chain.theta)
  chain.carries.forEach((carry, at) => {
    if (!isLastDay(carry)) return
    fillExtrinsicValues(chain, at, ahead)
    const { start, end } = chain.expirations[at]
    for (let i = start; i < end; i++) ahead[i] = 0 - ahead[i]
  })
  return ahead
})

/** How far charm and decay of a scope reach: over a calendar day, to the close, or each contract by its own. */
export type DecaySpan = 'day' | 'close' | 'both'

export function decaySpan({ chain, expirations }: Pick<Scope, 'chain' | 'expirations'>): DecaySpan {
  const last = expirations.filter((at) => isLastDay(chain.carries[at])).length
  if (last === 0) return 'day'
  return last === expirations.length ? 'close' : 'both'
}

/**
 * Whether the contracts of an expiration expire today: PM-settled ones at the close, AM-settled ones at 09:30. Those
 * that have expired are without greeks, so they are in no sum.
 */
const isLastDay = ({ days }: Carry) => days === 0

const expiresToday = ({ carries }: PricedChain) => carries.some(isLastDay)

/** Delta of a contract at its expiry: 0 out of the money, 1 or -1 in the money, half of it exactly at the strike. */
function deltaAtExpiry(isCall: boolean, spot: number, strike: number): number {
  const exercised = (1 + Math.sign(isCall ? spot - strike : strike - spot)) / 2
  return isCall ? exercised : -exercised
}
