import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { place } from '../state/page/address.ts'
import { summary } from '../state/screens/overview-state.ts'
import { stateNow } from './state-now.ts'

/** Announcements come no more often than this, milliseconds. */
const PACE = 15_000

/** Says politely when the regime or the state of the data changes. */
export function Announcer() {
  const said = useSignal('')
  const { word, note } = stateNow()
  const regime = summary.answer.value?.regime.replace('_', ' ')
  const now = [place.value.symbol, regime, word, note].filter((each) => each !== undefined).join(', ')
  const isFirst = said.value === ''
  useEffect(() => {
    const timer = setTimeout(
      () => {
        said.value = now
      },
      isFirst ? 1000 : PACE
    )
    return () => clearTimeout(timer)
  }, [now, isFirst])
  return (
    <p class="hidden" role="status">
      {said.value}
    </p>
  )
}
