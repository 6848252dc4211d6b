import { atTheMoney } from '../../../exposure/at-the-money/at-the-money.ts'
import { byStrike, netChex, netDex, netGex, netVex, type StrikeRow, totalOi } from '../../../exposure/by-strike.ts'
import { keyLevels } from '../../../exposure/levels/key-levels.ts'
import { netExposures } from '../../../exposure/net.ts'
import { closeProbability, magnetPin } from '../../../exposure/pin/pin-risk.ts'
import { type Scope, sameDayScope } from '../../../exposure/scope.ts'
import { gammaFlip } from '../../../exposure/spot-ladder/gamma-flip.ts'
import { charmPerSessionHour } from '../../../exposure/time-decay.ts'
import type { HedgeLegs, Positions, StrikeFlow } from '../../../flow/tape-views.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import { SAMPLE_STEP, type StrikeMinute, type ZeroDteSample } from '../../../market/zero-dte-sample.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { flowScopeOf } from '../flow-scope.ts'

// A sample puts measures of exposure and the effective book together, as the answers about flow do, so it lives with them.

/** The version of the formulas of a sample. It is raised whenever one of them changes. */
const SAMPLE_VERSION = 1

/** Strikes so near to spot are kept, a fraction of it: answers show half as many, of a spot that has moved meanwhile. */
const KEPT_REACH = 0.1

const cents = (dollars: number) => Math.round(100 * dollars) + 0 // never -0, which the archive does not know

/** What a raw bar is made of. */
export interface BarState {
  /** The state at the end of the bar. */
  readonly chain: PricedChain
  readonly positions: Positions
  readonly end: Instant
  /** Hedge flow since the open. */
  readonly hedge: HedgeLegs
  /** Flow of the minute that ends with the bar; undefined in the middle of one. */
  readonly flow: StrikeFlow | undefined
}

/** What a raw bar of the day shows, and the version of the formulas that made it. */
export interface SampledZeroDte {
  readonly version: number
  readonly sample: ZeroDteSample
  readonly minute: StrikeMinute | undefined
}

/** Samples what expires on the day of a chain. Undefined: nothing of it is alive. */
export function sampledBar({ chain, positions, end, hedge, flow }: BarState): SampledZeroDte | undefined {
  const scope = sampledScope(chain, positions)
  if (scope === undefined) return undefined
  return {
    version: SAMPLE_VERSION,
    sample: zeroDteSample(scope, end - SAMPLE_STEP, hedge),
    minute: flow && strikeMinute(scope, end - MILLISECONDS_PER_MINUTE, flow)
  }
}

/** What expires on the day of a chain and is still alive, by the effective book. Undefined where nothing does. */
function sampledScope(chain: PricedChain, positions: Positions | undefined): Scope | undefined {
  const settled = sameDayScope(chain)
  return settled.slots.length === 0 ? undefined : flowScopeOf(settled, positions).live
}

/** The raw bar that begins at `t`: the state of such a scope at its end, and the hedge flow since the open. */
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
    charmPerHour: charmPerSessionHour(chex),
    hedgeCalls: hedge.calls,
    hedgePuts: hedge.puts
  }
}

/** The minute that begins at `t` by strike: the state of such a scope at its end, and the flow inside the minute. */
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
