import { percent } from '../../../parts/format.ts'
import { type Layer, middleOf, type Scene } from '../scene.ts'
import { label, line } from '../strokes.ts'
import { spread } from './labels.ts'
import { valuesAt } from './levels.ts'

const TONES = ['magnet', 'put', 'flip', 'good'] as const

/** The price that another symbol would have had if both had moved by the same percent since the left edge. */
function scaledBy(scene: Scene, values: Float64Array): ((value: number) => number) | undefined {
  for (let i = scene.first; i <= scene.last; i++) {
    const [own, other] = [scene.shown.c[i]!, values[i]!]
    if (own > 0 && other > 0) return (value) => (value / other) * own
  }
  return undefined
}

/** Other symbols as lines in percent since the left edge. */
export const compared: Layer = (pen, scene) => {
  const { data, first, last, y, plot, ink } = scene
  const ends = data.compared.flatMap(({ symbol, values }, k) => {
    const shown = valuesAt(values, scene.level)
    const scaled = scaledBy(scene, shown)
    if (scaled === undefined) return []
    const colour = ink[TONES[k % TONES.length]!]
    let [start, end] = [Number.NaN, Number.NaN]
    line(pen, colour, 1.4, [], () => {
      for (let i = first; i <= last; i++) {
        const value = shown[i] ?? Number.NaN
        if (Number.isNaN(value)) continue
        if (Number.isNaN(start)) start = value
        pen[Number.isNaN(end) ? 'moveTo' : 'lineTo'](middleOf(scene, i), y(scaled(value)))
        end = value
      }
    })
    return [{ text: `${symbol} ${percent((end / start - 1) * 100, 'signed', 2)}`, at: y(scaled(end)), colour }]
  })
  if (ends.length === 0) return undefined
  ends.sort((a, b) => a.at - b.at)
  const heights = spread(
    ends.map(({ at }) => at),
    0,
    plot.height
  )
  ends.forEach(({ text, colour }, i) => {
    label(pen, { text, x: 8, y: heights[i]!, from: 'left', ground: ink.panel, colour, font: scene.font(10.5, 600) })
  })
  return { bars: [first * scene.size, last * scene.size] }
}
