import type { CustomSeriesRenderItem, CustomSeriesRenderItemReturn } from 'echarts'
import { byStrike, netGex, sumOf } from '../exposure/by-strike.ts'
import { keyLevels } from '../exposure/levels/key-levels.ts'
import { liveScope } from '../exposure/scope.ts'
import { gammaFlip } from '../exposure/spot-ladder/gamma-flip.ts'
import type { Instant } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { level, money } from '../wording/format.ts'
import { axis, font, frame, ink, type Layer, legend, type PlotOption, scale, sourceLine } from './plot-frame.ts'

/**
 * Strikes are shown up to this distance from spot, as a fraction of spot. Strikes further away have little gamma and
 * would only squeeze the plot.
 */
const MAX_DISTANCE = 0.1

export interface GammaPicture {
  readonly symbol: string
  readonly asOf: Instant
  readonly spot: number
  /** Net gamma exposure of each strike, USD per 1 % move, ascending by strike. */
  readonly bars: readonly { readonly strike: number; readonly netGex: number }[]
  readonly netGex: number
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
}

/** Data for the gamma plot of a chain. Undefined if no strike near spot has gamma exposure. */
export function gammaPicture(chain: PricedChain): GammaPicture | undefined {
  const scope = liveScope(chain)
  const { symbol, asOf, spot } = chain
  const rows = byStrike(scope)
  const bars = rows
    .map((row) => ({ strike: row.strike, netGex: netGex(row) }))
    .filter(({ strike, netGex }) => netGex !== 0 && Math.abs(strike / spot - 1) <= MAX_DISTANCE)
  if (bars.length === 0) return undefined
  const { callWall, putWall } = keyLevels(scope)
  return {
    symbol,
    asOf,
    spot,
    bars,
    netGex: sumOf(rows, netGex),
    flip: gammaFlip(scope),
    callWall: callWall?.strike,
    putWall: putWall?.strike
  }
}

const units = [
  { name: 'billion', usd: 1e9 },
  { name: 'million', usd: 1e6 }
]
const square = 'rect'

/** Draws net gamma exposure by strike, with marks at spot, gamma flip and walls. */
export function gammaOption(picture: GammaPicture, source: string): PlotOption {
  const { bars, symbol, asOf, spot, netGex, flip } = picture
  const largest = Math.max(...bars.map((bar) => Math.abs(bar.netGex)))
  const unit = units.find(({ usd }) => largest >= usd / 10) ?? units[1]
  const up = scale([0, ...bars.map((bar) => bar.netGex / unit.usd)], 0) ?? { min: -1, max: 1, interval: 0.5 }
  const strikes = bars.map(({ strike }) => strike)
  const side = 0.01 * (strikes.at(-1)! - strikes[0]) || 1
  const across = { min: strikes[0] - side, max: strikes.at(-1)! + side }
  const layers = [
    barLayer('net gamma positive: dealers dampen', ink.strong, picture, unit.usd, (value) => value > 0),
    barLayer('net gamma negative: dealers amplify', ink.warn, picture, unit.usd, (value) => value < 0)
  ]
  return {
    ...frame(`${symbol} net gamma exposure by strike`, [
      `spot ${level(spot)} · ${sourceLine(asOf, source)}`,
      `All expirations: ${money(netGex)} per 1 % move${flip === undefined ? '; no flip' : `; flip at ${level(flip)}`}.`
    ]),
    legend: legend(layers),
    xAxis: axis('strike', 'x', {
      ...across,
      axisLabel: { hideOverlap: true, showMinLabel: false, showMaxLabel: false }
    }),
    yAxis: axis(`USD ${unit.name} per 1 % move`, 'y', up),
    series: [...layers.map(({ series }) => series), levelMarks(picture, up)]
  }
}

function barLayer(
  name: string,
  color: string,
  { bars }: GammaPicture,
  unit: number,
  isShown: (value: number) => boolean
): Layer {
  const gaps = bars.slice(1).map(({ strike }, i) => strike - bars[i].strike)
  const width = 0.7 * Math.min(...gaps, bars[0].strike * 0.01)
  const renderItem: CustomSeriesRenderItem = (_, api): CustomSeriesRenderItemReturn => {
    const strike = Number(api.value(0))
    const [left, top] = api.coord([strike - width / 2, Number(api.value(1))])
    const [right, zero] = api.coord([strike + width / 2, 0])
    const shape = { x: left, y: Math.min(top, zero), width: Math.max(1, right - left), height: Math.abs(zero - top) }
    return { type: 'rect', shape, style: { fill: color } }
  }
  const data = bars.filter((bar) => isShown(bar.netGex)).map(({ strike, netGex }) => [strike, netGex / unit])
  return { icon: square, series: { type: 'custom', name, z: 3, renderItem, itemStyle: { color }, data } }
}

/**
 * Vertical lines at spot (dotted) and at the levels (dashed). Labels that would overlap are placed at different
 * heights.
 */
function levelMarks({ spot, flip, callWall, putWall, bars }: GammaPicture, { min, max }: { min: number; max: number }) {
  const [first, last] = [bars[0].strike, bars.at(-1)!.strike]
  const all = [
    { at: spot, text: `spot ${level(spot)}`, lineDash: [2, 3] },
    { at: flip, text: `flip ${flip === undefined ? '' : level(flip)}`, lineDash: [6, 4] },
    { at: callWall, text: `call wall ${callWall}`, lineDash: [6, 4] },
    { at: putWall, text: `put wall ${putWall}`, lineDash: [6, 4] }
  ]
  const marks = all.flatMap(({ at, ...mark }) =>
    at !== undefined && at >= first && at <= last ? [{ at, ...mark }] : []
  )
  const renderItem: CustomSeriesRenderItem = ({ dataIndex }, api) => {
    const { text, lineDash } = marks[dataIndex]
    const [x, y1] = api.coord([api.value(0), api.value(1)])
    const [, y2] = api.coord([api.value(0), api.value(2)])
    const line = { type: 'line', shape: { x1: x, y1, x2: x, y2 }, style: { stroke: ink.muted, lineWidth: 1, lineDash } }
    const style = { text, fill: ink.muted, fontSize: 12, fontFamily: font, textAlign: 'left', textVerticalAlign: 'top' }
    const label = { type: 'text', x: x + 5, y: y2 + 15 * dataIndex, style }
    return { type: 'group', children: [line, label] } as CustomSeriesRenderItemReturn
  }
  return { type: 'custom', name: 'levels', z: 5, renderItem, data: marks.map(({ at }) => [at, min, max]) }
}
