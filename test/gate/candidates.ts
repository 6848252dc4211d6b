import type { Candidate } from '../../src/gate/candidate.ts'
import { type GateVerdict, judge } from '../../src/gate/gate.ts'
import type { Chain } from '../../src/market/chain.ts'
import { jumbled, ladder, type SeriesSketch, sketched } from '../support/hand-made.ts'

export const moment = { date: '2026-07-29', time: '11:00' }
export const dates = ['2026-07-31', '2026-08-21', '2026-09-18', '2026-12-18']
export const series: readonly SeriesSketch[] = dates.map((date) => ({
  date,
  strikes: ladder(80, 124, 4),
  oi: (strike, right) => 1 + jumbled(strike, right, 900),
  volume: 10
}))
export const held = sketched({ ...moment, spot: 100, series })
export const ofSeries = (some: readonly SeriesSketch[], spot = 100, at: Partial<typeof moment> = {}) =>
  sketched({ ...moment, ...at, spot, series: some })

/**
 * A candidate to replace the held chain, judged at its own time and without further evidence unless `more` has some.
 */
export function candidateOf(chain: Chain, more: Partial<Candidate> = {}): Candidate {
  const nothing = { reading: undefined, doubt: undefined, settledOn: undefined, waived: undefined }
  return { chain, held, now: chain.asOf, clockIsTrusted: true, ...nothing, ...more }
}

export const verdictOn = (chain: Chain, more: Partial<Candidate> = {}): GateVerdict => judge(candidateOf(chain, more))

/** The reason for which a chain is held back, or the verdict without one. */
export function outcomeOf(chain: Chain, more: Partial<Candidate> = {}): string {
  const verdict = verdictOn(chain, more)
  return 'reason' in verdict ? verdict.reason : verdict.kind
}
