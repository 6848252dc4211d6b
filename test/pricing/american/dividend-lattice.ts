import { CALL } from '../../../src/market/chain.ts'
import type { DividendTerms } from '../../../src/pricing/american/dividends/dividend-terms.ts'

/**
 * The premium of early exercise by a binomial lattice (Leisen and Reimer 1996): a slow and plain twin. Proportional dividends
 * leave the lattice recombining: behind an ex-date every node is lower by the same share. `steps` is odd; ex-dates must fall
 * on steps, and at theirs the holder may exercise just before the dividend as well as just after it.
 */
export function latticePremium(terms: DividendTerms, x: number, sigma: number, steps: number): number {
  const { right, t, rate, dividendYield, dividends } = terms
  const sign = right === CALL ? 1 : -1
  const dt = t / steps
  const kept = (time: number) =>
    dividends.reduce(
      (product, { t: exDate, fraction }) => (exDate <= time + dt / 2 ? product * (1 - fraction) : product),
      1
    )
  const forward = Math.exp(x + (rate - dividendYield) * t) * kept(t)
  const d2 = Math.log(forward) / (sigma * Math.sqrt(t)) - (sigma * Math.sqrt(t)) / 2
  const inversion = (z: number) =>
    0.5 +
    (Math.sign(z) / 2) * Math.sqrt(1 - Math.exp(-((z / (steps + 1 / 3 + 0.1 / (steps + 1))) ** 2) * (steps + 1 / 6)))
  const up = inversion(d2)
  const growth = Math.exp((rate - dividendYield) * dt)
  const rise = (growth * inversion(d2 + sigma * Math.sqrt(t))) / up
  const fall = (growth - up * rise) / (1 - up)
  const discount = Math.exp(-rate * dt)
  const exDates = new Set(dividends.map(({ t: exDate }) => Math.round(exDate / dt)))
  const european = new Float64Array(steps + 1)
  const american = new Float64Array(steps + 1)
  for (let step = steps; step >= 0; step--) {
    const after = kept(step * dt)
    const before = exDates.has(step) ? kept((step - 1) * dt) : after
    let spot = Math.exp(x) * fall ** step
    for (let i = 0; i <= step; i++, spot *= rise / fall) {
      const exercise = Math.max(sign * (spot * after - 1), sign * (spot * before - 1), 0)
      if (step === steps) european[i] = Math.max(sign * (spot * after - 1), 0)
      else european[i] = discount * (up * european[i + 1] + (1 - up) * european[i])
      const wait = step === steps ? 0 : discount * (up * american[i + 1] + (1 - up) * american[i])
      american[i] = Math.max(wait, exercise)
    }
  }
  return american[0] - european[0]
}

/** The limit of the lattice by Richardson's extrapolation from two sizes, `parts` of the time lying between ex-dates. */
export function twinPremium(terms: DividendTerms, x: number, sigma: number, parts: number): number {
  const odd = (size: number) => parts * (2 * Math.round((size / parts - 1) / 2) + 1)
  const [few, many] = [odd(701), odd(2103)]
  const [coarse, fine] = [latticePremium(terms, x, sigma, few), latticePremium(terms, x, sigma, many)]
  return fine + ((fine - coarse) * few) / (many - few)
}
