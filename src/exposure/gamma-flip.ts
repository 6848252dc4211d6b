import { CALL, CONTRACT_SIZE } from '../market/chain.ts'
import { memo } from '../market/memo.ts'
import { findRoot } from '../math/root.ts'
import { carriesExposure, expirationOfSlots, type Scope } from './scope.ts'

/**
 * Net gamma exposure as a function of spot, every volatility, clock, carry and open interest staying as it is (sticky
 * strike):
 *
 *     G(x) = sum s γ(x) OI 100 x² 0.01 = x sum w exp(-d²/2),   d = (ln x - m) / (σ √T),
 *
 * with m = ln K - (r - q + σ²/2) T and w holding everything that spot does not move.
 */
interface GammaProfile {
  readonly center: Float64Array
  /** 1 / (σ √T) */
  readonly steepness: Float64Array
  readonly weight: Float64Array
  readonly size: number
  readonly gross: number
}

/**
 * The gamma flip: the spot at which net gamma exposure crosses zero, nearest to spot on the side that agrees with the
 * sign it has now, below while it is positive and above while it is negative. So spot is above the flip exactly when
 * net gamma is positive. Undefined when nothing in scope carries exposure or no crossing lies within 50 % of spot.
 */
export function gammaFlip(scope: Scope): number | undefined {
  return memo(scope, 'gamma flip', () => {
    const { spot } = scope.chain
    const profile = gammaProfile(scope)
    if (profile.size === 0) return undefined
    const here = gammaAt(profile, spot)
    if (here === 0) return spot
    const side = here > 0 ? -1 : 1
    return (
      firstCrossing(
        profile,
        spot,
        here,
        fineSteps.map((step) => spot * (1 + side * step))
      ) ??
      firstCrossing(
        profile,
        spot,
        here,
        coarseSteps.map((step) => spot * (1 + side * step))
      )
    )
  })
}

/** Net gamma exposure of a scope if spot stood at `x`, USD per 1 % move. */
export function netGammaAt(scope: Scope, x: number): number {
  return gammaAt(gammaProfile(scope), x)
}

const steps = (count: number, step: (j: number) => number) => Array.from({ length: count }, (_, j) => step(j + 1))
const fineSteps = [...steps(50, (j) => 0.001 * j), ...steps(50, (j) => 0.05 + 0.005 * j)]
const coarseSteps = steps(50, (j) => 0.01 * j)

/** Walks outward from spot and refines the first change of sign: what lies beyond it need not be evaluated. */
function firstCrossing(profile: GammaProfile, spot: number, here: number, nodes: number[]): number | undefined {
  let near = spot
  for (const node of nodes) {
    const there = gammaAt(profile, node)
    if (there === 0 && anyGammaAt(profile, node)) return node
    if (there * Math.sign(here) < 0) {
      return findRoot((x) => gammaAt(profile, x), Math.min(near, node), Math.max(near, node), 1e-11 * spot)
    }
    near = node
  }
  return undefined
}

function gammaProfile(scope: Scope): GammaProfile {
  return memo(scope, 'gamma profile', () => {
    const { chain, slots } = scope
    const expirationOf = expirationOfSlots(chain)
    const center = new Float64Array(slots.length)
    const steepness = new Float64Array(slots.length)
    const weight = new Float64Array(slots.length)
    let size = 0
    let gross = 0
    let strike = Number.NaN
    let sigma = Number.NaN
    let expiration = -1
    for (const i of slots) {
      if (!carriesExposure(chain, i)) continue
      const { t, rate, dividendYield } = chain.carries[expirationOf[i]]
      const inverse = 1 / (chain.sigma[i] * Math.sqrt(t))
      const perContract = CONTRACT_SIZE * 0.01 * Math.exp(-dividendYield * t) * inverse * inverseRootTwoPi
      const part = (chain.right[i] === CALL ? 1 : -1) * chain.openInterest[i] * perContract
      gross += Math.abs(part)
      // A call and a put of one strike that share their volatility bend at the same place: one exponential serves both.
      if (chain.strike[i] === strike && chain.sigma[i] === sigma && expirationOf[i] === expiration) {
        weight[size - 1] += part
        continue
      }
      strike = chain.strike[i]
      sigma = chain.sigma[i]
      expiration = expirationOf[i]
      center[size] = Math.log(strike) - (rate - dividendYield + (sigma * sigma) / 2) * t
      steepness[size] = inverse
      weight[size] = part
      size++
    }
    return { center, steepness, weight, size, gross }
  })
}

const inverseRootTwoPi = 1 / Math.sqrt(2 * Math.PI)

/** Beyond nine deviations an exponential is below 3e-18: it can only matter where every other one has vanished too. */
const negligible = 81

function gammaAt(profile: GammaProfile, x: number): number {
  const sum = sumWithin(profile, Math.log(x), negligible)
  return x * (Math.abs(sum) > 1e-12 * profile.gross ? sum : sumWithin(profile, Math.log(x), Infinity))
}

function sumWithin({ center, steepness, weight, size }: GammaProfile, logX: number, furthest: number): number {
  let sum = 0
  for (let k = 0; k < size; k++) {
    const d = (logX - center[k]) * steepness[k]
    const square = d * d
    if (square < furthest) sum += weight[k] * Math.exp(-0.5 * square)
  }
  return sum
}

/** Tells a true zero from a place so far from every strike that all gamma has vanished. */
function anyGammaAt({ center, steepness, size }: GammaProfile, x: number): boolean {
  const logX = Math.log(x)
  for (let k = 0; k < size; k++) {
    if (Math.exp(-0.5 * ((logX - center[k]) * steepness[k]) ** 2) > 0) return true
  }
  return false
}
