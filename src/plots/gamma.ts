import { byStrike, netGex, sumOf } from '../exposure/by-strike.ts'
import { keyLevels } from '../exposure/levels/key-levels.ts'
import { liveScope } from '../exposure/scope.ts'
import { gammaFlip } from '../exposure/spot-ladder/gamma-flip.ts'
import type { Instant } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** Strikes further from spot than this fraction hold little gamma and would squeeze the others. */
const MAX_DISTANCE = 0.1

/** What a picture of gamma exposure shows. */
export interface GammaPicture {
  readonly symbol: string
  readonly asOf: Instant
  readonly spot: number
  /** Net gamma exposure of a strike, USD per 1 % move, strikes ascending. */
  readonly bars: readonly { readonly strike: number; readonly netGex: number }[]
  /** Of the whole scope, strikes that are not shown included. */
  readonly netGex: number
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
}

/** Net gamma exposure by strike and the levels read from it. Undefined where no strike near spot has any. */
export function gammaPicture(chain: PricedChain): GammaPicture | undefined {
  const scope = liveScope(chain)
  const { symbol, asOf, spot } = chain
  const rows = byStrike(scope)
  const bars = rows
    .map((row) => ({ strike: row.strike, netGex: netGex(row) }))
    .filter(({ strike, netGex }) => netGex !== 0 && Math.abs(strike / spot - 1) <= MAX_DISTANCE)
  if (bars.length === 0) return undefined
  const { callWall, putWall } = keyLevels(scope)
  return {
    symbol,
    asOf,
    spot,
    bars,
    netGex: sumOf(rows, netGex),
    flip: gammaFlip(scope),
    callWall: callWall?.strike,
    putWall: putWall?.strike
  }
}
