import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { place } from '../state/page/address.ts'
import { summary } from '../state/screens/overview-state.ts'
import { answerWords } from './answer-words.tsx'
import { stateNow } from './state-now.ts'

/** Least time between announcements, milliseconds. */
const PACE = 15_000

/** Announces changes of the regime or of the data's state to screen readers. */
export function Announcer() {
  const announced = useSignal('')
  const { word, note } = stateNow()
  const regime = summary.answer.value?.regime.replace('_', ' ')
  const now = [place.value.symbol, regime, answerWords([summary]), word, note]
    .filter((each) => each !== undefined)
    .join(', ')
  const isFirst = announced.value === ''
  useEffect(() => {
    const timer = setTimeout(
      () => {
        announced.value = now
      },
      isFirst ? 1000 : PACE
    )
    return () => clearTimeout(timer)
  }, [now, isFirst])
  return (
    <p class="hidden" role="status">
      {announced.value}
    </p>
  )
}
