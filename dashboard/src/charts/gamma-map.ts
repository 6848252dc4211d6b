import type { StrikeMap } from '../state/day/price-stage.ts'

type Rgb = readonly [number, number, number]

/** Red, green and blue of a colour #rrggbb. */
export function channels(colour: string): readonly [number, number, number] {
  const value = Number.parseInt(colour.slice(1, 7), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

interface Frame {
  /** Dollars. */
  readonly prices: readonly [number, number]
  /** Milliseconds. */
  readonly times: readonly [number, number]
  /** Nothing later is drawn, milliseconds. */
  readonly until: number
  readonly call: Rgb
  readonly put: Rgb
}

/** Pixels of the picture, which the browser scales: one image costs one draw, single cells would cost thousands. */
export const [WIDE, HIGH] = [130, 120] as const
/** Alpha of the strongest tint, of 255. */
const STRONGEST = 150
/** The newest column fades to LAST_SHARE of its tint over FADE milliseconds. */
const LAST_SHARE = 0.42
const FADE = 4_000_000

/**
 * A signed figure by price and time, such as net gamma, as RGBA bytes of WIDE × HIGH pixels, highest price first. A
 * Gaussian of three quarters of the strike spacing spreads each strike, so that the picture shows zones rather than
 * bars. The tint grows with the square root of the figure. Nothing is drawn before the first column, since nothing was
 * known then. Undefined if nothing is known by `until`.
 */
export function gammaMap(matrix: StrikeMap, frame: Frame): Uint8ClampedArray<ArrayBuffer> | undefined {
  const moments = matrix.columns.map((text) => Date.parse(text))
  const known = moments.filter((time) => time <= frame.until).length
  if (known === 0) return undefined
  const profiles = moments.slice(0, known).map((_, column) => spreadColumn(matrix, column, frame.prices, HIGH))
  const most = Math.max(...profiles.map((each) => each.reduce((size, value) => Math.max(size, Math.abs(value)), 0)))
  if (most === 0) return undefined
  const pixels = new Uint8ClampedArray(WIDE * HIGH * 4)
  const [start, end] = frame.times
  for (let x = 0; x < WIDE; x++) {
    const time = start + ((x + 0.5) / WIDE) * (end - start)
    if (time < moments[0]!) continue
    const after = moments.findIndex((each, i) => i < known && each > time)
    const right = after < 0 ? known - 1 : after
    const left = Math.max(0, right - 1)
    const gap = moments[right]! - moments[left]!
    const share = gap > 0 ? Math.min(1, Math.max(0, (time - moments[left]!) / gap)) : 1
    const fade = Math.max(LAST_SHARE, 1 - Math.max(0, time - moments[known - 1]!) / FADE)
    for (let y = 0; y < HIGH; y++) {
      const value = profiles[left]![y]! * (1 - share) + profiles[right]![y]! * share
      const strength = Math.sqrt(Math.abs(value) / most) * fade
      const at = ((HIGH - 1 - y) * WIDE + x) * 4
      pixels.set(value >= 0 ? frame.call : frame.put, at)
      pixels[at + 3] = STRONGEST * strength ** 1.35
    }
  }
  return pixels
}

/** One column of the matrix at `rows` prices, lowest first: each strike is spread over its neighbours. */
export function spreadColumn(
  { strikes, values }: StrikeMap,
  column: number,
  [low, high]: readonly [number, number],
  rows: number
): Float64Array {
  const out = new Float64Array(rows)
  const near = strikes.flatMap((strike, i) => (strike > low - 5 && strike < high + 5 ? [i] : []))
  if (near.length === 0) return out
  const width = 0.75 * (near.length > 1 ? (strikes[near.at(-1)!]! - strikes[near[0]!]!) / (near.length - 1) : 1)
  for (const i of near) {
    const value = values[i]![column] ?? 0
    for (let y = 0; y < rows; y++) {
      const z = (low + ((y + 0.5) / rows) * (high - low) - strikes[i]!) / width
      if (Math.abs(z) < 4) out[y]! += value * Math.exp(-0.5 * z * z)
    }
  }
  return out
}
