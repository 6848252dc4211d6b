import { LRUCache } from 'lru-cache'
import { CALL, PUT } from '../../../market/chain.ts'
import type { PremiumTables } from '../premium-table.ts'
import { TableCache } from '../table-cache.ts'
import { blended, type DividendTable, dividendTable } from './dividend-table.ts'
import type { DividendTerms, ProportionalDividend } from './dividend-terms.ts'
import { type GridResolution, gridWidth } from './finite-differences.ts'

// A table takes milliseconds to compute, so each thread caches tables. They are computed only at the nodes of a grid
// over the quantities that a tick changes: the time to the first ex-date, the dividends as shares of the spot, and the
// borrow yield. A table for values between nodes is a weighted sum of tables at the nodes, which takes microseconds.
// The price of a chain therefore depends on that chain alone, not on what was priced before it, whether live or
// replayed.

/**
 * Terms of an expiration before which the stock pays dividends. `dividendYield` is the part of the yield that does not
 * come from these dividends, see `borrowYield`.
 */
export type ExpirationTerms = Omit<DividendTerms, 'right'>

/** Cache size in bytes. It is enough for the tables of about 250 stocks. */
const MAX_BYTES = 128 * 2 ** 20
const BYTES_BESIDE_WEIGHTS = 1000
/** Number of grid nodes for the time to the first ex-date, per doubling of that time. */
const TIME_NODES = 16
const SHARE_STEP = 0.04
/**
 * Smallest distance between nodes of the borrow yield, expressed as a change of ln F. Distances are rounded to powers
 * of two.
 */
const FORWARD_STEP = 2 ** -12
const COARSE_YIELD_STEP = 1 / 64
/**
 * Resolution of the finite differences. Premiums have errors below 2e-5 of the strike, most of them below 1e-5.
 * Computing them takes 0.4 of the time that the default resolution takes.
 */
const RESOLUTION: GridResolution = { nodes: 240, steps: 48 }
const ROW_STEP = 1.4
const WIDTH_STEP = 0.25
const MIN_ROWS = 4
/** Times and shares are rounded to 1e-9. Otherwise, mere rounding errors would make new tables necessary. */
const DIGITS = 1e9
const MAX_FRACTION = 0.99

const cache = new TableCache<DividendTable>(MAX_BYTES, ({ weights }) => weights.byteLength + BYTES_BESIDE_WEIGHTS)
const recentBlends = new LRUCache<string, PremiumTables<DividendTable>>({ max: 16 })

/**
 * Premium tables of an expiration before which at least one dividend is paid. They cover volatilities from `low` to
 * `high`, and may reach further. `coarse` tables are computed at fewer nodes, with errors of a few percent. They serve
 * only to show how the forward changes with the yield.
 */
export function cachedDividendTables(
  terms: ExpirationTerms,
  low: number,
  high: number,
  coarse = false
): PremiumTables<DividendTable> {
  const { t, rate, dividendYield, dividends } = terms
  const dates = dividends.map((dividend) => `${dividend.t} ${dividend.fraction}`)
  const key = [t, rate, dividendYield, low, high, coarse, ...dates].join()
  let tables = recentBlends.get(key)
  if (tables === undefined) recentBlends.set(key, (tables = blendedTables(terms, low, high, coarse)))
  return tables
}

function blendedTables(
  terms: ExpirationTerms,
  low: number,
  high: number,
  coarse: boolean
): PremiumTables<DividendTable> {
  const { corners, parts } = nodesAround(terms, coarse)
  const first = Math.floor(Math.log(low) / Math.log(ROW_STEP))
  const count = Math.max(Math.ceil(Math.log(high) / Math.log(ROW_STEP)) - first + 1, MIN_ROWS)
  const rows = { low: ROW_STEP ** first, high: ROW_STEP ** (first + count - 1), count }
  const widest = Math.max(...corners.map((corner) => gridWidth({ right: CALL, ...corner }, rows.low)))
  const width = WIDTH_STEP * Math.ceil(widest / WIDTH_STEP)
  const tableOf = (right: number) =>
    blended(
      corners.map((corner) => heldTable({ right, ...corner }, rows, width)),
      parts,
      terms.t
    )
  return { call: tableOf(CALL), put: tableOf(PUT) }
}

function heldTable(
  terms: DividendTerms,
  rows: { readonly low: number; readonly high: number; readonly count: number },
  width: number
): DividendTable {
  const { right, t, rate, dividendYield, dividends } = terms
  const dates = dividends.map((dividend) => `${dividend.t} ${dividend.fraction}`)
  const key = [right, t, rate, dividendYield, rows.low, rows.count, width, ...dates].join()
  return cache.get(key, () => dividendTable(terms, rows, RESOLUTION, width))
}

/**
 * Chooses grid nodes around some terms, and their weights for linear interpolation. The three quantities of the grid
 * form a cell with eight corners, of which four are used: those of the simplex that contains the terms. If `coarse`,
 * time and dividends are rounded to the nearest node, which leaves two corners.
 */
function nodesAround(
  { t, rate, dividendYield, dividends }: ExpirationTerms,
  coarse: boolean
): {
  readonly corners: readonly ExpirationTerms[]
  readonly parts: readonly number[]
} {
  const [{ t: firstDate }] = dividends
  const share = dividends.reduce((sum, { fraction }) => sum + fraction, 0)
  const steps = [
    2 ** Math.floor(Math.log2(firstDate)) / TIME_NODES,
    SHARE_STEP,
    coarse ? COARSE_YIELD_STEP : 2 ** Math.ceil(Math.log2(FORWARD_STEP / t))
  ]
  const places = [firstDate, Math.log(share), dividendYield].map((value, k) =>
    coarse && k < 2 ? Math.round(value / steps[k]) : value / steps[k]
  )
  const node = places.map(Math.floor)
  const rest = places.map((place, k) => place - node[k])
  const termsAt = ([time, size, yields]: readonly number[]): ExpirationTerms => {
    const atFirst = time * steps[0]
    const whole = Math.exp(size * SHARE_STEP)
    return {
      t: atFirst + rounded(t - firstDate),
      rate,
      dividendYield: yields * steps[2],
      dividends: dividends.map(
        (dividend): ProportionalDividend => ({
          t: atFirst + rounded(dividend.t - firstDate),
          fraction: Math.min(whole * rounded(dividend.fraction / share), MAX_FRACTION)
        })
      )
    }
  }
  const corners = [termsAt(node)]
  const order = [0, 1, 2].sort((a, b) => rest[b] - rest[a])
  const parts = [1 - rest[order[0]]]
  order.forEach((k, at) => {
    node[k]++
    const part = rest[k] - (at < 2 ? rest[order[at + 1]] : 0)
    if (part === 0) return
    corners.push(termsAt(node))
    parts.push(part)
  })
  return { corners, parts }
}

function rounded(value: number): number {
  return Math.round(value * DIGITS) / DIGITS
}
