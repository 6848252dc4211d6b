const STEPS = 64
/** From this x on, e^-x is below 5e-18 and treated as 0. */
const END = 40
const VALUES = Float64Array.from({ length: STEPS * END + 1 }, (_, n) => Math.exp(-n / STEPS))

/**
 * Computes e^-x for x >= 0 with a relative error below 1e-15; from x = 40 on it returns 0. Cheaper than `exponential`,
 * and meant for sums in which terms that small do not count.
 * Method: a table at steps of 1/64 and five terms of the series for the rest.
 */
export function decay(x: number): number {
  if (!(x < END)) return 0
  const n = (x * STEPS + 0.5) | 0
  const r = n / STEPS - x
  const r2 = r * r
  return VALUES[n] * (1 + r + r2 * (1 / 2 + r * (1 / 6) + r2 * (1 / 24 + r * (1 / 120))))
}
