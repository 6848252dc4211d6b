import { liveScope, type Scope } from '../../src/exposure/scope.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { NO_SIGMA, OWN_MID } from '../../src/pricing/sources.ts'
import { sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'

export interface GivenSide {
  readonly oi?: number
  readonly volume?: number
  readonly gamma?: number
  readonly delta?: number
  readonly sigma?: number
  readonly quote?: readonly [bid: number, ask: number]
}

export interface GivenStrike {
  readonly strike: number
  readonly call?: GivenSide
  readonly put?: GivenSide
}

interface GivenTerms {
  readonly spot?: number
  readonly date?: string
  readonly time?: string
  readonly expiration?: string
  readonly delay?: number
}

/** A priced chain of one expiration whose open interest, quotes and greeks are given, not computed. */
export function given(strikes: readonly GivenStrike[], terms: GivenTerms = {}): PricedChain {
  const { spot = 100, date = '2026-07-29', time = '12:45', expiration = '2026-08-28', delay = 0 } = terms
  const sideOf = (strike: number, right: number) => {
    const row = strikes.find((one) => one.strike === strike)!
    return right === CALL ? row.call : row.put
  }
  const rights = [CALL, PUT]
  const chain = priced(
    sketched({
      date,
      time,
      spot,
      delay,
      series: strikes.flatMap(({ strike }) =>
        rights
          .filter((right) => sideOf(strike, right) !== undefined)
          .map((right) => ({
            date: expiration,
            strikes: [strike],
            rights: [right],
            oi: sideOf(strike, right)!.oi ?? 0,
            volume: sideOf(strike, right)!.volume ?? 0,
            quote: () => sideOf(strike, right)!.quote
          }))
      )
    })
  )
  for (let i = 0; i < chain.size; i++) {
    const side = sideOf(chain.strike[i], chain.right[i])!
    if (side.gamma !== undefined) chain.gamma[i] = side.gamma
    if (side.delta !== undefined) chain.delta[i] = side.delta
    if (side.sigma !== undefined) chain.sigma[i] = side.sigma
    chain.sigmaSource[i] = Number.isNaN(chain.sigma[i]) ? NO_SIGMA : OWN_MID
  }
  return chain
}

export const givenScope = (strikes: readonly GivenStrike[], terms: GivenTerms = {}): Scope =>
  liveScope(given(strikes, terms))
