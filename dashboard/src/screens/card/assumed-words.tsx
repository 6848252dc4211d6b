import { AnswerWords, ConventionWord } from '../../parts/answer-words.tsx'
import type { Shown } from '../../parts/panel.tsx'

/** Which dealers and expirations the answers of a tab are of. */
export function AssumedWords({ of }: { readonly of: readonly Shown[] }) {
  return (
    <p class="of">
      <AnswerWords of={of} />
      <ConventionWord />
    </p>
  )
}
