import type { EventDecomposition } from '../../earnings/event-decomposition.ts'
import { type MovePremium, movePremium } from '../../earnings/move-premium.ts'
import { type PastReport, pastReports, recentCrushes, recentMoves } from '../../earnings/past-reports.ts'
import type { DailyBar } from '../../market/bar.ts'
import type { SymbolEarnings } from '../../market/earnings.ts'
import { median } from '../../math/statistics.ts'

/** What the next report costs beside the past ones of its company. */
export interface ReportPremium {
  readonly reports: readonly PastReport[]
  readonly premium: MovePremium
  /** The usual fall of volatility, percent. */
  readonly crushMedian: number | undefined
}

/** The implied move is that of the chain, and where it resolves none the newest that was taken. */
export function reportPremium(
  earnings: SymbolEarnings,
  bars: readonly DailyBar[],
  split: Pick<EventDecomposition, 'jump'> | undefined
): ReportPremium {
  const reports = pastReports(earnings, bars)
  return {
    reports,
    premium: movePremium(split?.jump ?? earnings.storedMove, recentMoves(reports)),
    crushMedian: median(recentCrushes(reports))
  }
}
