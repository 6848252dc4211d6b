/** From this x on, the asymptotic series in this file are accurate to the last digits. */
const FAR = 12

/**
 * ln Γ(x) for x > 0. The error is below 1e-14, or below 1e-14 of the result if the result is above 1. NaN for any other
 * x.
 * Method: Γ(x + 1) = x Γ(x) up to 12, then Stirling's series. Source: Abramowitz and Stegun (1964), 6.1.15 and 6.1.41.
 */
export function lnGamma(x: number): number {
  if (!(x > 0)) return Number.NaN
  let [z, product] = [x, 1]
  for (; z < FAR; z++) product *= z
  const inverse = 1 / z
  const square = inverse * inverse
  const series =
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188)))))
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product)
}

/**
 * ψ(x), the derivative of ln Γ(x), for x > 0. The error is below 1e-14, or below 1e-14 of the result if the result is
 * above 1. NaN for any other x.
 * Source: Abramowitz and Stegun (1964), 6.3.5 and 6.3.18.
 */
export function digamma(x: number): number {
  if (!(x > 0)) return Number.NaN
  let [z, before] = [x, 0]
  for (; z < FAR; z++) before += 1 / z
  const square = 1 / (z * z)
  const series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * (1 / 132)))))
  return Math.log(z) - 0.5 / z - series - before
}
