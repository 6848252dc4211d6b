import { CONTRACT_SIZE } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { decay } from '../../math/decay.ts'
import { type PremiumGammas, premiumGammaAt, premiumGammas } from '../../pricing/american/premium-gamma.ts'
import { premiumTablesOf } from '../../pricing/by-exercise.ts'
import type { Carry } from '../../pricing/carry.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import type { Book } from '../book.ts'
import { strikesOf } from '../by-strike.ts'
import type { Scope } from '../scope.ts'

/**
 * Net gamma exposure as a function G of spot x, with the volatility, time, carry and open interest of every contract
 * held fixed (sticky strike):
 *
 *     G(x) = sum s γ(x) OI 100 x² 0.01 = x sum w exp(-d²/2),   d = (ln x - m) / (σ √T),
 *
 * where m = ln K - (r - q + σ²/2) T, and w holds everything that does not depend on spot. Each term w exp(-d²/2) is
 * called a kernel. If an expiration has an underlying price other than the quoted spot (see `Carry`), that price moves
 * by the same percentage as spot.
 */
export interface GammaBySpot {
  /** m of each kernel: the ln x at which the kernel has its peak. */
  readonly center: Float64Array
  /** 1 / (σ √T) of each kernel: how fast the kernel falls on both sides of its peak. */
  readonly steepness: Float64Array
  /** w of each kernel: its height, USD per 1 % move and per USD of spot. */
  readonly weight: Float64Array
  readonly size: number
  /** Sum of |w| over all contracts, in which calls and puts do not offset each other. */
  readonly gross: number
  /** Gamma of the early-exercise premiums by expiration. Empty for European options. */
  readonly early: readonly EarlyExercise[]
}

/** Gamma of the early-exercise premiums of one expiration. Its part of G(x) / x is found at ln x + `shift`. */
interface EarlyExercise {
  readonly shift: number
  readonly gammas: PremiumGammas
}

export type GammaKernels = Omit<GammaBySpot, 'early'>

/** Arrays that hold the kernels' m, 1 / (σ √T) and w. */
export type KernelColumns = Pick<GammaBySpot, 'center' | 'steepness' | 'weight'>

export function kernelColumns(size: number): KernelColumns {
  return { center: new Float64Array(size), steepness: new Float64Array(size), weight: new Float64Array(size) }
}

/**
 * Computes the kernels of a scope, weighted by the position of its book. They can be evaluated at any number of spots.
 * They are written to `columns`, which must have room for every slot of the scope, or to new arrays. In both cases the
 * caller may keep and change them.
 */
export function gammaBySpot(scope: Scope, columns: KernelColumns = kernelColumns(scope.slots.length)): GammaBySpot {
  const { chain, slots, expirations, book } = scope
  const places = kernelPlacesOf(chain)
  const gross = new Float64Array(1)
  let size = 0
  let from = 0
  for (const at of expirations) {
    let to = from
    while (to < slots.length && slots[to] < chain.expirations[at].end) to++
    const { perContract } = termsOf(chain.spot, chain.carries[at])
    size = addWeights(places, book, slots, from, to, perContract, columns, size, gross)
    from = to
  }
  return { ...columns, size, gross: gross[0], early: earlyExercise(scope) }
}

/**
 * Appends the kernels of one expiration's slots, from `from` up to but excluding `to`, to the columns. Adds their
 * weights to `gross`. Returns the new number of kernels.
 */
function addWeights(
  { center, steepness, kernel }: KernelPlaces,
  { position }: Book,
  slots: Int32Array,
  from: number,
  to: number,
  perContract: number,
  columns: KernelColumns,
  size: number,
  gross: Float64Array
): number {
  let last = NO_KERNEL
  let sum = gross[0]
  for (let n = from; n < to; n++) {
    const i = slots[n]
    const place = kernel[i]
    const held = position[i]
    if (held === 0 || place === NO_KERNEL) continue
    const part = held * perContract * steepness[place]
    sum += Math.abs(part)
    if (place === last) {
      columns.weight[size - 1] += part
      continue
    }
    last = place
    columns.center[size] = center[place]
    columns.steepness[size] = steepness[place]
    columns.weight[size] = part
    size++
  }
  gross[0] = sum
  return size
}

/** Kernels of a chain before positions give them weights. */
interface KernelPlaces {
  readonly center: Float64Array
  readonly steepness: Float64Array
  readonly kernel: Int32Array
}

const NO_KERNEL = -1

/**
 * Computes the kernels of a chain, once per chain: its books (published open interest, or adjusted by the day's flow)
 * differ only in weights. A call and a put with the same strike and volatility share a kernel, so that one exponential
 * serves for both.
 */
const kernelPlacesOf = memoize((chain: PricedChain): KernelPlaces => {
  const { size, expirations, carries, sigma, sigmaSource, strike } = chain
  const { of } = strikesOf(chain)
  const logStrike = logStrikesOf(chain)
  const center = new Float64Array(size)
  const steepness = new Float64Array(size)
  const kernel = new Int32Array(size).fill(NO_KERNEL)
  let kernels = 0
  for (let at = 0; at < expirations.length; at++) {
    const { start, end } = expirations[at]
    const { t, rootT, shift, drift } = termsOf(chain.spot, carries[at])
    let last = NO_KERNEL
    for (let i = start; i < end; i++) {
      // A contract without volatility, or deep in the money without time value, has no gamma anywhere near spot.
      if (sigmaSource[i] === NO_SIGMA || Number.isNaN(sigma[i])) continue
      const isSame = last !== NO_KERNEL && strike[i] === strike[last] && sigma[i] === sigma[last]
      last = i
      if (!isSame) {
        center[kernels] = logStrike[of[i]] - shift - (drift + (sigma[i] * sigma[i]) / 2) * t
        steepness[kernels] = 1 / (sigma[i] * rootT)
        kernels++
      }
      kernel[i] = kernels - 1
    }
  }
  return { center: center.slice(0, kernels), steepness: steepness.slice(0, kernels), kernel }
})

const logStrikesOf = memoize((chain: PricedChain) => strikesOf(chain).strikes.map(Math.log))

/** Net gamma is never evaluated further from spot than this fraction of spot. */
const REACH = 0.5

/** Gamma of the early-exercise premiums of a scope by expiration. Contracts that have none near spot are skipped. */
function earlyExercise({ chain, slots, expirations, book }: Scope): readonly EarlyExercise[] {
  if (chain.carries.every(({ american }) => american === undefined)) return []
  const weight = new Float64Array(chain.size)
  for (const i of slots) if (chain.sigmaSource[i] !== NO_SIGMA) weight[i] = book.position[i] * CONTRACT_SIZE * 0.01
  return expirations.flatMap((at): readonly EarlyExercise[] => {
    const carry = chain.carries[at]
    const tables = premiumTablesOf(carry)
    if (tables === undefined) return []
    const { start, end } = chain.expirations[at]
    const { shift, countedIn } = termsOf(chain.spot, carry)
    for (let i = start; i < end; i++) weight[i] *= countedIn
    const { strike, right, sigma } = chain
    const [low, high] = [(1 - REACH) * carry.spot, (1 + REACH) * carry.spot]
    const gammas = premiumGammas(carry, tables, strike, right, sigma, weight, start, end, low, high)
    return gammas.size === 0 ? [] : [{ shift, gammas }]
  })
}

/** Terms that all contracts of one expiration share. `quoted` is the chain's spot. */
function termsOf(quoted: number, { t, rate, dividendYield, spot, exposureSpot }: Carry) {
  const countedIn = (exposureSpot * exposureSpot) / (quoted * spot)
  const perContract = CONTRACT_SIZE * 0.01 * countedIn * Math.exp(-dividendYield * t) * INVERSE_ROOT_TWO_PI
  return { t, drift: rate - dividendYield, rootT: Math.sqrt(t), shift: Math.log(spot / quoted), countedIn, perContract }
}

const INVERSE_ROOT_TWO_PI = 1 / Math.sqrt(2 * Math.PI)

/**
 * If a sum is below this fraction of `gross`, it may be nothing but rounding error or what is left far from every
 * strike. It is then computed again with all contracts.
 */
export const FAINT = 1e-12

/** G(x) / x at logarithm `logX` of x, in USD per 1 % move for each USD of spot. */
export function gammaAt(profile: GammaBySpot, logX: number): number {
  const sum = sumOfKernels(profile, logX) + earlyAt(profile, logX)
  return Math.abs(sum) > FAINT * profile.gross ? sum : faintSum(profile, logX) + earlyAt(profile, logX)
}

/** The part of G(x) / x that comes from early exercise, at logarithm `logX` of x. */
export function earlyAt({ early }: Pick<GammaBySpot, 'early'>, logX: number): number {
  let sum = 0
  for (const { shift, gammas } of early) sum += premiumGammaAt(gammas, logX + shift)
  return sum
}

/**
 * European part of G(x) / x, without kernels that have decayed below 5e-18 of their peak. It takes ln x rather than x,
 * because V8 would inline the logarithm into the loop, which more than doubles its time.
 */
export function sumOfKernels(kernels: GammaKernels, logX: number): number {
  sumSoFar[0] = 0
  for (let start = 0; start < kernels.size; start += KERNELS_AT_ONCE) {
    addKernels(kernels, start, Math.min(start + KERNELS_AT_ONCE, kernels.size), logX)
  }
  return sumSoFar[0]
}

/**
 * Number of kernels summed by one call. It is so small that V8 compiles the function as a whole instead of replacing
 * the running loop, see `gammaStretch`. With 1,024, V8 sometimes replaces the loop, and a sum takes half as long again.
 */
export const KERNELS_AT_ONCE = 128

const sumSoFar = new Float64Array(1)

function addKernels({ center, steepness, weight }: GammaKernels, start: number, end: number, logX: number): void {
  let sum = sumSoFar[0]
  for (let k = start; k < end; k++) {
    const d = (logX - center[k]) * steepness[k]
    sum += weight[k] * decay(0.5 * d * d)
  }
  sumSoFar[0] = sum
}

/** European part of G(x) / x, including the smallest exponentials that a double can represent. */
function faintSum({ center, steepness, weight, size }: GammaBySpot, logX: number): number {
  let sum = 0
  for (let k = 0; k < size; k++) sum += weight[k] * Math.exp(-0.5 * ((logX - center[k]) * steepness[k]) ** 2)
  return sum
}

/**
 * Whether any gamma is left at ln x. It tells a net gamma that is truly zero from a spot so far from every strike that
 * all kernels vanish.
 */
export function anyGammaAt({ center, steepness, size }: GammaBySpot, logX: number): boolean {
  for (let k = 0; k < size; k++) {
    if (Math.exp(-0.5 * ((logX - center[k]) * steepness[k]) ** 2) > 0) return true
  }
  return false
}

/** Computes ln x and reads it back from memory, so that V8 cannot inline the logarithm; see `sumOfKernels`. */
export function logOf(x: number): number {
  scratch[0] = Math.log(x)
  return scratch[0]
}

const scratch = new Float64Array(1)
