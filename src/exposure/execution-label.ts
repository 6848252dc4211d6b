import type { IsoDate } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { chainExecutionScore, type ExecutionQuality, executionQuality } from './execution.ts'
import { liveOn, liveScope } from './scope.ts'

/** How well an expiration trades, best first. */
export const executionLabels = ['tight', 'normal', 'wide', 'illiquid'] as const
export type ExecutionLabel = (typeof executionLabels)[number]

/** The label of an execution score, 0 to 100. Source: the wire contract. */
export function executionLabel(score: number): ExecutionLabel {
  if (score >= 75) return 'tight'
  if (score >= 50) return 'normal'
  return score >= 20 ? 'wide' : 'illiquid'
}

/** What it costs to trade one expiration date. */
export interface ExpirationExecution extends ExecutionQuality {
  readonly date: IsoDate
  readonly days: number
  readonly label: ExecutionLabel
}

/** Execution over a chain. */
export interface ChainExecution {
  /** Each live expiration date, ascending. */
  readonly expirations: readonly ExpirationExecution[]
  /** Mean of the scores by open interest, a whole number. */
  readonly score: number
  /** The first expiration with the highest score, and the first with the lowest. */
  readonly best: IsoDate | undefined
  readonly worst: IsoDate | undefined
  /** How many are illiquid. */
  readonly thin: number
}

/** What it costs to trade each live expiration of a chain. */
export function chainExecution(chain: PricedChain): ChainExecution {
  const dates = new Map(
    liveScope(chain).expirations.map((at) => [chain.expirations[at].date, chain.carries[at].days] as const)
  )
  const expirations = Array.from(dates, ([date, days]) => {
    const quality = executionQuality(liveOn(chain, date))
    return { date, days, ...quality, label: executionLabel(quality.score) }
  })
  const scores = expirations.map(({ score }) => score)
  const dateOf = (sought: number) => expirations.find(({ score }) => score === sought)?.date
  return {
    expirations,
    score: chainExecutionScore(expirations),
    best: dateOf(Math.max(...scores)),
    worst: dateOf(Math.min(...scores)),
    thin: expirations.filter(({ label }) => label === 'illiquid').length
  }
}
