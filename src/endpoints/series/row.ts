import { strikeSums } from '../../exposure/strike-sums.ts'
import { session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { FigureRow } from '../../market/figure-row.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { figure } from '../screener/field-kinds.ts'
import { seriesFields } from './fields.ts'
import { subjectOf, type TapeFigures } from './subject.ts'

const kept = seriesFields.map((field) => ({ ...field, round: figure(field.quantity).round }))

/**
 * The figures of a symbol at the moment of a chain, rounded as the answers of that moment print them, and its strikes. Without
 * a tape those that are made of prints are left out. Outside a session and before its open there is no answer, and no figure.
 */
export function figureRow(chain: PricedChain, tape: TapeFigures | undefined): FigureRow {
  const { symbol, asOf } = chain
  const strikes = strikeSums(chain)
  const hours = session(easternDate(asOf))
  if (hours === undefined || asOf < hours.open) return { symbol, asOf, figures: {}, strikes }
  const subject = subjectOf(chain, tape)
  const figures = kept.flatMap(({ name, ofTape, of, round }) => {
    if (ofTape && tape === undefined) return []
    const value = of(subject)
    return [[name, value !== undefined && Number.isFinite(value) ? round(value) : undefined] as const]
  })
  return { symbol, asOf, figures: Object.fromEntries(figures), strikes }
}
