import type { Layer } from '../scene.ts'
import { line } from '../strokes.ts'

const STEPS = 32

/** One standard deviation from the last price on, which grows with the square root of time. */
export const cone: Layer = (pen, { data, ink, x, y, span }) => {
  const count = data.bars.t.length
  const close = data.spot ?? data.bars.c.at(-1)
  if (data.cone === undefined || close === undefined || span.to <= count) return undefined
  const { move, bars } = data.cone
  const edge = (side: 1 | -1) =>
    Array.from(
      { length: STEPS + 1 },
      (_, i) => [x(count + (bars * i) / STEPS), y(close + side * move * Math.sqrt(i / STEPS))] as const
    )
  const [upper, lower] = [edge(1), edge(-1)]
  pen.beginPath()
  for (const [left, top] of [...upper, ...lower.reverse()]) pen.lineTo(left, top)
  pen.closePath()
  pen.fillStyle = ink['ink-3']
  pen.globalAlpha = 0.14
  pen.fill()
  pen.globalAlpha = 1
  for (const side of [upper, lower])
    line(pen, ink['ink-2'], 1, [3, 3], () => {
      for (const [left, top] of side) pen.lineTo(left, top)
    })
  return { bars: [count, count + bars], prices: [close - move, close + move] }
}
