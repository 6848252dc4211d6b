import { dayShareLeft, isLive, type Settlement } from '../../market/clock.ts'
import { memoize, memoizeBy } from '../../market/memoize.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { isValidSvi, type Svi, totalVariance } from '../svi/svi.ts'
import { fitSvi } from '../svi/svi-fit.ts'
import { type SmilePoints, smilePoints } from './smile-points.ts'

/**
 * Why an expiration has no fitted smile. The reasons are tests A1 to A7 of the published API contract, in its order.
 * Tests A6 and A8 are part of the fit itself.
 */
export const fitRefusals = ['last_hour', 'few_points', 'no_centre', 'no_fit', 'rough', 'out_of_range'] as const
export type FitRefusal = (typeof fitRefusals)[number]

/** The quoted smile of one expiration of a chain, with the SVI curve fitted to it. */
export interface Slice {
  readonly at: number
  readonly date: IsoDate
  readonly root: string
  readonly settlement: Settlement
  readonly days: number
  /** Years to expiry. */
  readonly t: number
  readonly forward: number
  readonly points: SmilePoints
  /**
   * Total variance at the forward, interpolated between the nearest smile points below and above it. Undefined if one
   * side has no point.
   */
  readonly interpolatedVariance: number | undefined
  readonly svi: Svi | undefined
  /**
   * Whether the fit had to be repeated with a constraint, because the first one allowed butterfly arbitrage between its
   * outermost strikes.
   */
  readonly constrained: boolean
  /** Whether the fit was pulled to the volatility quoted at the forward, because the best fit missed it. */
  readonly anchored: boolean
  /**
   * Root mean square difference between fitted and quoted volatilities, an annual fraction. Undefined if nothing was
   * fitted.
   */
  readonly rms: number | undefined
  readonly refusal: FitRefusal | undefined
}

export type AcceptedSlice = Slice & { readonly svi: Svi; readonly rms: number; readonly refusal: undefined }

/**
 * Smiles of all expiration dates that are not past, one per date, ascending. If AM- and PM-settled options share a
 * date, those with more smile points represent it, or the PM ones in a tie.
 */
export const slices = memoize((chain: PricedChain): readonly Slice[] => {
  const chosen = new Map<IsoDate, number>()
  chain.expirations.forEach(({ date, settlement }, at) => {
    if (!isLive(chain.asOf, date, settlement)) return
    const rival = chosen.get(date)
    if (rival === undefined || speaksFor(chain, at, rival)) chosen.set(date, at)
  })
  return Array.from(chosen.values(), (at) => sliceOf(chain, at))
})

function speaksFor(chain: PricedChain, at: number, rival: number): boolean {
  const more = smilePoints(chain, at).size - smilePoints(chain, rival).size
  return more > 0 || (more === 0 && chain.expirations[at].settlement === 'pm')
}

export const acceptedSlices = memoize((chain: PricedChain): readonly AcceptedSlice[] =>
  slices(chain).filter(isAccepted)
)

/**
 * Smiles of AM-settled options that passed every test, ascending by date. They are included even if `slices` has the
 * PM-settled options of their date instead.
 */
export const acceptedAmSlices = memoize((chain: PricedChain): readonly AcceptedSlice[] =>
  chain.expirations.flatMap(({ date, settlement }, at) => {
    if (settlement !== 'am' || !isLive(chain.asOf, date, settlement)) return []
    const slice = sliceOf(chain, at)
    return isAccepted(slice) ? [slice] : []
  })
)

export function isAccepted(slice: Slice): slice is AcceptedSlice {
  return slice.refusal === undefined
}

/** Smile of the expiration with index `at` in `chain.expirations`. */
export const sliceOf = memoizeBy((chain: PricedChain, at: number): Slice => {
  const { date, root, settlement } = chain.expirations[at]
  const { days, t, forward } = chain.carries[at]
  const points = smilePoints(chain, at)
  const interpolatedVariance = interpolated(points, t, 0)
  const listing = { at, date, root, settlement, days, t, forward, points, interpolatedVariance }
  const nothing = { svi: undefined, constrained: false, anchored: false, rms: undefined }
  const early = unfit(chain, days, points)
  if (early !== undefined) return { ...listing, ...nothing, refusal: early }
  const fit = fitSvi(points, t, Math.sqrt(interpolatedVariance! / t))
  if (fit === undefined || !isValidSvi(fit.svi)) return { ...listing, ...nothing, refusal: 'no_fit' }
  const rms = rootMeanSquare(fit.svi, points, t)
  const refusal = refusalOf(fit.svi, t, rms)
  return { ...listing, ...fit, svi: refusal === undefined ? fit.svi : undefined, rms, refusal }
})

/**
 * Applies tests A1 to A3: is there time left, are there enough points, and are there points near the forward on both
 * sides? Returns the reason of the first failure.
 */
function unfit(chain: PricedChain, days: number, points: SmilePoints): FitRefusal | undefined {
  const { k, size } = points
  if (days < 1 && dayShareLeft(chain.asOf) < 1 / 6.5) return 'last_hour'
  let puts = 0
  while (puts < size && k[puts] < 0) puts++
  let calls = 0
  while (calls < size && k[size - 1 - calls] > 0) calls++
  if (size < 6 || puts < 2 || calls < 2) return 'few_points'
  return hasCentre(points) ? undefined : 'no_centre'
}

/** Test A3: whether there is a smile point on each side of the forward within one standard deviation of it. */
function hasCentre({ k, size, scale }: SmilePoints): boolean {
  let above = 0
  while (above < size && k[above] <= 0) above++
  let puts = above
  while (puts > 0 && k[puts - 1] === 0) puts--
  return puts > 0 && above < size && -k[puts - 1] <= scale! && k[above] <= scale!
}

/**
 * Whether the volatility at the forward is reliable. It is if the smile was accepted, or was refused only because it
 * has too few points to fit five parameters.
 */
export function isCentred(slice: Slice): boolean {
  return isAccepted(slice) || (slice.refusal === 'few_points' && hasCentre(slice.points))
}

/** Applies tests A5 and A7: whether the fit is close to its points, and its volatilities are between 5 and 200 %. */
function refusalOf(svi: Svi, t: number, rms: number): FitRefusal | undefined {
  const iv = Math.sqrt(totalVariance(svi, 0) / t)
  if (!(rms <= Math.max(0.015, 0.06 * iv))) return 'rough'
  return iv >= 0.05 && iv <= 2 ? undefined : 'out_of_range'
}

function rootMeanSquare(svi: Svi, { size, k, iv }: SmilePoints, t: number): number {
  let squares = 0
  for (let i = 0; i < size; i++) squares += (Math.sqrt(totalVariance(svi, k[i]) / t) - iv[i]) ** 2
  return Math.sqrt(squares / size)
}

/**
 * Total variance at log-moneyness `at`, interpolated linearly between the two neighboring smile points. Undefined
 * outside the range of the points.
 */
export function interpolated({ size, k, iv }: SmilePoints, t: number, at: number): number | undefined {
  if (size === 0 || !(at >= k[0] && at <= k[size - 1])) return undefined
  let high = 0
  while (k[high] < at) high++
  const right = iv[high] * iv[high] * t
  if (k[high] === at) return right
  const left = iv[high - 1] * iv[high - 1] * t
  return left + ((right - left) * (at - k[high - 1])) / (k[high] - k[high - 1])
}

/** Quality of a fit, not rounded. 100 means an exact fit, 37 an error of one vol point. */
export function fitQuality({ rms }: AcceptedSlice): number {
  return 100 * Math.exp(-rms / 0.01)
}
