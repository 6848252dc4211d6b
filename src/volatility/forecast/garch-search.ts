import { type Box, type Minimum, minimize } from '../../math/minimize.ts'
import { ALPHA, BETA, DOF, type GarchLikelihood, type GarchModel, type Innovations, OMEGA } from './garch-likelihood.ts'

export const [MIN_DOF, MAX_DOF] = [2.1, 100]

/**
 * Small number added to 1 - persistence before its logarithm is taken, so that a persistence of 1 has a finite
 * logarithm.
 */
const GAP = 1e-4

/**
 * Index of each search coordinate. The coordinates make every constraint a simple bound and the likelihood nearly
 * parabolic. LEVEL is ln of the long-run variance, MEMORY is -ln(1 - persistence), both with `GAP` added. SHARE is
 * alpha / persistence. TAIL is 1/dof, for Student's t only.
 */
const [LEVEL, MEMORY, SHARE, TAIL] = [0, 1, 2, 3]

const persistences = [0.3, 0.7, 0.9, 0.97, 0.995]
const shares = [0.02, 0.1, 0.4]
const FIRST_TAIL = 1 / 8

/**
 * Finds the model of maximum likelihood with omega > 0, alpha >= 0, beta >= 0, alpha + beta <= 1 and 2.1 <= dof <= 100.
 * Undefined if the search does not converge. `variance` is the sample variance, near which the search starts; `days` is
 * the sample size. The starting points are fixed, so equal inputs give equal results.
 */
export function likeliestModel(
  likelihood: GarchLikelihood,
  variance: number,
  days: number,
  innovations: Innovations
): GarchModel | undefined {
  const size = innovations === 'student_t' ? 4 : 3
  const inModel = new Float64Array(4)
  const unlikeliness = (point: Float64Array, slopes: Float64Array): number => {
    const value = likelihood(modelAt(point), inModel)
    fillSlopes(point, inModel, slopes)
    return -value
  }
  const box = boxAround(Math.log(variance), size)
  const scratch = new Float64Array(size)
  let best: Minimum | undefined
  for (const persistence of persistences) {
    const starts = shares.map((share) => startAt(Math.log(variance), persistence, share, size))
    const values = starts.map((start) => unlikeliness(start, scratch))
    const found = minimize(unlikeliness, starts[values.indexOf(Math.min(...values))], box, { scale: days })
    if (Number.isFinite(found.value) && !(best !== undefined && best.value <= found.value)) best = found
  }
  return best?.finished ? modelAt(best.point) : undefined
}

function boxAround(level: number, size: number): Box {
  return {
    lower: [level - 20, memoryOf(0), 0, 1 / MAX_DOF].slice(0, size),
    upper: [level + 10, memoryOf(1), 1, 1 / MIN_DOF].slice(0, size)
  }
}

function startAt(level: number, persistence: number, share: number, size: number): Float64Array {
  return Float64Array.from([level, memoryOf(persistence), share, FIRST_TAIL].slice(0, size))
}

const memoryOf = (persistence: number) => -Math.log(1 + GAP - persistence)

/**
 * Persistence that belongs to a `MEMORY` coordinate. It is limited to 0 to 1, so that rounding cannot exceed these
 * bounds.
 */
const persistenceAt = (memory: number) => Math.min(1, Math.max(0, 1 + GAP - Math.exp(-memory)))

function modelAt(point: Float64Array): GarchModel {
  const rest = Math.exp(-point[MEMORY])
  const persistence = persistenceAt(point[MEMORY])
  return {
    omega: Math.exp(point[LEVEL]) * rest,
    alpha: persistence * point[SHARE],
    beta: persistence * (1 - point[SHARE]),
    dof: point.length > TAIL ? 1 / point[TAIL] : undefined
  }
}

/**
 * Fills `slopes` with the gradient of the negative log-likelihood in search coordinates, from the gradient in model
 * parameters.
 */
function fillSlopes(point: Float64Array, inModel: Float64Array, slopes: Float64Array): void {
  const rest = Math.exp(-point[MEMORY])
  const omega = Math.exp(point[LEVEL]) * rest
  const share = point[SHARE]
  slopes[LEVEL] = -omega * inModel[OMEGA]
  slopes[MEMORY] = omega * inModel[OMEGA] - rest * (share * inModel[ALPHA] + (1 - share) * inModel[BETA])
  slopes[SHARE] = -persistenceAt(point[MEMORY]) * (inModel[ALPHA] - inModel[BETA])
  if (point.length > TAIL) slopes[TAIL] = inModel[DOF] / point[TAIL] ** 2
}
