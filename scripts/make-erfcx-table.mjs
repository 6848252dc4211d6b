// Writes src/math/erfcx-table.ts: polynomials for erfcx(z) = exp(z²) erfc(z) and for its falling slope -erfcx'(z).
//
//   node scripts/make-erfcx-table.mjs
//
// Everything is computed in integers with 512 binary places, so every run on every machine writes the same bytes.
//
// Body, -1 <= z < 7: 256 intervals, 1/32 wide. On each, the Taylor series at the midpoint is made short by Chebyshev
// economisation. Tail, z >= 7: one polynomial in w = 1/z², through Chebyshev nodes of the continued fraction.

import { writeFileSync } from 'node:fs'

const PLACES = 512n
const ONE = 1n << PLACES
const INTERVALS_PER_UNIT = 32n
const FIRST = -1n
const TAIL_START = 7n
const BODY_DEGREE = 7
const TAIL_DEGREE = 10
const SERIES_TERMS = 34

const times = (a, b) => (a * b) >> PLACES
const over = (a, b) => (a << PLACES) / b
const fixed = (numerator, denominator) => (BigInt(numerator) << PLACES) / BigInt(denominator)
/** The nearest double of a fixed-point number. */
const toDouble = (x) => Number(x) * 2 ** -Number(PLACES)

/** Sum of a series from its first term and a rule for the next one, until the terms vanish. */
function sum(first, next) {
  let total = 0n
  for (let n = 0n, term = first; term !== 0n && term !== -1n; n++) {
    total += term
    term = next(term, n)
  }
  return total
}

function squareRoot(x) {
  const target = x << PLACES
  let root = 1n << PLACES
  for (let previous = 0n; root !== previous && root !== previous + 1n; ) {
    previous = root
    root = (root + target / root) >> 1n
  }
  return root
}

const exponential = (x) => sum(ONE, (term, n) => times(term, x) / (n + 1n))

/** arctan(1/x), x an integer. */
function arcTangentOfInverse(x) {
  let power = ONE / x
  let total = 0n
  for (let n = 1n; power !== 0n; n += 2n) {
    total += n % 4n === 1n ? power / n : -(power / n)
    power /= x * x
  }
  return total
}

/** Machin's formula. */
const PI = 16n * arcTangentOfInverse(5n) - 4n * arcTangentOfInverse(239n)
const SQRT_PI = squareRoot(PI)
const TWO_OVER_SQRT_PI = over(2n * ONE, SQRT_PI)

/** erfcx(z) = exp(z²) - 2/√π Σ 2ⁿ z²ⁿ⁺¹ / (2n+1)!!, |z| below about 8. */
function erfcx(z) {
  const square = times(z, z)
  const series = sum(z, (term, n) => (2n * times(term, square)) / (2n * n + 3n))
  return exponential(square) - times(TWO_OVER_SQRT_PI, series)
}

/** Taylor coefficients of erfcx at z, from its equation f' = 2 z f - 2/√π. */
function taylor(z, terms) {
  const c = [erfcx(z)]
  c.push(2n * times(z, c[0]) - TWO_OVER_SQRT_PI)
  for (let n = 1; n < terms; n++) c.push((2n * times(z, c[n]) + 2n * c[n - 1]) / BigInt(n + 1))
  return c
}

/** Integer coefficients of the Chebyshev polynomials T0 to Tn. */
function chebyshevPolynomials(n) {
  const t = [[1n], [0n, 1n]]
  for (let k = 2; k <= n; k++) {
    const next = [0n, ...t[k - 1].map((c) => 2n * c)]
    t[k - 2].forEach((c, i) => {
      next[i] -= c
    })
    t.push(next)
  }
  return t
}

const CHEBYSHEV = chebyshevPolynomials(SERIES_TERMS)

/** Lowers the degree of a power series on [-1, 1] by subtracting the Chebyshev polynomial of each top term. */
function economise(series, degree) {
  const c = [...series]
  for (let n = c.length - 1; n > degree; n--) {
    const top = c[n]
    CHEBYSHEV[n].forEach((factor, i) => {
      c[i] -= (top * factor) / 2n ** BigInt(n - 1)
    })
  }
  return c.slice(0, degree + 1)
}

/** A row of the body: coefficients in t, from -1/2 to 1/2 across the interval. */
function row(series) {
  const halfWidth = (c, n) => c / (2n * INTERVALS_PER_UNIT) ** BigInt(n)
  return economise(series.map(halfWidth), BODY_DEGREE).map((c, n) => toDouble(c << BigInt(n)))
}

/** √π z erfcx(z) as a function of w = 1/z²: the continued fraction 1/(1 + (w/2)/(1 + (2w/2)/(1 + (3w/2)/...))). */
function tail(w) {
  let fraction = ONE
  for (let k = 400n; k > 0n; k--) fraction = ONE + over((k * w) / 2n, fraction)
  return over(ONE, fraction)
}

/** √π z² times the falling slope, as a function of w. */
const tailSlope = (w) => over(2n * (ONE - tail(w)), w)

/** The polynomial in w through the Chebyshev nodes of [0, 1/TAIL_START²], by divided differences. */
function interpolate(f) {
  const nodes = Array.from({ length: TAIL_DEGREE + 1 }, (_, k) => {
    const x = Math.cos((Math.PI * (k + 0.5)) / (TAIL_DEGREE + 1))
    return fixed(Math.round((x + 1) * 2 ** 20), 2n ** 21n * TAIL_START ** 2n)
  })
  const differences = nodes.map(f)
  for (let order = 1; order < nodes.length; order++) {
    for (let k = nodes.length - 1; k >= order; k--) {
      differences[k] = over(differences[k] - differences[k - 1], nodes[k] - nodes[k - order])
    }
  }
  let polynomial = [0n]
  for (let k = nodes.length - 1; k >= 0; k--) {
    const shifted = [0n, ...polynomial]
    polynomial.forEach((c, i) => {
      shifted[i] -= times(c, nodes[k])
    })
    shifted[0] += differences[k]
    polynomial = shifted
  }
  return polynomial.slice(0, nodes.length).map(toDouble)
}

const body = []
const bodySlope = []
const intervals = (TAIL_START - FIRST) * INTERVALS_PER_UNIT
for (let i = 0n; i < intervals; i++) {
  const midpoint = fixed(2n * (FIRST * INTERVALS_PER_UNIT + i) + 1n, 2n * INTERVALS_PER_UNIT)
  const series = taylor(midpoint, SERIES_TERMS)
  body.push(row(series.slice(0, SERIES_TERMS)))
  bodySlope.push(row(series.slice(1).map((c, n) => -c * BigInt(n + 1))))
}

const wrapped = (numbers) => {
  const lines = []
  for (let i = 0; i < numbers.length; i += 4) lines.push(`  ${numbers.slice(i, i + 4).join(', ')}`)
  return lines.join(',\n')
}
const constant = (comment, name, numbers) =>
  `/** ${comment} */\nexport const ${name} = new Float64Array([\n${wrapped(numbers)}\n])\n`

const text = `// Generated by scripts/make-erfcx-table.mjs; do not edit.

${[
  constant(
    `erfcx on [${FIRST}, ${TAIL_START}): ${BODY_DEGREE + 1} coefficients for each of ${intervals} intervals.`,
    'ERFCX_BODY',
    body.flat()
  ),
  constant("-erfcx' on the 256 intervals of `ERFCX_BODY`.", 'ERFCX_SLOPE_BODY', bodySlope.flat()),
  constant(`√π z erfcx(z) for z >= ${TAIL_START}, coefficients in 1/z².`, 'ERFCX_TAIL', interpolate(tail)),
  constant(`-√π z² erfcx'(z) for z >= ${TAIL_START}, coefficients in 1/z².`, 'ERFCX_SLOPE_TAIL', interpolate(tailSlope))
].join('\n')}`

writeFileSync(new URL('../src/math/erfcx-table.ts', import.meta.url), text)
