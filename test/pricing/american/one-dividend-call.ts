import { inverseNormal, normalCdf, normalPdf } from '../../../src/math/normal.ts'
import { price } from '../../../src/pricing/bsm.ts'

/** P(X < a, Y < b) of standard normal variables with a correlation: the integral of one variable, by Simpson's rule. */
export function bivariateNormal(a: number, b: number, correlation: number): number {
  const steps = 4000
  const low = Math.min(a, inverseNormal(1e-16)!)
  const width = (a - low) / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const x = low + i * width
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2
    sum += weight * normalPdf(x) * normalCdf((b - correlation * x) / Math.sqrt(1 - correlation ** 2))
  }
  return (sum * width) / 3
}

/** An American call with one dividend, as a lognormal asset Z sees it from behind the ex-date. */
export interface OneDividendCall {
  /** Z now: the spot less the present value of a cash dividend, or less its share of a proportional one. */
  readonly asset: number
  readonly strike: number
  readonly t: number
  readonly exDate: number
  readonly sigma: number
  readonly rate: number
  /** Just before the ex-date the stock is worth scale Z + cash. */
  readonly scale: number
  readonly cash: number
}

/**
 * Roll (1977), Geske (1979), Whaley (1981): just before the ex-date the call is exercised where the stock is worth more than
 * strike and European call together. With a cash dividend D: Z = S - D exp(-r t), scale 1, cash D. With a proportional one d
 * the same argument holds of Z = S (1 - d), scale 1 / (1 - d), cash 0. There is no yield beside the dividend.
 */
export function rollGeskeWhaley({ asset, strike, t, exDate, sigma, rate, scale, cash }: OneDividendCall): number {
  const held = (z: number) => price({ right: 'call', spot: z, strike, t: t - exDate, sigma, rate, dividendYield: 0 })
  const gain = (z: number) => scale * z + cash - strike - held(z)
  let [low, high] = [0, strike]
  while (gain(high) < 0 && high < 1e9 * strike) high *= 2
  if (gain(high) < 0) return price({ right: 'call', spot: asset, strike, t, sigma, rate, dividendYield: 0 })
  for (let k = 0; k < 200; k++) {
    const middle = (low + high) / 2
    if (gain(middle) < 0) low = middle
    else high = middle
  }
  const d = (level: number, time: number) =>
    (Math.log(asset / level) + (rate + sigma ** 2 / 2) * time) / (sigma * Math.sqrt(time))
  const a1 = d(strike, t)
  const b1 = d(high, exDate)
  const [a2, b2] = [a1 - sigma * Math.sqrt(t), b1 - sigma * Math.sqrt(exDate)]
  const correlation = -Math.sqrt(exDate / t)
  const exercised = scale * asset * normalCdf(b1) - (strike - cash) * Math.exp(-rate * exDate) * normalCdf(b2)
  const kept =
    asset * bivariateNormal(a1, -b1, correlation) - strike * Math.exp(-rate * t) * bivariateNormal(a2, -b2, correlation)
  return exercised + kept
}
