import type { YieldFigures } from '../../signals/strategies/yield-enhancement.ts'
import { level, multiple, percent } from '../format.ts'
import { type Reasons, sentences } from './reasons.ts'

export function yieldReasons({ pick, days, ivRank, earningsBefore }: YieldFigures): Reasons {
  const rank = ivRank === undefined ? undefined : `Volatility ranks at ${percent(ivRank)} of its last 30 sessions.`
  if (pick === undefined) {
    return {
      why: sentences(`No option ${days} days out has a delta near the target and enough open interest.`, rank),
      avoidIf: ['The chain stays as thin as it is.']
    }
  }
  const { strike, premium, annualYield, delta, assignment, surrendered } = pick
  return {
    why: sentences(
      `The ${level(strike)} strike pays ${level(premium)} for ${days} days, ${percent(annualYield)} a year.`,
      `Its delta is ${multiple(delta)}; assignment has a chance of ${percent(100 * assignment)}.`,
      rank
    ),
    avoidIf: sentences(
      'Assignment at the strike is not wanted.',
      earningsBefore === true ? 'The company reports before the expiration.' : undefined,
      surrendered === undefined ? undefined : 'A dividend goes ex before the expiration.'
    )
  }
}
