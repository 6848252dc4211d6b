import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Greek, Notional, Nullable, Volatility, Words } from '../../../api/quantity.ts'
import { atTheMoney } from '../../../exposure/at-the-money/at-the-money.ts'
import { liveOn } from '../../../exposure/scope.ts'
import type { Signal } from '../../../flow/signals/signal-feed.ts'
import { CALL, CONTRACT_SIZE } from '../../../market/chain.ts'
import { isLive } from '../../../market/clock.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'

/** A strike counts as at the money up to this distance from spot, a fraction of spot. */
const AT_THE_MONEY = 0.01

/**
 * Facts about the contract that a signal traded, such as its delta and its distance from spot. Null if the contract has
 * expired or is not listed.
 */
export const enrichmentBlock = block(
  Type.Object(
    {
      iv: Nullable(Volatility()),
      delta: Nullable(Greek(undefined, { minimum: -1, maximum: 1 })),
      gamma: Nullable(Greek(undefined, { minimum: 0 })),
      iv_vs_atm: Nullable(Volatility('iv less that at the strike nearest to spot of the same expiration')),
      moneyness: Words('OTM', 'ATM', 'ITM', 'unknown'),
      estimated_delta_notional: Nullable(Notional('delta times size, USD; by the sign of delta, not of the trade')),
      hypothetical_gex_impact_if_opening: Nullable(
        Notional('gamma of the contracts as if all were opened, USD per 1 % move; never added to any exposure')
      )
    },
    { title: 'FlowSignalGreeks' }
  ),
  (signal: Signal, chain: PricedChain | undefined) => {
    const { slot, size, right, strike, expiration } = signal
    const isListed = chain !== undefined && slot !== undefined
    if (!isListed || !isLive(chain.asOf, expiration.date, expiration.settlement)) return nothingKnown
    const { spot } = chain
    const [iv, found, gamma] = [chain.sigma, chain.delta, chain.gamma].map((column) => present(column[slot]))
    // Interpolated early-exercise premiums may push a delta slightly beyond 1.
    const delta = found && Math.min(1, Math.max(-1, found))
    const atm = atTheMoney(liveOn(chain, expiration.date))?.sigma
    const sign = right === CALL ? 1 : -1
    return {
      iv,
      delta,
      gamma,
      iv_vs_atm: iv === undefined || atm === undefined ? undefined : iv - atm,
      moneyness: moneynessOf(sign, strike, spot),
      estimated_delta_notional: delta && delta * size * CONTRACT_SIZE * spot,
      hypothetical_gex_impact_if_opening: gamma && sign * gamma * size * CONTRACT_SIZE * spot ** 2 * 0.01
    }
  }
)

const nothingKnown = {
  iv: undefined,
  delta: undefined,
  gamma: undefined,
  iv_vs_atm: undefined,
  moneyness: 'unknown' as const,
  estimated_delta_notional: undefined,
  hypothetical_gex_impact_if_opening: undefined
}

/** Whether a strike is in, at or out of the money; `sign` is 1 for a call and -1 for a put. */
function moneynessOf(sign: number, strike: number, spot: number): 'OTM' | 'ATM' | 'ITM' {
  if (Math.abs(strike / spot - 1) <= AT_THE_MONEY) return 'ATM'
  return sign * (spot - strike) > 0 ? 'ITM' : 'OTM'
}

const present = (figure: number) => (Number.isNaN(figure) ? undefined : figure)
