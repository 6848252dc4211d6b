import type { Chain } from '../market/chain.ts'
import { memoizePair } from '../market/memoize.ts'
import { NOT_LISTED, slotsOfSeries } from './slots-of-series.ts'
import type { Positions } from './views.ts'

/** What customers bought of each contract of a chain less what they sold, by slot, in contracts of the session. */
export const signedVolume = memoizePair((chain: Chain, { series, bought, sold }: Positions): Int32Array => {
  const slots = slotsOfSeries(chain, series)
  const volume = new Int32Array(chain.size)
  for (let k = 0; k < series.length; k++) if (slots[k] !== NOT_LISTED) volume[slots[k]] = bought[k] - sold[k]
  return volume
})
