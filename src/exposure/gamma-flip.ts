import { CALL, CONTRACT_SIZE } from '../market/chain.ts'
import { memo } from '../market/memo.ts'
import { decay } from '../math/decay.ts'
import { findRoot } from '../math/root.ts'
import type { Carry } from '../pricing/carry.ts'
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
  /** Sum of |weight|. */
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
    const here = sumAt(profile, logOf(spot))
    if (here === 0) return spot
    const side = here > 0 ? -1 : 1
    const nodes = (steps: readonly number[]) => steps.map((step) => spot * (1 + side * step))
    return (
      firstCrossing(profile, spot, here, nodes(fineSteps)) ?? firstCrossing(profile, spot, here, nodes(coarseSteps))
    )
  })
}

/** Net gamma exposure of a scope if spot stood at `x`, USD per 1 % move. */
export function netGammaAt(scope: Scope, x: number): number {
  return x * sumAt(gammaProfile(scope), logOf(x))
}

const steps = (count: number, step: (j: number) => number) => Array.from({ length: count }, (_, j) => step(j + 1))
const fineSteps = [...steps(50, (j) => 0.001 * j), ...steps(50, (j) => 0.05 + 0.005 * j)]
const coarseSteps = steps(50, (j) => 0.01 * j)

/** Walks outward from spot and refines the first change of sign: what lies beyond it need not be evaluated. */
function firstCrossing(
  profile: GammaProfile,
  spot: number,
  here: number,
  nodes: readonly number[]
): number | undefined {
  const logs = nodes.map(logOf)
  let near = logOf(spot)
  for (let k = 0; k < nodes.length; k++) {
    const there = sumAt(profile, logs[k])
    if (there === 0 && anyGammaAt(profile, logs[k])) return nodes[k]
    if (there * Math.sign(here) < 0) {
      const root = findRoot((x) => sumAt(profile, x), Math.min(near, logs[k]), Math.max(near, logs[k]), 1e-10)
      return root === undefined ? undefined : Math.exp(root)
    }
    near = logs[k]
  }
  return undefined
}

/** Fills the one profile there is: it lives until the next call, so that a flip allocates nothing. */
function gammaProfile({ chain, slots }: Scope): GammaProfile {
  const expirationOf = expirationOfSlots(chain)
  if (profile.center.length < slots.length) profile = emptyProfile(slots.length)
  profile.size = 0
  profile.gross = 0
  const { center, steepness, weight } = profile
  let expiration = -1
  let terms = { t: 0, drift: 0, rootT: 0, perContract: 0 }
  let last = -1
  for (const i of slots) {
    if (!carriesExposure(chain, i)) continue
    if (expirationOf[i] !== expiration) {
      expiration = expirationOf[i]
      terms = termsOf(chain.carries[expiration])
      last = -1
    }
    const sigma = chain.sigma[i]
    const inverse = 1 / (sigma * terms.rootT)
    const part = (chain.right[i] === CALL ? 1 : -1) * chain.openInterest[i] * terms.perContract * inverse
    profile.gross += Math.abs(part)
    // A call and a put of one strike that share their volatility bend at the same place: one exponential serves both.
    if (last >= 0 && chain.strike[i] === chain.strike[last] && sigma === chain.sigma[last]) {
      weight[profile.size - 1] += part
      continue
    }
    last = i
    center[profile.size] = Math.log(chain.strike[i]) - (terms.drift + (sigma * sigma) / 2) * terms.t
    steepness[profile.size] = inverse
    weight[profile.size] = part
    profile.size++
  }
  return profile
}

/** What the contracts of one expiration share. */
function termsOf({ t, rate, dividendYield }: Carry) {
  const perContract = CONTRACT_SIZE * 0.01 * Math.exp(-dividendYield * t) * inverseRootTwoPi
  return { t, drift: rate - dividendYield, rootT: Math.sqrt(t), perContract }
}

const inverseRootTwoPi = 1 / Math.sqrt(2 * Math.PI)

function emptyProfile(size: number) {
  const column = () => new Float64Array(size)
  return { center: column(), steepness: column(), weight: column(), size: 0, gross: 0 }
}

let profile = emptyProfile(0)

/**
 * G(x) / x at ln x. Takes the logarithm rather than x: V8 moves one taken in here into the loop, which more than doubles it. Where
 * what is left nearly cancels, the faintest contracts are added up too.
 */
function sumAt(profile: GammaProfile, logX: number): number {
  const { center, steepness, weight, size, gross } = profile
  let sum = 0
  for (let k = 0; k < size; k++) {
    const d = (logX - center[k]) * steepness[k]
    sum += weight[k] * decay(0.5 * d * d)
  }
  return Math.abs(sum) > 1e-12 * gross ? sum : faintSumAt(profile, logX)
}

/** The same sum with every exponential that a double can hold. */
function faintSumAt({ center, steepness, weight, size }: GammaProfile, logX: number): number {
  let sum = 0
  for (let k = 0; k < size; k++) sum += weight[k] * Math.exp(-0.5 * ((logX - center[k]) * steepness[k]) ** 2)
  return sum
}

/** A logarithm that comes from memory, see `sumAt`. */
function logOf(x: number): number {
  scratch[0] = Math.log(x)
  return scratch[0]
}

const scratch = new Float64Array(1)

/** Tells a true zero from a place so far from every strike that all gamma has vanished. */
function anyGammaAt({ center, steepness, size }: GammaProfile, logX: number): boolean {
  for (let k = 0; k < size; k++) {
    if (Math.exp(-0.5 * ((logX - center[k]) * steepness[k]) ** 2) > 0) return true
  }
  return false
}
