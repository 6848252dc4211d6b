import { strikeSums } from '../../exposure/by-strike.ts'
import { session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { FigureRow } from '../../market/figure-row.ts'
import { inOneGo, type Steps } from '../../market/steps.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { figure } from '../screener/field-kinds.ts'
import { seriesFields } from './fields.ts'
import { seriesSubject, type TapeFigures } from './subject.ts'

const kept = seriesFields.map((field) => ({ ...field, round: figure(field.quantity).round }))

/**
 * Computes the row of series figures for a chain, rounded as in responses, and the strikes of the row. Without prints
 * the flow figures are absent. On days without trading and before the open all figures are absent.
 */
export function figureRow(chain: PricedChain, tape: TapeFigures | undefined): FigureRow {
  return inOneGo(figureSteps(chain, tape))
}

/** Computes the row one field at a time, so that other work can run between the fields. */
export function* figureSteps(chain: PricedChain, tape: TapeFigures | undefined): Steps<FigureRow> {
  const { symbol, asOf } = chain
  const figures: Record<string, number | undefined> = {}
  const strikes = strikeSums(chain)
  yield
  const hours = session(easternDate(asOf))
  if (hours === undefined || asOf < hours.open) return { symbol, asOf, figures, strikes }
  const subject = seriesSubject(chain, tape)
  for (const { name, ofTape, of, round } of kept) {
    yield
    if (ofTape && tape === undefined) continue
    const value = of(subject)
    figures[name] = value !== undefined && Number.isFinite(value) ? round(value) : undefined
  }
  return { symbol, asOf, figures, strikes }
}
