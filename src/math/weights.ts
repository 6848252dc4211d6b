export interface Weighted {
  readonly weight: number
}

/** Scales weights so that they add up to 1. If all are 0, they become equal. */
export function normalised<Part extends Weighted>(parts: readonly Part[]): readonly Part[] {
  const sum = parts.reduce((total, { weight }) => total + weight, 0)
  return parts.map((part) => ({ ...part, weight: sum === 0 ? 1 / parts.length : part.weight / sum }))
}
