import type { SignalReading, StrategyAssessment } from '../../../src/signals/strategies/strategy-assessment.ts'

/** What a signal read; it must not lack anything. */
export function read<Regime extends string, Figures>(
  assessed: StrategyAssessment<Regime, Figures>
): SignalReading<Regime, Figures> {
  if (assessed.missing !== undefined) throw new Error(`${assessed.missing} is missing`)
  return assessed
}
