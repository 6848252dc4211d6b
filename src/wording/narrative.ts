import type { StatedRegime } from '../exposure/regime.ts'
import type { ExposureGap } from '../exposure/scope.ts'
import type { NetCharm } from '../exposure/time-decay.ts'
import { sameDayOfExpired } from './expired.ts'
import { charmReading, gammaReading, vannaReading } from './exposure-readings.ts'
import { grouped, level, money, percent, sideOfLevel } from './format.ts'

/** Figures that a narrative mentions. Each is also a field of the response that contains the narrative. */
export interface NarrativeFigures {
  readonly symbol: string
  readonly spot: number
  readonly regime: StatedRegime
  /** Why there is no exposure, if there is none. */
  readonly gap: ExposureGap | undefined
  readonly netGex: number
  readonly priorGex: number | undefined
  readonly changePercent: number | undefined
  readonly vannaPerPoint: number
  readonly charm: NetCharm
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
  readonly callWallAbove: number | undefined
  readonly putWallBelow: number | undefined
  /** Gross gamma of today's expiration in percent of that of the whole chain, 0 to 100. */
  readonly sameDayPercent: number | undefined
  readonly expiresToday: boolean
  readonly expiredToday: boolean
  readonly vix: number | undefined
  readonly topChanges: readonly OpenInterestChange[]
}

interface OpenInterestChange {
  readonly expiration: string
  readonly strike: number
  readonly type: 'C' | 'P'
  readonly change: number
}

/** Writes eight sentences or so on a chain, in the order of a trading desk's morning note. */
export function narrative(figures: NarrativeFigures) {
  return {
    regime: gammaReading(figures.regime, figures.flip, figures.gap),
    gex_change: gexChange(figures),
    key_levels: keyLevels(figures),
    flow: flow(figures),
    vanna: vannaReading(figures.vannaPerPoint, figures.gap),
    charm: charmReading(figures.charm, figures.gap),
    zero_dte: sameDay(figures),
    outlook: outlook(figures)
  }
}

/** A change by more than this percentage is not stated: it says only that the earlier figure was close to 0. */
const LARGEST_CHANGE = 1000

function gexChange({ netGex, priorGex, changePercent }: NarrativeFigures): string {
  const now = money(netGex)
  if (priorGex === undefined) return `Net gamma is ${now}; there is no previous close to compare it with.`
  const before = money(priorGex)
  if (now === before) return `Net gamma held at ${now} since the previous close.`
  // A percentage of a figure with the other sign says nothing. Less than half a dollar is printed without a sign.
  if (Math.round(netGex) * Math.round(priorGex) < 0) {
    return `Net gamma turned ${netGex > 0 ? 'positive' : 'negative'}: ${now}, from ${before} at the previous close.`
  }
  const verb = netGex > priorGex ? 'rose' : 'fell'
  const by =
    changePercent === undefined || Math.abs(changePercent) > LARGEST_CHANGE
      ? ''
      : ` (${changePercent > 0 ? '+' : ''}${percent(changePercent)})`
  return `Net gamma ${verb} to ${now} from ${before} at the previous close${by}.`
}

function keyLevels({ spot, flip, callWall, putWall }: NarrativeFigures): string {
  const named = (name: string, at: number | undefined) => {
    if (at === undefined) return []
    const side = sideOfLevel(at, spot)
    return [`${name} at ${level(at)} (${side === 'at' ? 'at spot' : `${side} spot`})`]
  }
  const parts = [...named('call wall', callWall), ...named('put wall', putWall), ...named('gamma flip', flip)]
  if (parts.length === 0) return `Spot is at ${level(spot)}; no strike has enough gamma to mark a level.`
  return `Spot is at ${level(spot)}: ${parts.join(', ')}.`
}

function flow({ topChanges }: NarrativeFigures): string {
  if (topChanges.length === 0) {
    return 'No change in open interest to report: the previous session was not recorded, or nothing changed.'
  }
  const named = topChanges.slice(0, 3).map(({ expiration, strike, type, change }) => {
    const by = `${change > 0 ? '+' : ''}${grouped(change)}`
    return `${expiration} ${level(strike)} ${type === 'C' ? 'calls' : 'puts'} (${by})`
  })
  return `Largest changes in open interest since the previous session: ${named.join(', ')}.`
}

function sameDay({ expiresToday, expiredToday, sameDayPercent, symbol }: NarrativeFigures): string {
  if (expiredToday) return sameDayOfExpired(symbol)
  if (!expiresToday) return `Nothing in ${symbol} expires today: same-day gamma plays no part.`
  if (sameDayPercent === undefined) {
    return 'Contracts expire today, but no contract of the chain has gamma, so their share of it is unknown.'
  }
  const weight = sameDayPercent > 50 ? 'they drive most of the hedging' : 'later expirations carry the rest'
  return `Contracts that expire today hold ${percent(sameDayPercent)} of the chain's gross gamma: ${weight}.`
}

function outlook(figures: NarrativeFigures): string {
  const { regime, flip, spot, vix } = figures
  const backdrop = vix === undefined ? '' : ` VIX is at ${level(vix)}.`
  if (regime === 'undetermined') return `There is no gamma regime to base an outlook on.${backdrop}`
  const isAtFlip = flip !== undefined && sideOfLevel(spot, flip) === 'at'
  if (regime === 'positive_gamma') {
    const turn = isAtFlip ? 'Any move below' : 'A break below'
    const risk =
      flip === undefined ? '' : ` ${turn} the gamma flip at ${level(flip)} would turn dealers into chasers of moves.`
    return `Dealer hedging leans against moves: expect a contained range${rangeOf(figures)}.${risk}${backdrop}`
  }
  const relief =
    flip === undefined ? '' : ` A move above the gamma flip at ${level(flip)} would have dealers dampen moves again.`
  return `Dealer hedging amplifies moves: expect wider swings.${relief}${backdrop}`
}

/** The walls between which spot lies; empty if one is missing or spot is at a wall. */
function rangeOf({ spot, putWallBelow, callWallAbove }: NarrativeFigures): string {
  if (putWallBelow === undefined || callWallAbove === undefined) return ''
  if (sideOfLevel(putWallBelow, spot) !== 'below' || sideOfLevel(callWallAbove, spot) !== 'above') return ''
  return ` between ${level(putWallBelow)} and ${level(callWallAbove)}`
}
