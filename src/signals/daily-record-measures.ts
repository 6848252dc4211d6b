import { atTheMoney } from '../exposure/at-the-money/at-the-money.ts'
import { settledErrors } from '../exposure/bands/settled-errors.ts'
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

/**
 * Version of the formulas behind a daily record. Raise it whenever one of them changes: stored records with another
 * version are then recomputed.
 */
export const RECORD_VERSION = 5

/** Number of daily bars read for a record. The longest window needs 31; the others replace bars that cannot be used. */
export const RECORD_BARS = 60

/** Figures of a daily record that need no bars. */
export type ClosingFigures = ReturnType<typeof closingFigures>

/**
 * Computes the daily record of a trading session from its closing chain and daily bars. Bars after the session are
 * ignored. The close comes from the session's bar, or from the chain's spot if there is none; realized figures are then
 * undefined. Exposures are those of the whole chain, and undefined if no contract has exposure. `evening` is the closing
 * chain of the session before; without it there are no errors of its bands. Source: the published API contract, the
 * daily snapshots of the volatility risk premium.
 */
export function dailyRecord(chain: PricedChain, bars: readonly DailyBar[], evening?: PricedChain): DailyRecord {
  return recordWithBars(closingFigures(chain, evening), bars)
}

/** The part of `dailyRecord` that the closing chains give. It holds no column of them. */
export function closingFigures(chain: PricedChain, evening?: PricedChain) {
  const reference = referenceSmile(chain)
  return {
    date: easternDate(chain.asOf),
    spot: chain.spot,
    atmIv: reference && inPercent(atmVolatility(reference)),
    atmIv30: inPercent(tenorVolatility(chain, REFERENCE_DAYS)),
    straddle: reference && atTheMoney(liveOn(chain, reference.date))?.straddle,
    exposures: exposures(chain),
    errors: evening && settledErrors(evening, chain)
  }
}

/** Completes the figures of a closing chain by those of daily bars. */
export function recordWithBars(figures: ClosingFigures, bars: readonly DailyBar[]): DailyRecord {
  const { date, spot, atmIv, atmIv30, straddle, exposures, errors } = figures
  const known = bars.filter((bar) => bar.date <= date).slice(-RECORD_BARS)
  const bar = known.at(-1)?.date === date ? known.at(-1) : undefined
  const past = usableBars(bar === undefined ? [] : known)
  const { rv5, rv10, rv20, rv30 } = realizedWindows(past)
  return {
    date,
    close: bar !== undefined && isPrice(bar.close) ? bar.close : spot,
    atmIv,
    atmIv30,
    rv5,
    rv10,
    rv20,
    rv30,
    straddle,
    ...exposures,
    ...errors
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
