import Type, { type TSchema } from 'typebox'
import { moment, ranked, rowKey, rowsByPosition } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import type { Inputs } from '../../api/inputs/inputs.ts'
import {
  Contracts,
  Count,
  Day,
  Decimal,
  Name,
  Nullable,
  Price,
  Ratio,
  Score,
  Sentence,
  Timestamp,
  Usd,
  Words
} from '../../api/quantity.ts'
import { liveScope } from '../../exposure/scope.ts'
import { isoInstant } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Decision, decisionOf, distrusted, uncovered } from '../../signals/strategies/decision.ts'
import type { RankedStructure } from '../../signals/strategies/ranking.ts'
import { type RiskCode, riskCodes, riskSeverities } from '../../signals/strategies/risk-flags.ts'
import { qualityWarnings } from '../../signals/strategies/signal-quality.ts'
import { type StrategyAssessment, verdicts } from '../../signals/strategies/strategy-assessment.ts'
import { structureKinds } from '../../signals/strategies/structures.ts'
import { distrustReading } from '../../wording/quality-readings.ts'
import { missingReading, riskReading } from '../../wording/strategy-flags.ts'
import type { Reasons } from '../../wording/strategy-reasons.ts'

const structureBlock = block(
  Type.Object(
    {
      rank: Count('from 1', { minimum: 1 }),
      structure: Words(...structureKinds),
      expiry: Day(),
      legs: Type.Array(
        Type.Object(
          {
            action: Words('sell', 'buy'),
            type: Words('put', 'call'),
            strike: Price(),
            delta: Ratio('of the option itself', { minimum: -1, maximum: 1 }),
            premium: Usd('mid, per share'),
            quantity: Contracts('', { minimum: 1 })
          },
          { title: 'SuggestedLeg' }
        ),
        { ...rowsByPosition, minItems: 1, maxItems: 4 }
      ),
      credit: Nullable(Usd('per share')),
      debit: Nullable(Usd('per share; no structure that costs money is proposed')),
      max_profit: Usd('per share'),
      max_loss: Usd('per share'),
      breakevens: Type.Array(Price(), { description: 'ascending' }),
      edge_score: Score('score of the signal, what the structure earns and how well it trades'),
      liquidity_score: Decimal(2, 'fraction', 'of the leg that trades worst', { minimum: 0, maximum: 1 })
    },
    { title: 'SuggestedStructure' }
  ),
  (structure: RankedStructure) => ({
    rank: structure.rank,
    structure: structure.kind,
    expiry: structure.expiry,
    legs: structure.legs.map(({ action, right, strike, delta, mid }) => ({
      action,
      type: right,
      strike,
      delta,
      premium: mid,
      quantity: 1
    })),
    credit: structure.credit,
    debit: undefined,
    max_profit: structure.maxProfit,
    max_loss: structure.maxLoss,
    breakevens: structure.breakevens,
    edge_score: structure.edgeScore,
    liquidity_score: structure.liquidity
  })
)

const riskBlock = block(
  Type.Object(
    { severity: Words('low', 'medium', 'high'), code: Words(...riskCodes), message: Sentence() },
    { title: 'RiskFlag' }
  ),
  (code: RiskCode) => ({ severity: riskSeverities[code], code, message: riskReading(code) })
)

/** Regime in the response for a past moment that was not recorded. */
const NOT_COVERED = 'symbol_not_covered_historically'

/** Response schema of a strategy signal: the fields common to all signals, and the signal's own regimes and metrics. */
export function decisionSchema<
  const Signal extends string,
  const Regimes extends readonly string[],
  Metrics extends TSchema
>(signal: Signal, regimes: Regimes, metrics: Metrics) {
  return Type.Object({
    strategy: Words(signal),
    symbol: Name('underlying ticker'),
    timestamp: Timestamp('the moment the decision was made, UTC', moment),
    decision: Words(...verdicts),
    score: Score('0 where an input is missing'),
    confidence: Decimal(2, 'fraction', 'quality of the data, size of the sample and liquidity', {
      minimum: 0,
      maximum: 1
    }),
    regime: Words<readonly (Regimes[number] | typeof NOT_COVERED)[]>(...regimes, NOT_COVERED),
    best_structures: Type.Array(structureBlock.schema, { ...rowKey('rank'), ...ranked, maxItems: 3 }),
    metrics,
    risk_flags: Type.Array(riskBlock.schema, rowKey('code')),
    why: Type.Array(Sentence(), { description: 'one reason each, with its number' }),
    avoid_if: Type.Array(Sentence(), { description: 'what would invalidate the signal' }),
    data_quality: Type.Object(
      {
        score: Score(),
        warnings: Type.Array(Words(...qualityWarnings))
      },
      { title: 'DataQuality' }
    )
  })
}

export const subject = ['anyChain', 'lastKnown', 'second', 'sourceDelay', 'earningsDates', 'distrust'] as const
type Subject = Pick<Inputs, (typeof subject)[number]>

interface SignalParts<Signal extends string, Regime extends string, Figures, Metrics> {
  readonly signal: Signal
  readonly assess: (chain: PricedChain) => StrategyAssessment<Regime, Figures>
  /**
   * Fills the metrics of the signal. Without figures all are null, except the underlying price and values repeated from
   * the request.
   */
  readonly metrics: (figures: Figures | undefined, spot: number) => Metrics
  readonly reasons: (figures: Figures) => Reasons
  /** Regime of a signal that concludes nothing, since its data contradict themselves. */
  readonly unread: Regime
  readonly sessions?: number
}

/**
 * Builds the response of a strategy signal. For a past moment that was not recorded, the response says so and gives the
 * last known price.
 */
export function decided<const Signal extends string, Regime extends string, Figures, Metrics>(
  { anyChain, lastKnown, second, sourceDelay, earningsDates, distrust }: Subject,
  { signal, assess, metrics, reasons, sessions, unread }: SignalParts<Signal, Regime, Figures, Metrics>
) {
  const { symbol, spot } = anyChain ?? lastKnown!
  const at = { now: second, delay: sourceDelay, sessions }
  const decision: Decision<Regime | typeof NOT_COVERED, Figures> =
    anyChain === undefined
      ? uncovered(NOT_COVERED)
      : distrust === undefined
        ? decisionOf(assess(anyChain), at, earningsDates)
        : distrusted(unread, liveScope(anyChain), at, distrust)
  const { figures, missing } = decision
  const nothing = () => (distrust === undefined ? missingReading(missing!) : distrustReading(distrust))
  const { why, avoidIf } = figures === undefined ? { why: [nothing()], avoidIf: [] } : reasons(figures)
  return {
    strategy: signal,
    symbol,
    timestamp: isoInstant(second),
    decision: decision.verdict,
    score: decision.score,
    confidence: decision.confidence,
    regime: decision.regime,
    best_structures: decision.structures.map((structure) => structureBlock.fill(structure)),
    metrics: metrics(figures, spot),
    risk_flags: decision.risks.map((code) => riskBlock.fill(code)),
    why,
    avoid_if: avoidIf,
    data_quality: decision.quality
  }
}

export const declared = { tag: 'strategies', sourceFault: 'upstream_unavailable', replay: true, stream: true } as const
