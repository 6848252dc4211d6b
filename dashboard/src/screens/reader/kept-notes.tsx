import { useEffect } from 'preact/hooks'
import { sentenceOf } from '../../parts/sentences.ts'
import { areStepsOpen } from '../../state/page/first-steps.ts'
import { changeSettings, settings } from '../../state/page/settings.ts'
import { conflict, followKept, isNewReader, keptTrouble } from '../../state/service/kept.ts'

/** Has the service keep what the reader chooses, and says what stands in the way; to a new reader also how to begin. */
export default function KeptNotes() {
  useEffect(() => followKept(), [])
  const met = conflict.value
  if (met !== undefined)
    return (
      <p class="banner" role="status">
        {met.name} were changed on another device too.
        <button type="button" class="link" onClick={met.keepMine}>
          Keep mine
        </button>
        <button type="button" class="link" onClick={met.takeTheirs}>
          Take theirs
        </button>
      </p>
    )
  if (keptTrouble.value !== undefined)
    return (
      <p class="banner" role="status">
        Your last choice is kept in this browser alone. {sentenceOf(keptTrouble.value)}
        <button
          type="button"
          class="link"
          onClick={() => {
            keptTrouble.value = undefined
          }}
        >
          Close
        </button>
      </p>
    )
  if (isNewReader.value !== true || settings.value.steps === 'done') return null
  return (
    <p class="banner welcome" role="status">
      New here? Three short steps: what you trade, where you chart, what should wake you.
      <button
        type="button"
        class="link"
        onClick={() => {
          areStepsOpen.value = true
        }}
      >
        Begin
      </button>
      <button type="button" class="link" onClick={() => changeSettings({ steps: 'done' })}>
        Not now
      </button>
    </p>
  )
}
