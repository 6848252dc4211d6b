import type { EventDecomposition } from '../../earnings/event-decomposition.ts'
import { type MovePremium, movePremium } from '../../earnings/move-premium.ts'
import { type PastReport, pastReports, recentCrushes, recentMoves } from '../../earnings/past-reports.ts'
import type { DailyBar } from '../../market/bar.ts'
import type { SymbolEarnings } from '../../market/earnings.ts'
import { median } from '../../math/statistics.ts'

/** Option prices for the next earnings report compared with the company's past reports. */
export interface ReportPremium {
  readonly reports: readonly PastReport[]
  readonly premium: MovePremium
  /** Median fall of implied volatility after past earnings reports, percent. */
  readonly crushMedian: number | undefined
}

/**
 * Compares the move implied for the next report with past moves. Takes the implied move from the chain, or else the
 * newest stored one.
 */
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
