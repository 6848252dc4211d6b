/** Height and width of the picture, and its margin above and below. */
const [WIDTH, HEIGHT, MARGIN] = [100, 40, 3] as const

/** An SVG path through at least two values, lowest at the foot; `isStep`: it jumps from one value to the next. */
export function linePath(values: readonly number[], isStep: boolean): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const across = (i: number) => round((WIDTH * i) / (values.length - 1))
  const down = (value: number) =>
    round(high === low ? HEIGHT / 2 : HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - low)) / (high - low))
  return values
    .map((value, i) => {
      if (i === 0) return `M0 ${down(value)}`
      return isStep ? `H${across(i)}V${down(value)}` : `L${across(i)} ${down(value)}`
    })
    .join('')
}

const round = (value: number) => Math.round(100 * value) / 100
