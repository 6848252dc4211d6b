import { atTheMoney } from '../exposure/at-the-money/at-the-money.ts'
import { keyLevels } from '../exposure/levels/key-levels.ts'
import { netExposures } from '../exposure/net.ts'
import { hasExposure, liveOn, liveScope } from '../exposure/scope.ts'
import { gammaFlip } from '../exposure/spot-ladder/gamma-flip.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { easternDate } from '../market/eastern.ts'
import { inPercent } from '../math/optional.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { isPrice } from '../volatility/realized/daily-returns.ts'
import { realizedWindows, usableBars } from '../volatility/realized/realized.ts'
import { atmVolatility } from '../volatility/smile/smile-volatility.ts'
import { REFERENCE_DAYS, referenceSmile } from '../volatility/term/reference-slice.ts'
import { tenorVolatility } from '../volatility/term/tenor.ts'

/** Raise it whenever a formula behind a record changes, so that stored records of other versions are recomputed. */
export const RECORD_VERSION = 3

/** Bars read per record. The longest window needs 31; the rest is reserve for unusable bars. */
const BARS_READ = 60

/**
 * Computes the record of a session from its closing chain and the daily bars up to and including it; later bars are
 * ignored. The close comes from the session's bar, or else from the chain's spot. Without a bar for the session the
 * realized figures are undefined. Exposures are those of the full chain, undefined if no contract has any. Source: the
 * wire contract, the daily snapshots of the volatility risk premium.
 */
export function dailyRecord(chain: PricedChain, bars: readonly DailyBar[]): DailyRecord {
  const date = easternDate(chain.asOf)
  const known = bars.filter((bar) => bar.date <= date).slice(-BARS_READ)
  const bar = known.at(-1)?.date === date ? known.at(-1) : undefined
  const past = usableBars(bar === undefined ? [] : known)
  const { rv5, rv10, rv20, rv30 } = realizedWindows(past)
  const reference = referenceSmile(chain)
  return {
    date,
    close: bar !== undefined && isPrice(bar.close) ? bar.close : chain.spot,
    atmIv: reference && inPercent(atmVolatility(reference)),
    atmIv30: inPercent(tenorVolatility(chain, REFERENCE_DAYS)),
    rv5,
    rv10,
    rv20,
    rv30,
    straddle: reference && atTheMoney(liveOn(chain, reference.date))?.straddle,
    ...exposures(chain)
  }
}

function exposures(chain: PricedChain) {
  const scope = liveScope(chain)
  const usable = hasExposure(scope)
  const net = usable ? netExposures(scope) : undefined
  const levels = usable ? keyLevels(scope) : undefined
  return {
    netGex: net?.gex,
    netDex: net?.dex,
    netVex: net?.vex,
    netChex: net?.chex,
    gammaFlip: usable ? gammaFlip(scope) : undefined,
    callWall: levels?.callWall?.strike,
    putWall: levels?.putWall?.strike
  }
}
