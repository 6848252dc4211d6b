/** Blue over green to yellow in even steps of lightness. Used for volatility, which has no sign. */
const RAMP: readonly (readonly [number, number, number])[] = [
  [46, 58, 128],
  [52, 94, 141],
  [38, 130, 142],
  [53, 163, 134],
  [109, 196, 104],
  [180, 218, 66],
  [248, 230, 80]
]

/** The colour of a share from 0 to 1. */
export function rampColour(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1)
  const from = RAMP[Math.min(Math.floor(at), RAMP.length - 2)]!
  const to = RAMP[Math.min(Math.floor(at), RAMP.length - 2) + 1]!
  const part = at - Math.min(Math.floor(at), RAMP.length - 2)
  return `rgb(${from.map((each, i) => Math.round(each + (to[i]! - each) * part)).join()})`
}
