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
 * Net gamma exposure as a function of spot, every volatility, clock, carry and open interest staying as it is (sticky
 * strike):
 *
 *     G(x) = sum s γ(x) OI 100 x² 0.01 = x sum w exp(-d²/2),   d = (ln x - m) / (σ √T),
 *
 * with m = ln K - (r - q + σ²/2) T and w holding everything that spot does not move. Each contract is one such kernel.
 * Where an expiration's underlying is not the quoted spot (see `Carry`), it moves by the same percentage as that.
 */
export interface GammaBySpot {
  /** m */
  readonly center: Float64Array
  /** 1 / (σ √T) */
  readonly steepness: Float64Array
  /** w, USD per 1 % move for each USD of spot. */
  readonly weight: Float64Array
  readonly size: number
  /** Sum of |w| before calls and puts are netted. */
  readonly gross: number
  /** What early exercise adds, by expiration; empty where options are European. */
  readonly early: readonly EarlyExercise[]
}

/** What early exercise adds to G(x) / x at ln x + `shift`. */
interface EarlyExercise {
  readonly shift: number
  readonly gammas: PremiumGammas
}

/** The kernels alone. */
export type GammaKernels = Omit<GammaBySpot, 'early'>

/** Columns for the kernels of a profile. */
export type KernelColumns = Pick<GammaBySpot, 'center' | 'steepness' | 'weight'>

/** Room for so many kernels. */
export function kernelColumns(size: number): KernelColumns {
  return { center: new Float64Array(size), steepness: new Float64Array(size), weight: new Float64Array(size) }
}

/**
 * The kernels of a scope with what its book holds, for as many spots as are of interest. They lie in the columns given,
 * with room for every slot of the scope, or in new ones: either way in the caller's own.
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
 * Puts the kernels of slots [from, to) of one expiration into the columns, behind those that are there, and adds to their
 * gross weight. How many there are then.
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

/** Where the kernels of a chain lie, whatever is held of its contracts. */
interface KernelPlaces {
  readonly center: Float64Array
  readonly steepness: Float64Array
  /** By slot its kernel, NO_KERNEL where it has none. */
  readonly kernel: Int32Array
}

const NO_KERNEL = -1

/**
 * A call and a put of one strike that share their volatility bend at the same place: one exponential serves both. Worked
 * out once for a chain: its books, that of the morning and those that the flow of the day makes, differ in weights alone.
 */
const kernelPlacesOf = memoize((chain: PricedChain): KernelPlaces => {
  const { size, expirations, carries, sigma, sigmaSource, strike } = chain
  const { of } = strikesOf(chain)
  const logStrike = logStrikesOf(chain)
  const center = new Float64Array(size)
  const steepness = new Float64Array(size)
  const kernel = new Int32Array(size).fill(NO_KERNEL)
  let kernels = 0
  expirations.forEach(({ start, end }, at) => {
    const { t, rootT, shift, drift } = termsOf(chain.spot, carries[at])
    let last = NO_KERNEL
    for (let i = start; i < end; i++) {
      // Without a volatility, or deep in the money without time value: no gamma anywhere near.
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
  })
  return { center: center.slice(0, kernels), steepness: steepness.slice(0, kernels), kernel }
})

/** ln K of the distinct strikes of a chain. */
const logStrikesOf = memoize((chain: PricedChain) => strikesOf(chain).strikes.map(Math.log))

/** How far from spot anybody looks. */
const REACH = 0.5

/** What early exercise adds to the gamma of a scope, worked out once for each contract that has any near spot. */
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

/** What the contracts of one expiration share; `quoted` is the spot of their chain. */
function termsOf(quoted: number, { t, rate, dividendYield, spot, exposureSpot }: Carry) {
  const countedIn = (exposureSpot * exposureSpot) / (quoted * spot)
  const perContract = CONTRACT_SIZE * 0.01 * countedIn * Math.exp(-dividendYield * t) * INVERSE_ROOT_TWO_PI
  return { t, drift: rate - dividendYield, rootT: Math.sqrt(t), shift: Math.log(spot / quoted), countedIn, perContract }
}

const INVERSE_ROOT_TWO_PI = 1 / Math.sqrt(2 * Math.PI)

/**
 * A sum this small a part of the gross may be rounding, or all that is left far from every strike: it is added up once
 * more, with the faintest contracts.
 */
export const FAINT = 1e-12

/** G(x) / x at ln x, USD per 1 % move for each USD of spot. */
export function gammaAt(profile: GammaBySpot, logX: number): number {
  const sum = sumOfKernels(profile, logX) + earlyAt(profile, logX)
  return Math.abs(sum) > FAINT * profile.gross ? sum : faintSum(profile, logX) + earlyAt(profile, logX)
}

/** What early exercise adds to it. */
export function earlyAt({ early }: Pick<GammaBySpot, 'early'>, logX: number): number {
  let sum = 0
  for (const { shift, gammas } of early) sum += premiumGammaAt(gammas, logX + shift)
  return sum
}

/**
 * The same sum without what has decayed below 5e-18 of its peak. Takes the logarithm rather than x: V8 moves one taken in
 * here into the loop, which more than doubles it.
 */
export function sumOfKernels(kernels: GammaKernels, logX: number): number {
  sumSoFar[0] = 0
  for (let start = 0; start < kernels.size; start += KERNELS_AT_ONCE) {
    addKernels(kernels, start, Math.min(start + KERNELS_AT_ONCE, kernels.size), logX)
  }
  return sumSoFar[0]
}

/**
 * Kernels that are added up by one call, so few that V8 compiles the call as a whole and never enters its loop in the
 * middle: see `gammaStretch`. With 1,024 it does now and then, and a sum takes half as long again.
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

/** The same sum with every exponential that a double can hold. */
function faintSum({ center, steepness, weight, size }: GammaBySpot, logX: number): number {
  let sum = 0
  for (let k = 0; k < size; k++) sum += weight[k] * Math.exp(-0.5 * ((logX - center[k]) * steepness[k]) ** 2)
  return sum
}

/** Tells a true zero from a place so far from every strike that all gamma has vanished. */
export function anyGammaAt({ center, steepness, size }: GammaBySpot, logX: number): boolean {
  for (let k = 0; k < size; k++) {
    if (Math.exp(-0.5 * ((logX - center[k]) * steepness[k]) ** 2) > 0) return true
  }
  return false
}

/** A logarithm that comes from memory, see `sumOfKernels`. */
export function logOf(x: number): number {
  scratch[0] = Math.log(x)
  return scratch[0]
}

const scratch = new Float64Array(1)
