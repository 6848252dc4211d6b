import { atTheMoney } from '../../../exposure/at-the-money/at-the-money.ts'
import { byStrike, netChex, netDex, netGex, netVex, type StrikeRow, totalOi } from '../../../exposure/by-strike.ts'
import { keyLevels } from '../../../exposure/levels/key-levels.ts'
import { netExposures } from '../../../exposure/net.ts'
import { closeProbability, magnetPin } from '../../../exposure/pin/pin-risk.ts'
import { type Scope, sameDayScope } from '../../../exposure/scope.ts'
import { gammaFlip } from '../../../exposure/spot-ladder/gamma-flip.ts'
import { hoursToClose, perHourLeft } from '../../../exposure/time-decay.ts'
import type { HedgeLegs, Positions, StrikeFlow } from '../../../flow/tape-views.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import { SAMPLE_STEP, type StrikeMinute, type ZeroDteSample } from '../../../market/zero-dte-sample.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { flowScopeOf } from '../flow-scope.ts'

// A sample computes exposures from effective open interest, as flow responses do. That is why this code lies among the
// endpoints.

const SAMPLE_VERSION = 2

/**
 * A sample stores strikes up to this distance from spot, a fraction of spot. Responses show only half of this range,
 * around a spot that may have moved since.
 */
const KEPT_REACH = 0.1

const cents = (dollars: number) => Math.round(100 * dollars) + 0 // + 0 avoids -0, which the archive cannot store

/** Inputs of one 0DTE sample. */
export interface BarState {
  readonly chain: PricedChain
  readonly positions: Positions
  readonly end: Instant
  /** Estimated hedge trades of dealers since the open, for calls and for puts. */
  readonly hedge: HedgeLegs
  /** Flow by strike in the minute that ends with the sample. Undefined if the sample does not end with a minute. */
  readonly flow: StrikeFlow | undefined
}

/** A 0DTE sample and the version of the formulas that computed it. */
export interface SampledZeroDte {
  readonly version: number
  readonly sample: ZeroDteSample
  readonly minute: StrikeMinute | undefined
}

/** Computes a sample of the options that expire today; undefined if none of them is live. */
export function sampledBar({ chain, positions, end, hedge, flow }: BarState): SampledZeroDte | undefined {
  const scope = sampledScope(chain, positions)
  if (scope === undefined) return undefined
  return {
    version: SAMPLE_VERSION,
    sample: zeroDteSample(scope, end - SAMPLE_STEP, hedge),
    minute: flow && strikeMinute(scope, end - MILLISECONDS_PER_MINUTE, flow)
  }
}

/**
 * Live contracts that expire today, with dealers' positions from effective open interest. Undefined if there are none.
 */
function sampledScope(chain: PricedChain, positions: Positions | undefined): Scope | undefined {
  const settled = sameDayScope(chain)
  return settled.slots.length === 0 ? undefined : flowScopeOf(settled, positions).live
}

/** Sample for the bar that begins at `t`: exposures at the end of the bar, and hedge trades since the open. */
function zeroDteSample(scope: Scope, t: Instant, hedge: HedgeLegs): ZeroDteSample {
  const { callWall, putWall } = keyLevels(scope)
  const { gex, dex, chex } = netExposures(scope)
  const { magnet, risk } = magnetPin(scope)
  return {
    t,
    spot: scope.chain.spot,
    netGex: gex,
    netDex: dex,
    gammaFlip: gammaFlip(scope),
    callWall: callWall?.strike,
    putWall: putWall?.strike,
    magnet: magnet?.strike,
    pinScore: risk.score,
    pinProbability: magnet && closeProbability(scope, magnet.strike),
    atmIv: atTheMoney(scope)?.sigma,
    charmPerHour: perHourLeft(chex, hoursToClose(scope)),
    hedgeCalls: hedge.calls,
    hedgePuts: hedge.puts
  }
}

/** Figures by strike for the minute that begins at `t`: exposures at the end of the minute, and flow within it. */
function strikeMinute(scope: Scope, t: Instant, flow: StrikeFlow): StrikeMinute {
  const { spot } = scope.chain
  const rows = byStrike(scope).filter(({ strike }) => Math.abs(strike - spot) <= KEPT_REACH * spot)
  const column = (figure: (row: StrikeRow) => number) => Float64Array.from(rows, figure)
  const printed = new Map(Array.from(flow.strike, (strike, k) => [strike, k]))
  const inside = (values: Float64Array) =>
    column(({ strike }) => {
      const k = printed.get(strike)
      return k === undefined ? 0 : values[k]
    })
  return {
    t,
    spot,
    strike: column(({ strike }) => strike),
    gex: column((row) => cents(netGex(row))),
    dex: column((row) => cents(netDex(row))),
    vex: column((row) => cents(netVex(row))),
    chex: column((row) => cents(netChex(row))),
    oi: column(totalOi),
    signedDelta: inside(flow.signedDelta),
    signedGamma: inside(flow.signedGamma),
    contracts: inside(flow.contracts)
  }
}
