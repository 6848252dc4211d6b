export interface Weighted {
  readonly weight: number
}

/** Scales weights so that they add up to 1; equal weights if all are 0. */
export function normalised<Part extends Weighted>(parts: readonly Part[]): readonly Part[] {
  const sum = parts.reduce((total, { weight }) => total + weight, 0)
  return parts.map((part) => ({ ...part, weight: sum === 0 ? 1 / parts.length : part.weight / sum }))
}
