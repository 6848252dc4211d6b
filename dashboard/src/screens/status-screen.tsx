import { useEffect } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import { fixed, NONE, short } from '../parts/format.ts'
import { Panel } from '../parts/panel.tsx'
import { stateNow } from '../parts/state-now.ts'
import { moment, tick } from '../state/day/day.ts'
import { clock, dayOf, newYork } from '../state/day/time.ts'
import { account } from '../state/screens/account-state.ts'
import { startAll } from '../state/service/figures.ts'
import { freshness } from '../state/service/freshness.ts'
import { type Health, health, held, isSilent, quality, watchHealth } from '../state/service/health.ts'
import { link } from '../state/stream/stream-state.ts'
import '../style/account.css'

/** Version of the service these pages were built with. */
declare const VERSION: string

const WORDS = { Healthy: 'All is well', Degraded: 'Something lags', Unhealthy: 'Something is broken' } as const

/** Health of the service, the chains it holds, and the stream of this page. */
export default function Status() {
  useEffect(() => watchHealth(), [])
  useEffect(() => startAll([held, account, quality]), [])
  return (
    <main class="status">
      <h1 class="hidden">Status</h1>
      <Service />
      <Checks />
      <Reach />
      <Recorder />
      <Quality />
      <Symbols />
    </main>
  )
}

const tone = (status: Health['status'] | undefined) =>
  status === 'Healthy' ? 'good' : status === 'Degraded' ? 'lags' : status === undefined ? '' : 'broken'

function Service() {
  const status = isSilent.value ? 'Unhealthy' : health.value?.status
  const word = isSilent.value ? 'No answer' : status === undefined ? NONE : WORDS[status]
  return (
    <section class={`regime ${tone(status)}`} aria-label="Service">
      <p class="word">
        <b>{word}</b>
        <span>
          {isSilent.value ? 'The service does not respond; the page keeps trying' : 'as the service judges itself'}
        </span>
      </p>
      <dl class="figures" tabIndex={0}>
        <div class="figure">
          <dt>Source</dt>
          <dd>{freshness.value.source ?? NONE}</dd>
          <dd class="note">of the figures shown</dd>
        </div>
        <div class="figure">
          <dt>Market moment</dt>
          <dd>{moment.value === undefined ? NONE : clock(moment.value)}</dd>
          <dd class="note">{moment.value === undefined ? '' : `${dayOf(newYork(moment.value).slice(0, 10))}, ET`}</dd>
        </div>
        <div class="figure">
          <dt>Symbols loaded</dt>
          <dd>{held.answer.value === undefined ? NONE : held.answer.value.held.length}</dd>
          <dd class="note">in memory</dd>
        </div>
        <div class="figure">
          <dt>Version</dt>
          <dd>{VERSION}</dd>
          <dd class="note">of service and pages</dd>
        </div>
      </dl>
    </section>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  accounts: 'Accounts',
  market_data: 'Market data',
  earnings: 'Earnings',
  history: 'History',
  storage: 'Storage',
  open_interest_estimate: 'Open interest estimate',
  exposure_bands: 'Bands of exposures',
  customer_sides: 'Sides of customers'
}

const nameOf = (name: string) => NAMES[name] ?? name.replaceAll('_', ' ')

function Checks() {
  const checks = health.value?.checks ?? []
  return (
    <section class="panel checks" aria-label="Checks">
      <header class="caption">
        <h2>Checks</h2>
        <p class="legend">each part of itself, every 5 s</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll rows" tabIndex={0}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">State</th>
              <th scope="col">Details</th>
              <th scope="col" class="n wide">
                ms
              </th>
            </tr>
          </thead>
          <tbody>
            {checks.map(({ name, status, duration, details = {} }) => (
              <tr key={name}>
                <th scope="row">{nameOf(name)}</th>
                <td>
                  <span class={`condition ${tone(status)}`}>{status}</span>
                </td>
                <td class="words">{detailText(details)}</td>
                <td class="n wide">{fixed(duration, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {isSilent.value && checks.length === 0 && (
          <Empty way={['What to look at', '/docs/operations']}>The service does not respond.</Empty>
        )}
      </div>
    </section>
  )
}

function detailText(details: NonNullable<Health['checks'][number]['details']>): string {
  return Object.entries(details)
    .map(([name, value]) => {
      const text =
        typeof value === 'object'
          ? Object.entries(value)
              .map((each) => each.join(' '))
              .join(', ')
          : value
      return `${name.replaceAll('_', ' ')}: ${text}`
    })
    .join('; ')
}

const LINKS = {
  off: 'none: the page asks',
  connecting: 'connecting',
  live: 'connected',
  lost: 'lost, connecting again'
} as const

/** Stream and freshness of this page. */
function Reach() {
  const { word, note } = stateNow()
  const stream = account.answer.value?.capabilities.stream
  const { remaining } = freshness.value
  return (
    <Panel name="reach" title="This page" of={[account]}>
      <dl class="lines">
        <Line name="Figures" value={note === undefined ? word : `${word}, ${note}`} />
        <Line name="Stream" value={LINKS[link.value]} />
        <Line
          name="Subscriptions"
          value={stream === null || stream === undefined ? NONE : `${short(stream.used)} of ${short(stream.limit)}`}
        />
        <Line name="Last price streamed" value={tick.value === undefined ? NONE : `${clock(tick.value.moment)} ET`} />
        <Line
          name="Requests left today"
          value={remaining === undefined ? NONE : Number.isFinite(remaining) ? fixed(remaining, 0) : 'no limit'}
        />
      </dl>
    </Panel>
  )
}

function Line({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** Counts of records that the archive wrote, holds back and lost since the start. */
function Recorder() {
  const history = health.value?.checks.find(({ name }) => name === 'history')
  const { written, waiting, lost } = history?.details ?? {}
  const figure = (value: unknown) => (typeof value === 'number' ? fixed(value, 0) : NONE)
  return (
    <section class="panel recorder" aria-label="Recorder">
      <header class="caption">
        <h2>Recorder</h2>
        <p class="legend">since the start</p>
      </header>
      {history !== undefined && written === undefined ? (
        <Empty way={['Record it', '/docs/history']}>
          Nothing is being recorded: --record names the symbols to record.
        </Empty>
      ) : (
        <dl class="lines">
          <Line name="Snapshots written" value={figure(written)} />
          <Line name="Waiting to be written" value={figure(waiting)} />
          <Line name="Dropped" value={figure(lost)} />
        </dl>
      )}
    </section>
  )
}

/** Reasons that lower the quality of the chain behind the figures. */
function Quality() {
  const found = quality.answer.value
  const faults = (found?.checks ?? []).filter(({ deduction }) => deduction > 0)
  return (
    <Panel
      name="quality"
      title="Data"
      method="data-quality"
      of={[quality]}
      legend={found && `${found.symbol}: ${fixed(found.score, 0)} of 100`}
      empty={
        found !== undefined && faults.length === 0 ? 'Every check of this chain passed that could be made.' : undefined
      }
    >
      <dl class="scroll lines" tabIndex={0}>
        {faults.map(({ id, text, deduction }) => (
          <Line key={id} name={text} value={fixed(-deduction, 0)} />
        ))}
      </dl>
    </Panel>
  )
}

/** Age of a full bar, seconds. */
const LONGEST = 60

/** Chains in memory with their ages relative to the newest. */
function Symbols() {
  const rows = held.answer.value?.held ?? []
  const newest = Math.max(...rows.map(({ as_of }) => Date.parse(as_of)))
  return (
    <Panel
      name="held"
      title="Symbols loaded"
      legend="seconds behind the newest of them"
      of={[held]}
      table={heldTable}
      empty={
        held.answer.value !== undefined && rows.length === 0
          ? 'No chain is loaded yet: the first request for a symbol loads it.'
          : undefined
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll ages" tabIndex={0}>
        {rows.map(({ symbol, as_of, is_stale }) => {
          const seconds = (newest - Date.parse(as_of)) / 1000
          return (
            <p key={symbol} class={is_stale ? 'lags' : ''} style={{ '--age': Math.min(1, seconds / LONGEST) }}>
              <b>{symbol}</b>
              <span>{clock(Date.parse(as_of))}</span>
              <i>{is_stale ? 'stale' : `${fixed(seconds, 0)} s`}</i>
            </p>
          )
        })}
      </div>
    </Panel>
  )
}

function heldTable() {
  const rows = held.answer.value?.held ?? []
  return {
    columns: ['symbol', 'as of (UTC)', 'stale'],
    rows: rows.map((each) => [each.symbol, each.as_of, String(each.is_stale)])
  }
}
