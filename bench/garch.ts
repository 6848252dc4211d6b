import { fitGarch } from '../src/volatility/forecast/garch.ts'
import type { Innovations } from '../src/volatility/forecast/garch-likelihood.ts'
import { type Figure, median, medianMilliseconds, report } from './support/figure.ts'

// A volatility forecast fits GARCH(1,1) to the last 1,000 daily returns when it is asked for. Slower than this, it would
// have to be made ahead and kept for every symbol.
const DAYS = 1000
const SERIES = 15

/** A seeded stream of standard normal numbers (Lehmer, minimal standard; Box and Muller). */
function normalStream(seed: number): () => number {
  let state = seed
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** Daily returns of a stock near 20 % whose large moves are larger than normal ones: every 20th is tripled. */
function returnsOf(seed: number): Float64Array {
  const normal = normalStream(seed)
  let variance = 1.6e-4
  return Float64Array.from({ length: DAYS }, (_, day) => {
    const r = Math.sqrt(variance) * normal() * (day % 20 === 0 ? 3 : 0.77)
    variance = 3.2e-6 + 0.08 * r * r + 0.9 * variance
    return r
  })
}

export function run(): readonly Figure[] {
  const series = Array.from({ length: SERIES }, (_, k) => returnsOf(1 + k))
  const times = (innovations: Innovations) =>
    series.map((returns) => medianMilliseconds(() => fitGarch(returns, innovations), { runs: 5, warmUp: 1 }))
  const figures = (innovations: Innovations): readonly Figure[] => {
    const taken = times(innovations)
    return [
      { name: `GARCH fit, ${innovations}, ${DAYS} days: median series`, value: median(taken), unit: 'ms', atMost: 20 },
      { name: `GARCH fit, ${innovations}, ${DAYS} days: slowest series`, value: Math.max(...taken), unit: 'ms' }
    ]
  }
  return [...figures('gaussian'), ...figures('student_t')]
}

await report(import.meta.url, run)
