import { CALL } from '../../market/chain.ts'
import { memoizeBy } from '../../market/memoize.ts'
import { exponential } from '../../math/exponential.ts'
import { logMoneyness } from '../../pricing/log-moneyness.ts'
import { mid } from '../../pricing/parity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { OWN_MID } from '../../pricing/sources.ts'

/**
 * Volatilities of the out-of-the-money quotes of one expiration. Each array has one entry per quote, ascending in k =
 * ln(K / F).
 */
export interface SmilePoints {
  readonly size: number
  readonly k: Float64Array
  /** Volatility implied by the mid of each quote, an annual fraction. */
  readonly iv: Float64Array
  /** Half the bid-ask spread, converted to volatility: (ask - bid) / (2 vega), an annual fraction. */
  readonly halfSpread: Float64Array
  readonly strike: Float64Array
  /**
   * One standard deviation in k: √T times the volatility of the point nearest to the forward. Undefined without points.
   */
  readonly scale: number | undefined
}

const MAX_SPREAD = 0.6
const MIN_MID = 0.03
/** Points are left out if their |k| is above both `MIN_REACH` and this number of standard deviations (`scale`). */
const DEVIATIONS = 5
const MIN_REACH = 0.06
const MAX_DISTANCE = 1
const INV_SQRT_2PI = 0.3989422804014327

/**
 * Smile points of the expiration with index `at`: puts below the forward, calls above it, and at the forward the mean
 * of both. A point needs a quote with bid and ask, a volatility implied by its own mid, a mid of at least 0.03, a
 * spread of at most 60 % of the mid, and a |k| of at most max(0.06, 5 `scale`) and at most 1. Source: the published API
 * contract, conventions of the smile.
 *
 * It reads quotes and volatilities but no greeks. So a smile can be fitted while its chain is still being priced.
 */
export const smilePoints = memoizeBy((chain: PricedChain, at: number): SmilePoints => {
  const usable = usablePoints(chain, at)
  const { k, iv, size } = usable
  if (size === 0) return usable
  let centre = 0
  for (let p = 1; p < size; p++) if (Math.abs(k[p]) < Math.abs(k[centre])) centre = p
  const scale = iv[centre] * Math.sqrt(chain.carries[at].t)
  const reach = Math.min(MAX_DISTANCE, Math.max(MIN_REACH, DEVIATIONS * scale))
  let from = 0
  let to = size
  while (from < to && k[from] < -reach) from++
  while (to > from && k[to - 1] > reach) to--
  const part = (column: Float64Array) => column.subarray(from, to)
  return {
    size: to - from,
    k: part(k),
    iv: part(iv),
    halfSpread: part(usable.halfSpread),
    strike: part(usable.strike),
    scale
  }
})

function usablePoints(chain: PricedChain, at: number): SmilePoints {
  const { start, end } = chain.expirations[at]
  const { forward, discount, t } = chain.carries[at]
  const { strike, right, bid, ask, sigma, sigmaSource } = chain
  const rootT = Math.sqrt(t)
  const perVega = 1 / (2 * discount * forward * rootT * INV_SQRT_2PI)
  const columns = new Float64Array(4 * (end - start))
  const [k, iv, halfSpread, strikes] = [0, 1, 2, 3].map((n) =>
    columns.subarray(n * (end - start), (n + 1) * (end - start))
  )
  let size = 0
  for (let i = start; i < end; i++) {
    const struck = strike[i]
    if (right[i] === CALL ? struck < forward : struck > forward) continue
    if (sigmaSource[i] !== OWN_MID) continue
    const middle = mid(chain, i)
    const spread = ask[i] - bid[i]
    if (!(middle >= MIN_MID) || spread > MAX_SPREAD * middle) continue
    const x = logMoneyness(struck, forward)
    const total = sigma[i] * rootT
    const d1 = 0.5 * total - x / total
    const half = spread * perVega * exponential(0.5 * d1 * d1)
    if (size > 0 && strikes[size - 1] === struck) {
      // Only a strike exactly at the forward has two out-of-the-money sides; its point is the mean of both.
      iv[size - 1] = (iv[size - 1] + sigma[i]) / 2
      halfSpread[size - 1] = (halfSpread[size - 1] + half) / 2
      continue
    }
    k[size] = x
    iv[size] = sigma[i]
    halfSpread[size] = half
    strikes[size++] = struck
  }
  return { size, k, iv, halfSpread, strike: strikes, scale: undefined }
}
