import type { TapeGreeks } from '../flow/fold.ts'
import { NOT_LISTED, slotsOfSeries } from '../flow/slots-of-series.ts'
import type { Series } from '../market/series.ts'
import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** A chain whose greeks hold for what is printed after it. */
export interface FlowSnapshot {
  readonly chain: PricedChain
  /** When it became known, by the rule of rows, microseconds. */
  readonly since: number
}

/** Greeks of the series that expire on a day, NaN for all others and for what the chain does not list or price. */
export function snapshotGreeks({ chain, since }: FlowSnapshot, series: Series, day: IsoDate): TapeGreeks {
  const slots = slotsOfSeries(chain, series)
  const delta = new Float64Array(series.length).fill(Number.NaN)
  const gamma = new Float64Array(series.length).fill(Number.NaN)
  for (let k = 0; k < series.length; k++) {
    if (slots[k] === NOT_LISTED || series.expirations[series.expiration[k]].date !== day) continue
    delta[k] = chain.delta[slots[k]]
    gamma[k] = chain.gamma[slots[k]]
  }
  return { since, delta, gamma }
}
