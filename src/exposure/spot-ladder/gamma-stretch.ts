import { decay } from '../../math/decay.ts'
import { earlyAt, FAINT, type GammaBySpot, type GammaKernels, KERNELS_AT_ONCE, sumOfKernels } from './gamma-by-spot.ts'

/**
 * Net gamma on a short stretch of spots, from one pass over the contracts instead of one pass for each spot.
 *
 * v runs from -1 to 1 across the stretch. In it, a contract's kernel is w exp(-(d - r v)²/2), where r is half the
 * stretch divided by σ√T. If r is at most 1, six terms of the Taylor series leave an error of at most |w| r⁶ 15/6!,
 * because the sixth derivative of exp(-y²/2) is nowhere larger than 15. One polynomial then represents all such
 * contracts. The few with a larger r, which are close to expiry, keep their kernels.
 */
export interface GammaStretch {
  readonly middle: number
  readonly reach: number
  /** Coefficients of the polynomial in v. v falls as ln x rises. */
  readonly coefficients: readonly number[]
  /** Kernels of contracts close to expiry, which are summed one at a time. */
  readonly shortDated: GammaKernels
  /** Gamma of the early-exercise premiums. It is evaluated at each spot because it has kinks. */
  readonly early: GammaBySpot['early']
  /**
   * Largest possible error of `gammaOn`. If the absolute value of its result is above this, the result has the true
   * sign.
   */
  readonly errorBound: number
}

/** Prepares net gamma for all spots between two logarithms of spot, `from` and `to`. */
export function gammaStretch(profile: GammaBySpot, from: number, to: number): GammaStretch {
  const middle = (from + to) / 2
  const reach = Math.abs(to - from) / 2
  const sums = new Float64Array(TERMS + 1)
  const shortDated: number[] = []
  for (let start = 0; start < profile.size; start += KERNELS_AT_ONCE) {
    addKernels(profile, start, Math.min(start + KERNELS_AT_ONCE, profile.size), middle, reach, sums, shortDated)
  }
  const [s0, s1, s2, s3, s4, s5, rest] = sums
  return {
    middle,
    reach,
    coefficients: [s0, s1, s2 / 2, s3 / 6, s4 / 24, s5 / 120],
    shortDated: kernelsAt(profile, shortDated),
    early: profile.early,
    errorBound: (rest * 15) / 720 + FAINT * profile.gross
  }
}

/** Number of Taylor terms: the kernel and its first five derivatives. One more sum bounds the error. */
const TERMS = 6

/**
 * Adds the kernels from `start` up to but excluding `end` to `sums` if their Taylor series is short enough; the indexes
 * of the others go to `shortDated`. The work is split into short calls. In one long loop, V8 would box every sum. A
 * short function that is called often is compiled as a whole and takes half the time.
 */
function addKernels(
  { center, steepness, weight }: GammaKernels,
  start: number,
  end: number,
  middle: number,
  reach: number,
  sums: Float64Array,
  shortDated: number[]
): void {
  let s0 = sums[0]
  let s1 = sums[1]
  let s2 = sums[2]
  let s3 = sums[3]
  let s4 = sums[4]
  let s5 = sums[5]
  let rest = sums[TERMS]
  for (let k = start; k < end; k++) {
    const r = steepness[k] * reach
    const d = (middle - center[k]) * steepness[k]
    if (r > 1) {
      if (Math.abs(d) - r < VANISHED) shortDated.push(k)
      continue
    }
    // Kernel and derivatives in v at the middle by the recursion from f' = (a - b v) f: each follows from the two
    // before it.
    const a = r * d
    const b = r * r
    const f0 = weight[k] * decay(0.5 * d * d)
    const f1 = a * f0
    const f2 = a * f1 - b * f0
    const f3 = a * f2 - 2 * b * f1
    const f4 = a * f3 - 3 * b * f2
    const f5 = a * f4 - 4 * b * f3
    s0 += f0
    s1 += f1
    s2 += f2
    s3 += f3
    s4 += f4
    s5 += f5
    rest += Math.abs(weight[k]) * b * b * b
  }
  sums[0] = s0
  sums[1] = s1
  sums[2] = s2
  sums[3] = s3
  sums[4] = s4
  sums[5] = s5
  sums[TERMS] = rest
}

/** G(x) / x at logarithm `logX` of x, with an error of at most `errorBound` of the stretch. */
export function gammaOn(stretch: GammaStretch, logX: number): number {
  return europeanGammaOn(stretch, logX) + earlyAt(stretch, logX)
}

export function europeanGammaOn({ middle, reach, coefficients, shortDated }: GammaStretch, logX: number): number {
  const v = (middle - logX) / reach
  const gentle = coefficients.reduceRight((sum, coefficient) => sum * v + coefficient, 0)
  return gentle + sumOfKernels(shortDated, logX)
}

/** Number of standard deviations beyond which `decay` returns 0. */
const VANISHED = 9

function kernelsAt({ center, steepness, weight }: GammaBySpot, places: readonly number[]): GammaKernels {
  const size = places.length
  const kernels = {
    center: new Float64Array(size),
    steepness: new Float64Array(size),
    weight: new Float64Array(size),
    size,
    gross: 0
  }
  for (let k = 0; k < size; k++) {
    const at = places[k]
    kernels.center[k] = center[at]
    kernels.steepness[k] = steepness[at]
    kernels.weight[k] = weight[at]
    kernels.gross += Math.abs(weight[at])
  }
  return kernels
}
