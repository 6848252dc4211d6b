import { expect } from 'vitest'
import type { Endpoints } from '../../../src/client/endpoint-types.ts'
import { daysToExpiry } from '../../../src/market/clock.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import type { Market } from '../../support/markets.ts'
import { type Case, expectAll, type Invariants } from './invariant.ts'

export type SignalAnswer<Signal extends string> = `/v1/strategies/${Signal}/{symbol}` extends keyof Endpoints
  ? Endpoints[`/v1/strategies/${Signal}/{symbol}`]['answer']
  : never

/** Fields that all answers share; each answer's own checks cover its regimes and metrics. */
export interface AnyDecision {
  readonly strategy: string
  readonly decision: string
  readonly score: number
  readonly confidence: number
  readonly regime: string
  readonly best_structures: SignalAnswer<'vol-carry'>['best_structures']
  readonly metrics: Readonly<Record<string, unknown>> & { readonly underlying_price: number }
  readonly risk_flags: readonly { readonly severity: string; readonly code: string }[]
  readonly why: readonly string[]
  readonly avoid_if: readonly string[]
}
type Structure = AnyDecision['best_structures'][number]
type Leg = Structure['legs'][number]

export const isRead = ({ decision }: { readonly decision: string }) => decision !== 'insufficient_data'

/** Within what two figures of four decimals can be off, or half a cent where they are money. */
export const expectNear = (a: number, b: number, within = 0.0002) =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(within + 1e-9 * Math.abs(b))

/**
 * Looks up the quotes of a contract again: mid, spread and open interest. Expects the contract to be listed and quoted.
 */
function listedLeg({ chain }: Market, expiry: string, { type, strike }: Leg) {
  const right = type === 'call' ? 0 : 1
  const found: { mid: number; spread: number; openInterest: number; at: number }[] = []
  chain.expirations.forEach(({ date, start, end }, at) => {
    if (date !== expiry) return
    for (let i = start; i < end; i++) {
      if (chain.strike[i] !== strike || chain.right[i] !== right) continue
      const mid = (chain.bid[i] + chain.ask[i]) / 2
      found.push({
        mid,
        spread: (100 * (chain.ask[i] - chain.bid[i])) / mid,
        openInterest: Math.max(0, chain.openInterest[i]),
        at
      })
    }
  })
  return found
}

function creditOf(legs: readonly Leg[]): number {
  return legs.reduce((sum, { action, premium }) => sum + (action === 'sell' ? premium : -premium), 0)
}

/** Profit at expiry at the printed premiums, of a covered call with its stock. */
function profitAt({ legs, structure }: Structure, stock: number, spot: number): number {
  const options = legs.reduce((sum, { action, type, strike, premium }) => {
    const value = Math.max(type === 'call' ? spot - strike : strike - spot, 0)
    return sum + (action === 'sell' ? premium - value : value - premium)
  }, 0)
  return structure === 'covered_call' ? options + spot - stock : options
}

/** Each structure against a search over all prices at expiry and the quotes of its legs. */
function expectPriced(structure: Structure, stock: number): void {
  const corners = [0, ...structure.legs.map(({ strike }) => strike), 10 * stock]
  const profits = corners.map((spot) => profitAt(structure, stock, spot))
  expectNear(structure.max_profit, Math.max(...profits), 0.041)
  expectNear(structure.max_loss, -Math.min(...profits), 0.041)
  expectAll(structure.breakevens, (spot) => Math.abs(profitAt(structure, stock, spot)) < 0.041)
  expect(structure.breakevens.length).toBeGreaterThan(0)
}

/** The leg that an answer prints is the one that the chain quotes: two sides, no wider than half its mid, held enough. */
export function expectQuoted(
  { best_structures }: Pick<AnyDecision, 'best_structures'>,
  market: Market,
  minOpenInterest: number
): void {
  for (const { legs, expiry, liquidity_score } of best_structures) {
    const found = legs.map((leg) => {
      const quoted = listedLeg(market, expiry, leg).find(({ mid }) => Math.abs(mid - leg.premium) <= 0.0051)
      expect(quoted, `${leg.type} ${leg.strike} of ${expiry}`).toBeDefined()
      return quoted!
    })
    expectAll(found, ({ spread, openInterest }) => spread <= 50 + 1e-9 && openInterest >= minOpenInterest)
    expect(new Set(found.map(({ at }) => at)).size).toBe(1)
    const worst = Math.min(
      ...found.map(({ spread, openInterest }) => 0.7 * Math.exp(-spread / 5) + 0.3 * Math.min(1, openInterest / 1000))
    )
    expectNear(liquidity_score, worst, 0.00501)
  }
}

/** Invariants that the contract states for every signal. */
export function envelope<Answer>(strategy: string): Invariants<Answer>['checks'] {
  const checks: Readonly<Record<string, (answer: AnyDecision, at: Case) => void>> = {
    [`strategy == ${strategy}`]: (answer) => {
      expect(answer.strategy).toBe(strategy)
      expect(answer.why.length).toBeGreaterThan(0)
      expect(answer.why.length).toBeLessThanOrEqual(5)
      expect(answer.avoid_if.length > 0).toBe(isRead(answer))
      expect(answer.avoid_if.length).toBeLessThanOrEqual(4)
      const order = ['high', 'medium', 'low']
      const places = answer.risk_flags.map(({ severity, code }) => `${order.indexOf(severity)} ${code}`)
      expect(places).toEqual([...new Set(places)].sort())
    },
    'decision == insufficient_data => score == 0 and best_structures empty': (answer) => {
      if (isRead(answer)) return
      expect([answer.score, answer.confidence, answer.best_structures]).toEqual([0, 0, []])
      const present = Object.entries(answer.metrics).filter(([name, value]) => value !== null && name !== 'structure')
      expect(present.map(([name]) => name)).toEqual(['underlying_price'])
    },
    '0 <= confidence <= 1; metrics.underlying_price > 0': ({ confidence, metrics }, { market }) => {
      expect(confidence >= 0 && confidence <= 1).toBe(true)
      expectNear(metrics.underlying_price, market.chain.spot)
    }
  }
  return checks as unknown as Invariants<Answer>['checks']
}

/** Further invariants of signals that grade a setup. */
export function setup<Answer>(strategy: string, minOpenInterest = 250): Invariants<Answer>['checks'] {
  const checks: Readonly<Record<string, (answer: AnyDecision, at: Case) => void>> = {
    'decision == candidate <=> score >= 70; decision == neutral <=> 40 <= score < 70; decision == avoid <=> score < 40 (unless insufficient_data)':
      (answer) => {
        const band = answer.score >= 70 ? 'candidate' : answer.score >= 40 ? 'neutral' : 'avoid'
        if (isRead(answer)) expect(answer.decision).toBe(band)
      },
    'best_structures[].rank == 1..n; edge_score non-increasing; every leg strike listed for that expiry': (
      answer,
      { market, query }
    ) => {
      const rows = answer.best_structures
      expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, k) => k + 1))
      expectAll(rows, ({ edge_score }, k) => k === 0 || edge_score <= rows[k - 1].edge_score)
      expectQuoted(answer, market, Number(query.minOpenInterest ?? minOpenInterest))
      expect(new Set(rows.map(({ structure, legs }) => `${structure} ${legs.map(({ strike }) => strike)}`)).size).toBe(
        rows.length
      )
    },
    'credit == sum(sell premiums) - sum(buy premiums) within 0.02; exactly one of credit, debit is null': ({
      best_structures
    }) => {
      for (const { credit, debit, legs } of best_structures) {
        expectNear(credit!, creditOf(legs), 0.0201 + 0.005)
        expect([debit, credit! > 0]).toEqual([null, true])
      }
    },
    'max_profit, max_loss and breakevens follow x-conventions.structures within 0.02': ({
      best_structures,
      metrics
    }) => {
      for (const structure of best_structures) expectPriced(structure, metrics.underlying_price)
    }
  }
  return { ...envelope<Answer>(strategy), ...(checks as unknown as Invariants<Answer>['checks']) }
}

/** Nothing, and the first, a middle and the last listed date. */
export function expiries({ chain }: Market): readonly { readonly expiry?: string }[] {
  const dates = [...new Set(chain.expirations.map(({ date }) => date))]
  const chosen = new Set([dates[0], dates[dates.length >> 1], dates[dates.length - 1]])
  return [{}, ...[...chosen].map((expiry) => ({ expiry })), { expiry: '2019-01-18' }]
}

export const daysTo = ({ chain }: Market, expiry: string) => daysToExpiry(chain.asOf, expiry as IsoDate)
