/**
 * How net gamma changed against the session before, percent of its size then. Undefined without a figure for then, or
 * where that is 0.
 */
export function gammaChange(netGex: number, prior: number | undefined): number | undefined {
  return prior ? (100 * (netGex - prior)) / Math.abs(prior) : undefined
}
