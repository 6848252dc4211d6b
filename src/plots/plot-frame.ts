import type { EChartsCoreOption } from 'echarts/core'
import { easternDateTime } from '../market/eastern.ts'
import type { Instant, IsoDate } from '../market/units.ts'

/** Chart description that the renderer (ECharts) draws. */
export type PlotOption = EChartsCoreOption

/** Size of every plot in CSS pixels. */
export const size = { width: 1000, height: 620 } as const

/** Colors of all plots. They differ in lightness too, so that prints in gray stay readable. */
export const ink = {
  text: '#1d2733',
  muted: '#5d6b7a',
  rule: '#e4e8ec',
  strong: '#14427d',
  dot: '#74859a',
  soft: '#a9b8c9',
  pale: '#c9d2db',
  warn: '#b4361e'
} as const

/**
 * Font family of all plots. It must not contain double quotes, because the renderer writes it into an SVG attribute
 * without escaping it.
 */
export const font = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"

/** Options that all plots share: title, lines of the subtitle, margins, no animation. */
export function frame(title: string, lines: readonly string[]): PlotOption {
  return {
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: font, color: ink.text },
    title: {
      text: title,
      subtext: lines.join('\n'),
      left: 24,
      top: 18,
      itemGap: 9,
      textStyle: { fontFamily: font, fontSize: 20, fontWeight: 600, color: ink.text },
      subtextStyle: { fontFamily: font, fontSize: 13, lineHeight: 19, color: ink.muted }
    },
    grid: { left: 64, right: 32, top: 128, bottom: 92 }
  }
}

export function axis(name: string, place: 'x' | 'y', more: Readonly<Record<string, unknown>>) {
  return {
    type: 'value',
    name,
    nameLocation: 'middle',
    nameGap: place === 'x' ? 32 : 46,
    nameTextStyle: { fontSize: 13, color: ink.muted },
    axisLine: { show: place === 'x', onZero: false, lineStyle: { color: ink.soft } },
    axisTick: { show: place === 'x', lineStyle: { color: ink.soft } },
    splitLine: { show: place === 'y', lineStyle: { color: ink.rule } },
    ...more,
    axisLabel: { fontSize: 12, color: ink.muted, ...(more['axisLabel'] as object) }
  }
}

/** A data series and the icon that represents it in the legend. */
export interface Layer {
  readonly icon: string
  readonly series: { readonly name: string; readonly data: readonly unknown[] } & Readonly<Record<string, unknown>>
}

/** Legend below the plot. Series without data are left out of it. */
export function legend(layers: readonly Layer[]) {
  const drawn = layers.filter(({ series }) => series.data.length > 0)
  return {
    data: drawn.map(({ icon, series }) => ({ name: series.name, icon })),
    bottom: 14,
    left: 'center',
    itemWidth: 16,
    itemHeight: 10,
    itemGap: 24,
    selectedMode: false,
    textStyle: { fontSize: 12, color: ink.muted }
  }
}

/** Line that states time and source of the data, such as `2026-07-29 11:00 New York · source synthetic`. */
export function sourceLine(asOf: Instant, source: string): string {
  return `${easternDateTime(asOf).replace('T', ' ').slice(0, 16)} New York · source ${source}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a date with the name of its month, such as `21 Aug 2026`. */
export function dayInWords(date: IsoDate): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${day} ${months[month - 1]} ${year}`
}

/**
 * Range and tick interval of an axis: about five steps of 1, 2 or 5 times a power of ten. At least `minPad` is left
 * free at both ends. The range begins below zero only if a value is negative. Undefined if there is no value.
 */
export function scale(
  values: readonly number[],
  minPad = 0.25
): { min: number; max: number; interval: number } | undefined {
  if (values.length === 0) return undefined
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const pad = Math.max(minPad, 0.05 * (most - least))
  if (pad === 0) return undefined
  const rough = (most - least + 2 * pad) / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const interval = [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= rough)!
  const below = Math.floor((least - pad) / interval) * interval
  return { min: least < 0 ? below : Math.max(0, below), max: Math.ceil((most + pad) / interval) * interval, interval }
}
