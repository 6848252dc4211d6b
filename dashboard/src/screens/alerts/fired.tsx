import { Empty } from '../../parts/empty.tsx'
import { Caption } from '../../parts/panel.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { type AlertEvent, events, refusal } from '../../state/screens/alerts-state.ts'
import { inWords } from '../../state/screens/metric-names.ts'
import { momentText } from './moment-text.ts'
import { NotificationSwitch } from './notification-switch.tsx'

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
    <section class="panel fired" aria-label="Fired" aria-busy={list === undefined && refusal.value === undefined}>
      <Caption title="Fired" legend="in the last 30 days">
        <NotificationSwitch />
      </Caption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll rows" tabIndex={0}>
        {list === undefined && refusal.value !== undefined ? (
          <Empty code={refusal.value.code}>{sentenceOf(refusal.value)}</Empty>
        ) : list?.length === 0 ? (
          <Empty way={['What can be watched', '/docs/alerts']}>Nothing has fired yet.</Empty>
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
