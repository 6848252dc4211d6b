import type { AnswerOf } from 'gammawall/client'
import { UsageByDay } from '../../charts/usage-chart.tsx'
import { fixed, NONE, short } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { dayOf, newYork, shortDate } from '../../state/day/time.ts'
import { brand } from '../../state/page/brand.ts'
import { account } from '../../state/screens/account-state.ts'
import { beToldNoMore } from '../../state/screens/told-browser.ts'
import { signOut } from '../../state/service/sign-in.ts'

type Account = AnswerOf<'/v1/account'>

/** Names of features for readers, by their words in the plan file. */
const FEATURES: readonly (readonly [word: Account['capabilities']['features'][number], name: string])[] = [
  ['etf', 'ETFs'],
  ['index', 'Index symbols'],
  ['full_chain', 'The whole chain at once'],
  ['same_day', 'What expires today'],
  ['svi', 'Fitted volatility'],
  ['full_screen', 'Screens over every symbol'],
  ['replay', 'Replay of the past'],
  ['admin', 'Administration']
]

/** Plan and usage of the signed-in account. */
export function Own() {
  const answer = account.answer.value
  return (
    <Panel name="own" title="This account" of={[account]}>
      <div class="own-body">
        <p class="plan">
          <b>{answer?.plan ?? NONE}</b>
          <span>{answer?.email}</span>
        </p>
        <Use answer={answer} />
        <dl class="lines">
          <div>
            <dt>Key</dt>
            <dd>{answer === undefined ? NONE : `gw_live_…${answer.key_hint}`}</dd>
          </div>
          <div>
            <dt>Figures at most</dt>
            <dd>{answer === undefined ? NONE : agedText(answer.capabilities.freshness_seconds)}</dd>
          </div>
          <div>
            <dt>Streaming</dt>
            <dd>{streamText(answer)}</dd>
          </div>
        </dl>
        <p class="doors">
          {[false, true].map((everywhere) => (
            <button key={everywhere} type="button" class="small" onClick={() => void leave(everywhere)}>
              Sign out{everywhere && ' everywhere'}
            </button>
          ))}
          {brand.signIn !== undefined && (
            <a class="small" href="/session/oidc?link=1">
              {`Link “${brand.signIn}” with this account`}
            </a>
          )}
        </p>
      </div>
    </Panel>
  )
}

/** Signs out, here or everywhere. Browsers that are signed out are told of no alerts any more. */
async function leave(everywhere: boolean): Promise<void> {
  await beToldNoMore(everywhere)
  await signOut(everywhere)
}

function Use({ answer }: { readonly answer: Account | undefined }) {
  const limit = answer === undefined || answer.daily_limit === 'unlimited' ? undefined : Number(answer.daily_limit)
  // Unlimited plans count requests only by day.
  const used = limit === undefined ? answer?.usage_by_day.at(-1)?.requests : answer?.usage_today
  const today = answer === undefined ? undefined : new Date(Date.parse(answer.resets_at) - 1).toISOString().slice(0, 10)
  const isToday = limit !== undefined || answer?.usage_by_day.at(-1)?.date === today
  return (
    <div class="use">
      <p>
        <b>{answer === undefined ? NONE : fixed(isToday ? (used ?? 0) : 0, 0)}</b>{' '}
        {limit === undefined ? 'requests today, without a limit' : `of ${fixed(limit, 0)} requests today`}
      </p>
      {limit !== undefined && (
        <meter min="0" max={limit} value={used} aria-label="Requests today">
          {used}
        </meter>
      )}
      <small>{answer === undefined ? '' : `counted anew ${resetText(answer.resets_at)}`}</small>
    </div>
  )
}

function resetText(resetsAt: string): string {
  const text = newYork(Date.parse(resetsAt))
  return `${dayOf(text.slice(0, 10))} ${text.slice(11, 16)} ET`
}

function agedText(seconds: number): string {
  return seconds >= 60 ? `${fixed(seconds / 60, 0)} min old` : `${fixed(seconds, 0)} s old`
}

function streamText(answer: Account | undefined): string {
  const stream = answer?.capabilities.stream
  if (answer === undefined) return NONE
  if (stream === null || stream === undefined) return 'not included'
  const until = stream.until === null ? '' : `, until ${shortDate(stream.until.slice(0, 10))}`
  return `${short(stream.used)} of ${short(stream.limit)} subscriptions${until}`
}

/** Requests per day. */
export function Days() {
  return (
    <Panel name="days" title="Requests per day" legend="UTC" of={[account]} table={daysTable}>
      <UsageByDay />
    </Panel>
  )
}

/** The features of the plan, and those it lacks. */
export function Opens() {
  const features = account.answer.value?.capabilities.features ?? []
  return (
    <Panel name="opens" title="What the plan includes" of={[account]}>
      <table class="facts">
        <tbody>
          {FEATURES.map(([word, name]) => (
            <tr key={word} class={features.includes(word) ? '' : 'off'}>
              <th scope="row">{name}</th>
              <td class="n">{features.includes(word) ? 'yes' : NONE}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function daysTable() {
  const rows = account.answer.value?.usage_by_day ?? []
  return { columns: ['date (UTC)', 'requests'], rows: rows.map(({ date, requests }) => [date, requests]) }
}
