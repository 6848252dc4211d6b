import { apiError } from '../../api/error.ts'
import { instantOfEastern } from '../../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_DAY, parseIsoDate } from '../../market/units.ts'
import { parseMoment } from '../../replay/replay-moment.ts'
import type { StepName } from './bulk-shapes.ts'

/** Moments between two, as a request names them. */
export interface BulkRange {
  readonly from: string
  readonly to: string
  readonly every: StepName
}

/** Moments by name, ascending and each once. Throws for a text that names none. */
export function momentsNamed(texts: readonly string[]): readonly Instant[] {
  const found = texts.map((text) => momentNamed(text, 'at'))
  return [...new Set(found)].sort((a, b) => a - b)
}

/** First and last moment of a range. A date means its whole day. Throws if they cannot be read. */
export function spanOf({ from, to }: BulkRange): { readonly start: Instant; readonly end: Instant } {
  const startDate = parseIsoDate(from)
  const endDate = parseIsoDate(to)
  const start = startDate === undefined ? momentNamed(from, 'from') : instantOfEastern(startDate, 0)
  const end = endDate === undefined ? momentNamed(to, 'to') : instantOfEastern(endDate, 0) + MILLISECONDS_PER_DAY - 1
  if (start > end)
    throw apiError('invalid_moments', 'moments.from lies after moments.to', { parameter: 'moments.from' })
  return { start, end }
}

function momentNamed(text: string, field: string): Instant {
  const found = parseMoment(text)
  if (found === undefined) {
    throw apiError('invalid_moments', `moments.${field} must be yyyy-MM-ddTHH:mm:ss or yyyy-MM-dd in New York`, {
      parameter: `moments.${field}`
    })
  }
  return found
}
