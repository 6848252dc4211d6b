import { useSignal } from '@preact/signals'
import { Caption } from '../../parts/panel.tsx'
import { type AlertEvent, canNotify, events } from '../../state/screens/alerts-state.ts'
import { inWords } from '../../state/screens/metric-names.ts'
import { momentText } from './moment-text.ts'

const WORDS: Readonly<Record<AlertEvent['delivery'], string>> = {
  none: 'here',
  waiting: 'on its way',
  delivered: 'delivered',
  given_up: 'given up'
}

/** Fired alerts of the last thirty days, newest first. */
export function Fired() {
  const list = events.value
  return (
    <section class="panel fired" aria-label="Fired" aria-busy={list === undefined}>
      <Caption title="Fired" legend="in the last 30 days">
        <NotificationSwitch />
      </Caption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll rows" tabIndex={0}>
        {list?.length === 0 ? (
          <p class="empty">Nothing has fired yet.</p>
        ) : (
          <table class="list">
            <thead>
              <tr>
                <th scope="col">When, ET</th>
                <th scope="col">What happened</th>
                <th scope="col">Webhook</th>
              </tr>
            </thead>
            <tbody>
              {(list ?? []).map(({ id, at, text, delivery, attempts, failure }) => (
                <tr key={id}>
                  <td class="when">{momentText(at)}</td>
                  <td>{inWords(text)}</td>
                  <td>
                    {WORDS[delivery]}
                    {attempts > 1 && <small> after {attempts} tries</small>}
                    {failure !== null && <small class="block">{failure}</small>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  )
}

/** Switch for notifications of the browser. */
function NotificationSwitch() {
  const permission = useSignal(canNotify() ? Notification.permission : 'unsupported')
  if (permission.value === 'granted') return <p class="legend end">The browser notifies you while a page is open</p>
  if (permission.value === 'denied') return <p class="legend end">Notifications are blocked in this browser</p>
  if (permission.value === 'unsupported') return null
  const ask = async () => {
    permission.value = await Notification.requestPermission()
  }
  return (
    <button type="button" class="small end" onClick={() => void ask()}>
      Notify me while this page is open
    </button>
  )
}
