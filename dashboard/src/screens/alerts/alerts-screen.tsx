import { useEffect } from 'preact/hooks'
import { OnceDialog } from '../../parts/once-dialog.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { follow, refusal, secret, tested } from '../../state/screens/alerts-state.ts'
import { Fired } from './fired.tsx'
import { NewAlertPanel } from './new-alert.tsx'
import { Rules } from './rules.tsx'
import '../../style/account.css'
import '../../style/alerts.css'

/** Alerts of the reader, and what has fired. */
export default function Alerts() {
  useEffect(() => follow(), [])
  return (
    <main class="alerts">
      <h1 class="hidden">Alerts</h1>
      <Rules />
      <NewAlertPanel />
      <Fired />
      <OnceDialog
        id="secret"
        title="The secret of the new webhook"
        label="The new secret"
        sentence="Messages to the webhook are signed with it. It is shown only once: if you lose it, create a new one."
        value={secret.value}
        forget={() => {
          secret.value = undefined
        }}
      />
      {refusal.value !== undefined ? (
        <p class="refused" role="alert">
          {sentenceOf(refusal.value)}
        </p>
      ) : (
        tested.value !== undefined && (
          <p class="refused told" role="status">
            {tested.value}
          </p>
        )
      )}
    </main>
  )
}
