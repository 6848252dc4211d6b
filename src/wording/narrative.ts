import type { StatedRegime } from '../exposure/regime.ts'
import type { NetCharm } from '../exposure/time-decay.ts'
import { sameDayOfExpired } from './expired.ts'
import { charmReading, gammaReading, vannaReading } from './exposure-readings.ts'
import { grouped, level, money, percent } from './format.ts'

/** Figures that a narrative mentions. Each is also a field of the response that contains the narrative. */
export interface NarrativeFigures {
  readonly symbol: string
  readonly spot: number
  readonly regime: StatedRegime
  readonly netGex: number
  readonly priorGex: number | undefined
  readonly changePercent: number | undefined
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
  readonly sameDayPercent: number | undefined
  readonly expiresToday: boolean
  readonly expiredToday: boolean
  readonly vix: number | undefined
  readonly topChanges: readonly { readonly strike: number; readonly type: 'C' | 'P'; readonly change: number }[]
}

/** Writes about eight sentences on a chain, in the order of a trading desk's morning note. */
export function narrative(figures: NarrativeFigures, netVex: number, charm: NetCharm) {
  return {
    regime: gammaReading(figures.regime, figures.flip),
    gex_change: gexChange(figures),
    key_levels: keyLevels(figures),
    flow: flow(figures),
    vanna: withoutFigure(vannaReading(netVex), netVex),
    charm: withoutFigure(charmReading(charm), charm.net ?? 0),
    zero_dte: sameDay(figures),
    outlook: outlook(figures)
  }
}

/** A sentence from which the figure is removed, because vanna and charm are not among the fields of a narrative. */
function withoutFigure(sentence: string, net: number): string {
  return sentence.replace(/ of -?\$[\d.,]+( billion| million)? [^:]+/, net > 0 ? ' is positive' : ' is negative')
}

function gexChange({ netGex, priorGex, changePercent }: NarrativeFigures): string {
  if (priorGex === undefined)
    return `Net gamma stands at ${money(netGex)}; no comparison with the previous session exists.`
  if (changePercent === undefined)
    return `Net gamma stands at ${money(netGex)} after a flat ${money(priorGex)} the session before.`
  const verb = changePercent > 0 ? 'rose' : changePercent < 0 ? 'fell' : 'held'
  const by = changePercent === 0 ? '' : ` (${changePercent > 0 ? '+' : ''}${percent(changePercent)})`
  return `Net gamma ${verb} to ${money(netGex)} from ${money(priorGex)} at the previous close${by}.`
}

function keyLevels({ spot, flip, callWall, putWall }: NarrativeFigures): string {
  const parts = [
    callWall === undefined ? undefined : `call wall at ${level(callWall)}`,
    putWall === undefined ? undefined : `put wall at ${level(putWall)}`,
    flip === undefined ? undefined : `gamma flip at ${level(flip)}`
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return `Spot at ${level(spot)}; no strike carries enough gamma to mark a level.`
  return `Spot at ${level(spot)}: ${parts.join(', ')}.`
}

function flow({ topChanges }: NarrativeFigures): string {
  if (topChanges.length === 0)
    return 'No open-interest change to report: no snapshot of the previous session, or nothing moved.'
  const named = topChanges
    .slice(0, 3)
    .map(
      ({ strike, type, change }) =>
        `${change > 0 ? '+' : ''}${grouped(change)} ${level(strike)} ${type === 'C' ? 'calls' : 'puts'}`
    )
  return `Largest open-interest changes since the previous session: ${named.join(', ')}.`
}

function sameDay({ expiresToday, expiredToday, sameDayPercent, symbol }: NarrativeFigures): string {
  if (expiredToday) return sameDayOfExpired(symbol)
  if (!expiresToday) return `Nothing live expires today in ${symbol}: same-day gamma plays no part.`
  if (sameDayPercent === undefined)
    return 'Same-day contracts are live, but the full chain nets to zero, so their share has no meaning.'
  const weight = sameDayPercent > 50 ? 'they dominate hedging flow' : 'longer expirations set the tone'
  return `Same-day contracts equal ${percent(sameDayPercent)} of total gamma: ${weight}.`
}

function outlook({ regime, flip, callWall, putWall, vix }: NarrativeFigures): string {
  const backdrop = vix === undefined ? '' : ` VIX at ${level(vix)}.`
  if (regime === 'undetermined') return `No dealer positioning can be read from the open interest.${backdrop}`
  const range =
    callWall !== undefined && putWall !== undefined && putWall < callWall
      ? ` between ${level(putWall)} and ${level(callWall)}`
      : ''
  if (regime === 'positive_gamma') {
    const risk = flip === undefined ? '' : ` A break below ${level(flip)} would turn hedging flows against the market.`
    return `Hedging flows lean toward a contained range${range}.${risk}${backdrop}`
  }
  const relief = flip === undefined ? '' : ` Reclaiming ${level(flip)} would calm hedging flows.`
  return `Hedging flows amplify direction; expect wider swings${range}.${relief}${backdrop}`
}
