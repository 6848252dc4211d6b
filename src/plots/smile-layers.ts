import type { CustomSeriesRenderItem, CustomSeriesRenderItemReturn } from 'echarts'
import { level } from '../wording/format.ts'
import { font, ink, type Layer } from './plot-frame.ts'
import type { QuotedVolatility, SmilePicture } from './smile-picture.ts'

const errorBar = 'path://M0,0H8V1.5H4.75V12.5H8V14H0V12.5H3.25V1.5H0Z'
const stroke = 'path://M0,0H18V2.5H0Z'
const diamond = 'path://M0,-6L6,0L0,6L-6,0Z'

/**
 * Vertical bars from the volatility of the bid to that of the ask. If one of them has no volatility, the bar ends at
 * the mid.
 */
export function bidToAsk(quotes: readonly QuotedVolatility[]): Layer {
  const data = quotes.map(({ strike, bid, mid, ask, used }) => [strike, bid ?? mid, ask ?? mid, used ? 1 : 0])
  const series = { type: 'custom', clip: true, z: 2, encode: { x: 0, y: [1, 2] }, renderItem: bar }
  return { icon: errorBar, series: { ...series, name: 'bid to ask', itemStyle: { color: ink.soft }, data } }
}

const styles = {
  put: { symbol: 'circle', symbolSize: 6, color: ink.dot },
  call: { symbol: 'emptyCircle', symbolSize: 6, color: ink.dot },
  'not fitted': { symbol: 'emptyCircle', symbolSize: 4, color: ink.pale }
}

export function dots(name: keyof typeof styles, quotes: readonly QuotedVolatility[]): Layer {
  const { symbol, symbolSize, color } = styles[name]
  const data = quotes.map(({ strike, mid }) => [strike, mid])
  const series = { type: 'scatter', clip: true, z: 4, name, symbol, symbolSize, itemStyle: { color }, data }
  return { icon: symbol, series }
}

/** Line of the smile: solid if a curve was fitted, dashed if it is interpolated between quotes. */
export function curveLayer(name: 'SVI fit' | 'between quotes', curve: SmilePicture['curve']): Layer {
  const lineStyle = { color: ink.strong, width: 2.25, type: name === 'SVI fit' ? 'solid' : 'dashed' }
  const series = { type: 'line', clip: true, z: 5, name, symbol: 'none', lineStyle, itemStyle: { color: ink.strong } }
  return { icon: stroke, series: { ...series, data: curve.map(([strike, iv]) => [strike, iv]) } }
}

export function flagMarks(flags: SmilePicture['flags']): Layer {
  const halo = { textBorderColor: '#ffffff', textBorderWidth: 3 }
  const series = {
    type: 'scatter',
    name: 'arbitrage',
    symbol: diamond,
    symbolSize: 13,
    z: 6,
    itemStyle: { color: ink.warn, borderColor: '#ffffff', borderWidth: 1 },
    label: { show: true, position: 'top', fontSize: 12, color: ink.warn, ...halo, formatter: '{@[2]}' },
    data: flags.map(({ strike, iv, kind }) => [strike, iv, kind])
  }
  return { icon: diamond, series }
}

/** Vertical lines at the forward (dashed) and at spot (dotted). Each label is on the side away from the other line. */
export function priceMarks(
  { slice, spot }: Pick<SmilePicture, 'slice' | 'spot'>,
  { min, max }: { readonly min: number; readonly max: number }
) {
  const { forward } = slice
  const marks = [
    { at: forward, text: `forward ${level(forward)}`, lineDash: [6, 4], toRight: forward >= spot },
    { at: spot, text: `spot ${level(spot)}`, lineDash: [2, 3], toRight: forward < spot }
  ]
  const renderItem: CustomSeriesRenderItem = ({ dataIndex }, api) => {
    const { text, lineDash, toRight } = marks[dataIndex]
    const [x, y1] = api.coord([api.value(0), api.value(1)])
    const [, y2] = api.coord([api.value(0), api.value(2)])
    const line = { type: 'line', shape: { x1: x, y1, x2: x, y2 }, style: { stroke: ink.muted, lineWidth: 1, lineDash } }
    const textAlign = toRight ? 'left' : 'right'
    const style = { text, fill: ink.muted, fontSize: 12, fontFamily: font, textAlign, textVerticalAlign: 'bottom' }
    const label = { type: 'text', x: x + (toRight ? 6 : -6), y: y2 - 4, style }
    return { type: 'group', children: [line, label] } as CustomSeriesRenderItemReturn
  }
  return { type: 'custom', name: 'prices', z: 1, renderItem, data: marks.map(({ at }) => [at, min, max]) }
}

const bar: CustomSeriesRenderItem = (_, api): CustomSeriesRenderItemReturn => {
  const [x, low] = api.coord([api.value(0), api.value(1)])
  const [, high] = api.coord([api.value(0), api.value(2)])
  const style = { stroke: api.value(3) === 1 ? ink.soft : ink.pale, lineWidth: 1.25 }
  const line = (x1: number, y1: number, x2: number, y2: number) => {
    return { type: 'line' as const, shape: { x1, y1, x2, y2 }, style }
  }
  const caps = [low, high].map((y) => line(x - 2.5, y, x + 2.5, y))
  return { type: 'group', children: [line(x, low, x, high), ...caps] }
}
