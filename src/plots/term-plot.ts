import type { Instant, IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type FitRefusal, slices } from '../volatility/smile/slice.ts'
import { atmVolatility } from '../volatility/smile/smile-volatility.ts'
import { referenceSmile } from '../volatility/term/reference-slice.ts'
import { level, percent, withNoun } from '../wording/format.ts'
import { axis, frame, ink, type Layer, legend, type PlotOption, scale, sourceLine } from './plot-frame.ts'

export interface TermPoint {
  readonly date: IsoDate
  readonly days: number
  /** At-the-money volatility. Undefined if the smile does not reach the forward. */
  readonly iv: number | undefined
  /** Why the smile of this expiration was not fitted. Undefined if it was. */
  readonly refusal: FitRefusal | undefined
}

export interface TermPicture {
  readonly symbol: string
  readonly asOf: Instant
  readonly spot: number
  /** One point for each unexpired date, ascending. */
  readonly points: readonly TermPoint[]
  /** Expiration date from which the headline volatility of the chain is read. */
  readonly reference: IsoDate | undefined
}

/** Data for the term structure plot of a chain. Undefined if it has no unexpired options. */
export function termPicture(chain: PricedChain): TermPicture | undefined {
  const points = slices(chain).map((slice) => {
    const iv = atmVolatility(slice)
    return { date: slice.date, days: slice.days, iv: iv && 100 * iv, refusal: slice.refusal }
  })
  if (points.length === 0) return undefined
  return { symbol: chain.symbol, asOf: chain.asOf, spot: chain.spot, points, reference: referenceSmile(chain)?.date }
}

const cross = 'path://M-5,-5L5,5M5,-5L-5,5'

/** Labels of the time axis. The axis shows the square root of time, so that near expirations have enough room. */
const ticks: readonly (readonly [days: number, name: string])[] = [
  [0, 'today'],
  [1, '1 day'],
  [7, '1 week'],
  [30, '1 month'],
  [91, '3 months'],
  [182, '6 months'],
  [365, '1 year'],
  [730, '2 years'],
  [1095, '3 years'],
  [1826, '5 years']
]

/**
 * Draws the at-the-money volatilities of a chain over time to expiry. Expirations without a fitted smile are marked.
 */
export function termOption(picture: TermPicture, source: string): PlotOption {
  const { points, reference, symbol, asOf, spot } = picture
  const withVolatility = points.filter((point) => point.iv !== undefined)
  const accepted = withVolatility.filter(({ refusal }) => refusal === undefined)
  const up = scale(withVolatility.map(({ iv }) => iv!)) ?? { min: 0, max: 100, interval: 20 }
  const place = ({ days, iv, refusal }: TermPoint) => [Math.sqrt(days), iv ?? up.min, refusal?.replaceAll('_', ' ')]
  const layers = [
    fitted(accepted.map(place)),
    refused('refused: between quotes', withVolatility.filter(({ refusal }) => refusal !== undefined).map(place)),
    refused('refused: no volatility', points.filter(({ iv }) => iv === undefined).map(place))
  ]
  const ring = withVolatility.filter(({ date }) => date === reference)
  return {
    ...frame(`${symbol} at-the-money term structure`, [
      `spot ${level(spot)} · ${sourceLine(asOf, source)}`,
      `Fit accepted for ${accepted.length} of ${withNoun(points.length, 'expiration')}.`
    ]),
    legend: legend(layers),
    xAxis: timeAxis(Math.max(7, ...points.map(({ days }) => days))),
    yAxis: axis('implied volatility at the forward, %', 'y', up),
    series: [...layers.map(({ series }) => series), ...ring.map((point) => referenceRing(point, place(point)))]
  }
}

type Place = readonly (number | string | undefined)[]

function timeAxis(furthest: number) {
  const marks = ticks.filter(([days]) => days <= 1.05 * furthest).map(([days, name]) => ({ at: Math.sqrt(days), name }))
  const customValues = marks.map(({ at }) => at)
  const formatter = (root: number) => marks.find(({ at }) => Math.abs(at - root) < 1e-9)?.name ?? ''
  return axis('time to expiry', 'x', {
    min: -0.02 * Math.sqrt(furthest),
    max: 1.02 * Math.sqrt(furthest),
    axisTick: { customValues, lineStyle: { color: ink.soft } },
    axisLabel: { customValues, hideOverlap: true, formatter }
  })
}

function fitted(data: readonly Place[]): Layer {
  const itemStyle = { color: ink.strong }
  const series = { type: 'line', name: 'accepted fit', symbol: 'circle', symbolSize: 7, itemStyle, z: 3 }
  return { icon: 'circle', series: { ...series, lineStyle: { color: ink.strong, width: 2 }, data } }
}

/**
 * Markers of the expirations without a fitted smile, labeled with the reasons. A label that would overlap another is
 * dropped.
 */
function refused(name: 'refused: between quotes' | 'refused: no volatility', data: readonly Place[]): Layer {
  const isCross = name === 'refused: no volatility'
  const icon = isCross ? cross : 'emptyDiamond'
  const itemStyle = isCross ? { color: 'transparent', borderColor: ink.warn, borderWidth: 1.5 } : { color: ink.warn }
  const halo = { textBorderColor: '#ffffff', textBorderWidth: 3 }
  const label = { show: true, position: 'top', fontSize: 11, color: ink.muted, ...halo, formatter: '{@[2]}' }
  const series = { type: 'scatter', name, symbol: icon, symbolSize: 10, clip: false, z: 4, itemStyle, label, data }
  return { icon, series: { ...series, labelLayout: { hideOverlap: true } } }
}

function referenceRing({ iv, days }: TermPoint, at: Place) {
  const formatter = `reference: ${percent(iv!)}, ${withNoun(days, 'day')}`
  return {
    type: 'scatter',
    name: 'reference',
    symbol: 'circle',
    symbolSize: 17,
    itemStyle: { color: 'transparent', borderColor: ink.strong, borderWidth: 1.5 },
    label: { show: true, position: 'right', distance: 8, fontSize: 12, color: ink.text, formatter },
    data: [at],
    z: 5
  }
}
