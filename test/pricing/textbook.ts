import { normalCdf, normalPdf } from '../../src/math/normal.ts'
import type { Greeks, Option } from '../../src/pricing/bsm.ts'

/**
 * Price and greeks of a European option by the formulas as they are printed in Haug, The Complete Guide to Option Pricing
 * Formulas, 2nd ed. (2007), ch. 1 and 2; slow, and without anything of the kernels. In the units of `greeks`.
 */
export function textbookGreeks({ right, spot, strike, t, sigma, rate, dividendYield }: Option): Greeks {
  const sign = right === 'call' ? 1 : -1
  const carry = rate - dividendYield
  const total = sigma * Math.sqrt(t)
  const d1 = (Math.log(spot / strike) + (carry + 0.5 * sigma * sigma) * t) / total
  const d2 = d1 - total
  const density = normalPdf(d1)
  const carried = Math.exp(-dividendYield * t)
  const spotSide = sign * carried * normalCdf(sign * d1)
  const strikeSide = sign * Math.exp(-rate * t) * normalCdf(sign * d2)
  const gamma = (carried * density) / (spot * total)
  const vega = spot * carried * density * Math.sqrt(t)
  const vomma = (vega * d1 * d2) / sigma
  const pace = carry / total - d2 / (2 * t)
  return {
    price: spot * spotSide - strike * strikeSide,
    delta: spotSide,
    gamma,
    theta: dividendYield * spot * spotSide - rate * strike * strikeSide - (vega * sigma) / (2 * t),
    vega,
    rho: t * strike * strikeSide,
    vanna: (-carried * density * d2) / sigma,
    charm: dividendYield * spotSide - carried * density * pace,
    vomma,
    dualDelta: -strikeSide,
    speed: (-gamma / spot) * (1 + d1 / total),
    zomma: (gamma * (d1 * d2 - 1)) / sigma,
    color: -gamma * (dividendYield + (carry * d1) / total + (1 - d1 * d2) / (2 * t)),
    ultima: (-vega / (sigma * sigma)) * (d1 * d2 * (1 - d1 * d2) + d1 * d1 + d2 * d2),
    veta: -vega * (dividendYield + (carry * d1) / total - (1 + d1 * d2) / (2 * t))
  }
}
