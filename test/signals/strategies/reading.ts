import type { SignalReading, StrategyAssessment } from '../../../src/signals/strategies/strategy-assessment.ts'

/** Result of a signal, which must not lack an input. */
export function read<Regime extends string, Figures>(
  assessed: StrategyAssessment<Regime, Figures>
): SignalReading<Regime, Figures> {
  if (assessed.missing !== undefined) throw new Error(`${assessed.missing} is missing`)
  return assessed
}
