import { apiError } from '../api/error.ts'
import type { DataDistrust } from '../quality/chain-assessment.ts'
import { distrustReading } from '../wording/quality-readings.ts'

/** Part of an answer that says how to read its codes and sentences, whatever the data are. */
const CONVENTIONS = 'reading'

/**
 * Returns an answer whose sentences say that its data contradict themselves, if they do, in place of what they say about
 * the market. A score of the data is then no better than the quality of the chain. Figures stay as they are.
 */
export function withDistrust<Answer>(answer: Answer, distrust: DataDistrust | undefined): Answer {
  return distrust === undefined ? answer : (distrusted(answer, distrust, distrustReading(distrust)) as Answer)
}

function distrusted(value: unknown, distrust: DataDistrust, sentence: string): unknown {
  if (typeof value === 'string') return isSentence(value) ? sentence : value
  if (Array.isArray(value)) return value.map((item) => distrusted(item, distrust, sentence))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === CONVENTIONS) return [name, inner]
      const isScore = name === 'data_quality_score' && typeof inner === 'number'
      return [name, isScore ? Math.min(inner, distrust.score) : distrusted(inner, distrust, sentence)]
    })
  )
}

/** Codes, dates and tickers are single words; every sentence has several. */
const isSentence = (text: string) => text.includes(' ')

/** Refuses an answer that would state how sure figures are whose data contradict themselves. */
export function refuseDistrusted(distrust: DataDistrust | undefined): void {
  if (distrust !== undefined) throw apiError('insufficient_data', distrustReading(distrust))
}
