import { fixed } from '../../parts/format.ts'

/** Standard deviations from which on a level is out of reach: in the last minutes of a session there are thousands. */
const FARTHEST = 99

/** The distance of a level in standard deviations of the rest of the day. */
export function sigmaText(sigmas: number | undefined): string {
  if (sigmas === undefined || Math.abs(sigmas) <= FARTHEST) return fixed(sigmas, 1)
  return sigmas < 0 ? `< ${fixed(-FARTHEST, 0)}` : `> ${FARTHEST}`
}
