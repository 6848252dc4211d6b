import { Empty } from '../../parts/empty.tsx'
import { NONE, percent, short } from '../../parts/format.ts'
import { Caption } from '../../parts/panel.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { SureButton } from '../../parts/sure-button.tsx'
import { at, hrefOf } from '../../state/page/address.ts'
import {
  type Alert,
  alerts,
  refusal,
  removeAlert,
  setState,
  type Target,
  testAlert
} from '../../state/screens/alerts-state.ts'
import { nameOf } from '../../state/screens/metric-names.ts'
import { momentText } from './moment-text.ts'

const WORDS: Readonly<Record<Alert['condition'], string>> = {
  above: 'above',
  below: 'below',
  crosses: 'crosses',
  changes_by: 'changes by'
}

/** All alerts with their current values. */
export function Rules() {
  const list = alerts.value
  return (
    <section class="panel rules" aria-label="Alerts" aria-busy={list === undefined && refusal.value === undefined}>
      <Caption
        title="Alerts"
        legend={at.value === undefined ? undefined : 'of the live market, whatever moment is shown'}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll rows" tabIndex={0}>
        {list === undefined && refusal.value !== undefined ? (
          <Empty code={refusal.value.code}>{sentenceOf(refusal.value)}</Empty>
        ) : list?.length === 0 ? (
          <Empty way={['Draw one in the chart', hrefOf({ screen: 'overview' })]}>
            No alerts yet. Set one here: the service watches it even when no page is open.
          </Empty>
        ) : (
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Watches</th>
                <th scope="col">Fires when</th>
                <th scope="col" class="n">
                  Now
                </th>
                <th scope="col" class="n wide">
                  Away
                </th>
                <th scope="col">State</th>
                <th scope="col" class="n wide">
                  Fired
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {(list ?? []).map((alert) => (
                <Row key={alert.id} of={alert} />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  )
}

function Row({ of: alert }: { readonly of: Alert }) {
  const { id, symbol, metric, condition, value, note, webhook, state, last_value: last } = alert
  const name = `${symbol} ${nameOf(metric)} ${WORDS[condition]} ${textOf(value)}`
  return (
    <tr class={state === 'armed' ? '' : 'off'}>
      <th scope="row">
        <b>{symbol}</b> <span title={metric}>{nameOf(metric)}</span>
        {note !== null && <small>{note}</small>}
      </th>
      <td>
        {WORDS[condition]}{' '}
        <span class="target" title={typeof value === 'number' ? undefined : value.metric}>
          {textOf(value)}
        </span>
        <small class="block">
          {alert.repeat === 'once' ? 'once' : 'each time'}
          {webhook !== null && `, to ${new URL(webhook.url).host}`}
        </small>
      </td>
      <td class="n now">{figure(last)}</td>
      <td class="n wide">{awayOf(alert)}</td>
      <td class="standing">
        <span class={state === 'paused' ? 'condition lags' : 'condition'}>{state}</span>
        {alert.paused_because !== null && <small class="block">{alert.paused_because}</small>}
      </td>
      <td class="n wide">
        {alert.fired_count}
        {alert.last_fired_at !== null && <small class="block">{momentText(alert.last_fired_at)}</small>}
      </td>
      <td class="n acts">
        <span class="pair">
          {webhook !== null && (
            <button
              type="button"
              class="small"
              aria-label={`Test the webhook of ${name}`}
              onClick={() => void testAlert(alert)}
            >
              Test
            </button>
          )}
          <button
            type="button"
            class="small"
            aria-label={`${state === 'armed' ? 'Pause' : 'Arm'} ${name}`}
            onClick={() => void setState(id, state === 'armed' ? 'paused' : 'armed')}
          >
            {state === 'armed' ? 'Pause' : 'Arm'}
          </button>
          <SureButton name="Remove" of={name} act={() => void removeAlert(id)} />
        </span>
      </td>
    </tr>
  )
}

/** Number format for any unit: prices with cents, large amounts short. */
function figure(value: number | null): string {
  if (value === null) return NONE
  return Math.abs(value) < 1e5 ? value.toLocaleString('en-US', { maximumFractionDigits: 2 }) : short(value)
}

const textOf = (value: Target) => (typeof value === 'number' ? figure(value) : nameOf(value.metric))

/** Distance of a value from its target, percent of the value; empty if it has no meaning. */
function awayOf({ condition, value, last_value: last }: Alert): string {
  if (condition === 'changes_by' || typeof value !== 'number' || value === 0 || last === null || last === 0) return NONE
  return percent((value / last - 1) * 100, 'signed', 2)
}
