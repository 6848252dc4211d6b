import { CALL, known } from '../../market/chain.ts'
import type { IsoDate } from '../../market/units.ts'
import { mean } from '../../math/statistics.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { sumOf } from '../by-strike.ts'
import { nearer } from '../levels/key-levels.ts'
import { liveOn, liveScope, type Scope } from '../scope.ts'
import { executionScore, spreadPercent } from './liquidity.ts'

export interface ExecutionQuality {
  /**
   * Mean bid-ask spread of call and put at the listed strike nearest to spot, percent of mid. Contracts without both
   * bid and ask are left out.
   */
  readonly atmSpread: number | undefined
  /** Mean bid-ask spread of all contracts, weighted by open interest, percent of mid. */
  readonly weightedSpread: number | undefined
  /** Open interest at the listed strike nearest to spot, contracts. */
  readonly atmOpenInterest: number
  readonly openInterest: number
  readonly score: number
}

/**
 * Trading costs and open interest of one expiration. Unlike `liquidity`, it uses the listed strike nearest to spot even
 * if it is not quoted, and averages spreads over all strikes. Source: the published API contract.
 */
export function executionQuality(scope: Scope): ExecutionQuality {
  const { chain, slots, book } = scope
  const { openInterest: held } = book
  let atm: number | undefined
  let [weighted, weight, openInterest] = [0, 0, 0]
  for (const i of slots) {
    openInterest += known(held[i])
    if (atm === undefined || nearer(chain.strike[i], atm, chain.spot)) atm = chain.strike[i]
    const spread = spreadPercent(chain, i)
    if (spread === undefined || held[i] <= 0) continue
    weighted += spread * held[i]
    weight += held[i]
  }
  const atmSlots = Array.from(slots).filter((i) => chain.strike[i] === atm)
  const atmSpread = mean(atmSlots.map((i) => spreadPercent(chain, i)).filter((spread) => spread !== undefined))
  const weightedSpread = weight === 0 ? undefined : weighted / weight
  const atmOpenInterest = sumOf(atmSlots, (i) => known(held[i]))
  return {
    atmSpread,
    weightedSpread,
    atmOpenInterest,
    openInterest,
    score: Math.round(executionScore(atmSpread ?? weightedSpread, atmOpenInterest))
  }
}

/** Mean execution score of several expirations, weighted by open interest and rounded. 0 without open interest. */
export function chainExecutionScore(rows: readonly ExecutionQuality[]): number {
  const total = sumOf(rows, ({ openInterest }) => openInterest)
  return total === 0 ? 0 : Math.round(sumOf(rows, ({ score, openInterest }) => score * openInterest) / total)
}

/** Mean bid-ask spread in percent of mid, and the number of contracts over which it is averaged. */
export interface MeanSpread {
  readonly mean: number | undefined
  readonly contracts: number
}

/**
 * A strike is at the money up to this distance from spot, as a fraction of spot. A put below `putWing` times spot and a
 * call above `callWing` times spot belong to the wings.
 */
const NEAR_REACH = 0.02
const [putWing, callWing] = [0.9, 1.1]

/**
 * Mean bid-ask spreads in two regions: within 2 % of spot, and more than 10 % out of the money. Contracts without both
 * bid and ask are left out.
 */
export function spreadsByReach({ chain, slots }: Scope): { readonly atm: MeanSpread; readonly wing: MeanSpread } {
  const [atm, wing]: [number[], number[]] = [[], []]
  for (const i of slots) {
    const spread = spreadPercent(chain, i)
    if (spread === undefined) continue
    const strike = chain.strike[i]
    if (Math.abs(strike / chain.spot - 1) <= NEAR_REACH) atm.push(spread)
    else if (chain.right[i] === CALL ? strike > callWing * chain.spot : strike < putWing * chain.spot) wing.push(spread)
  }
  const meanOf = (spreads: readonly number[]) => ({ mean: mean(spreads), contracts: spreads.length })
  return { atm: meanOf(atm), wing: meanOf(wing) }
}

/** Labels that say how cheaply an expiration can be traded, best first. */
export const executionLabels = ['tight', 'normal', 'wide', 'illiquid'] as const
export type ExecutionLabel = (typeof executionLabels)[number]

/** Label for an execution score, which is 0 to 100. Source: the published API contract. */
export function executionLabel(score: number): ExecutionLabel {
  if (score >= 75) return 'tight'
  if (score >= 50) return 'normal'
  return score >= 20 ? 'wide' : 'illiquid'
}

export interface ExpirationExecution extends ExecutionQuality {
  readonly date: IsoDate
  readonly days: number
  readonly label: ExecutionLabel
}

export interface ChainExecution {
  readonly expirations: readonly ExpirationExecution[]
  /** Mean execution score of all expirations, weighted by open interest and rounded. */
  readonly score: number
  /** Date with the highest execution score, and (`worst`) with the lowest. In a tie, the first one. */
  readonly best: IsoDate | undefined
  readonly worst: IsoDate | undefined
  readonly thin: number
}

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
