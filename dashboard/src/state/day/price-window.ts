/** The lowest and the highest price that are drawn. */
export type PriceWindow = readonly [low: number, high: number]

interface Seen {
  readonly spot: number
  /** One standard deviation of the day as options price it, dollars. */
  readonly move: number | undefined
  readonly levels: readonly number[]
  /** Ascending. */
  readonly strikes: readonly number[]
  /** Half the window, percent of spot; undefined: wide enough for the levels. */
  readonly range: number | undefined
}

/** Levels within this share of spot are always inside the window. */
const NEAR = 0.04
/** Strikes to show on each side, unless they are farther away than TOO_FAR. */
const STRIKES = 8
const TOO_FAR = 0.12
/** Step of the window, share of spot. A window that followed each tick would make the picture swim. */
const STEP = 0.0025

/** The price axis that the price chart and the bars by strike share. */
export function priceWindow({ spot, move, levels, strikes, range }: Seen): PriceWindow {
  if (range !== undefined) {
    const half = (spot * range) / 100
    const step = half / 4
    const middle = Math.round(spot / step) * step
    return [middle - half, middle + half]
  }
  const half = Math.max(spot * 0.006, 1.6 * (move ?? 0))
  const near = levels.filter((level) => Math.abs(level / spot - 1) < NEAR)
  const held = [spot - half, spot + half, ...near, ...strikesAround(spot, strikes)]
  const step = spot * STEP
  const room = step * 0.8
  return [Math.floor((Math.min(...held) - room) / step) * step, Math.ceil((Math.max(...held) + room) / step) * step]
}

function strikesAround(spot: number, strikes: readonly number[]): readonly number[] {
  const above = strikes.findIndex((strike) => strike >= spot)
  if (above < 0) return []
  const outermost = [strikes[Math.max(0, above - STRIKES)]!, strikes[Math.min(strikes.length, above + STRIKES) - 1]!]
  return outermost.filter((strike) => Math.abs(strike / spot - 1) < TOO_FAR)
}
