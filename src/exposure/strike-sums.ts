import type { StrikeSums } from '../market/strike-sums.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { byStrike, netChex, netDex, netGex, netVex, type StrikeRow, totalOi } from './by-strike.ts'
import { liveScope } from './scope.ts'

/** The net figures of a whole chain by strike, in columns; see `StrikeRow`. */
export function strikeSums(chain: PricedChain): StrikeSums {
  const rows = byStrike(liveScope(chain))
  const column = (figure: (row: StrikeRow) => number) => Float64Array.from(rows, figure)
  return {
    asOf: chain.asOf,
    strikes: column(({ strike }) => strike),
    gex: column(netGex),
    dex: column(netDex),
    vex: column(netVex),
    chex: column(netChex),
    oi: column(totalOi)
  }
}
