import { CALL } from '../../market/chain.ts'
import { decay } from '../../math/decay.ts'
import type { SpotTerms } from '../greeks.ts'
import { boundaryAt, type DividendPremiums, volatilityWeights } from './dividend-premiums.ts'
import type { DividendTables } from './held-dividend-premiums.ts'

/**
 * What early exercise adds to the gammas of one expiration with discrete dividends as functions of spot, every volatility
 * staying as it is (sticky strike). A contract is a row of spline weights over its own x: its volatility is put into the
 * table once, however many spots follow.
 */
export interface DividendGammas {
  readonly size: number
  /** Nodes of a row. */
  readonly nodes: number
  /** 1 for a put, -1 for a call, and ln K: x = sign (ln S - ln K). */
  readonly sign: Float64Array
  readonly logStrike: Float64Array
  /** x of the first node, of the boundary, and nodes to 1.00 of x. */
  readonly start: Float64Array
  readonly boundary: Float64Array
  readonly perX: Float64Array
  /** Weight times S (call), K (put) times the premium over the nodes. */
  readonly premium: Float64Array
  /** weight times S γ of the European option is `european` exp(-d²/2), d = (ln S - center) steepness. */
  readonly european: Float64Array
  readonly center: Float64Array
  readonly steepness: Float64Array
}

const INV_SQRT_2PI = 0.3989422804014327
/** Premiums and their curvature are nothing from here on, in deviations. */
const GONE = 5

/**
 * The gammas of the contracts from `start` to `end`, one expiration, each counted `weight` times, for spots from `low`
 * to `high`: contracts without weight or volatility, or without a premium between these spots, are left out. A volatility
 * beyond the table has the premium of the nearest in it.
 */
export function dividendGammas(
  terms: SpotTerms,
  tables: DividendTables,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  weight: Float64Array,
  start: number,
  end: number,
  low: number,
  high: number
): DividendGammas {
  const { t, rate, dividendYield } = terms
  const { nodes } = tables.put
  const columns = () => new Float64Array(end - start)
  const out = {
    sign: columns(),
    logStrike: columns(),
    start: columns(),
    boundary: columns(),
    perX: columns(),
    european: columns(),
    center: columns(),
    steepness: columns()
  }
  const premium = new Float64Array((end - start) * (nodes + 2))
  const carried = Math.exp(-dividendYield * t)
  let size = 0
  for (let i = start; i < end; i++) {
    const isCall = right[i] === CALL
    const table = isCall ? tables.call : tables.put
    const vol = Math.min(Math.max(sigma[i], table.low), table.high)
    if (!(vol > 0) || weight[i] === 0) continue
    const deviation = vol * Math.sqrt(t)
    const nearest = isCall ? Math.log(strike[i] / high) : Math.log(low / strike[i])
    if (nearest >= GONE * deviation) continue
    const total = sigma[i] * Math.sqrt(t)
    out.sign[size] = isCall ? -1 : 1
    out.logStrike[size] = Math.log(strike[i])
    out.start[size] = -table.width * deviation
    out.boundary[size] = boundaryAt(table, vol)
    out.perX[size] = (nodes - 1) / (2 * table.width * deviation)
    out.european[size] = (weight[i] * carried * INV_SQRT_2PI) / total
    out.center[size] = out.logStrike[size] - (rate - dividendYield + 0.5 * sigma[i] * sigma[i]) * t
    out.steepness[size] = 1 / total
    fillRow(table, vol, isCall ? weight[i] : weight[i] * strike[i], premium, size * (nodes + 2))
    size++
  }
  return { size, nodes, premium, ...out }
}

function fillRow(table: DividendPremiums, sigma: number, scale: number, out: Float64Array, at: number): void {
  const stride = table.nodes + 2
  const { row, parts } = volatilityWeights(table, sigma)
  for (let j = 0; j < 4; j++) {
    const [part, from] = [scale * parts[j], (row + j) * stride]
    for (let column = 0; column < stride; column++) out[at + column] += part * table.weights[from + column]
  }
}

/** Sum over the contracts of weight times S γ at spot e^logSpot, to be added to the sum of the European gammas. */
export function dividendGammaAt(gammas: DividendGammas, logSpot: number): number {
  const { size, nodes, sign, logStrike, start, boundary, perX, premium, european } = gammas
  const perSpot = Math.exp(-logSpot)
  let sum = 0
  for (let k = 0; k < size; k++) {
    const x = sign[k] * (logSpot - logStrike[k])
    if (x <= boundary[k]) {
      sum -= europeanAt(gammas, k, logSpot)
      continue
    }
    const place = (x - start[k]) * perX[k]
    if (!(place >= 0 && place < nodes - 1)) continue
    const node = place | 0
    const u = place - node
    const rest = 1 - u
    const at = k * (nodes + 2) + node
    const [w0, w1, w2, w3] = [premium[at], premium[at + 1], premium[at + 2], premium[at + 3]]
    // As in `splineBasis`, without the orders that are not needed.
    const slope = 0.5 * (u * u * w3 + rest * (4 - 3 * rest) * w2 + u * (3 * u - 4) * w1 - rest * rest * w0)
    const curve = rest * w0 + (3 * u - 2) * w1 + (3 * rest - 2) * w2 + u * w3
    const added = perX[k] * (perX[k] * curve - slope) * (sign[k] > 0 ? perSpot : 1)
    // Beside a kink the curvature of a spline swings: no gamma is below zero, as in the columns of a chain.
    const least = added * european[k] < 0 ? -europeanAt(gammas, k, logSpot) : added
    sum += european[k] > 0 ? Math.max(added, least) : Math.min(added, least)
  }
  return sum
}

/** Falls away where the option is exercised. */
function europeanAt({ european, center, steepness }: DividendGammas, k: number, logSpot: number): number {
  const d = (logSpot - center[k]) * steepness[k]
  return european[k] * decay(0.5 * d * d)
}
