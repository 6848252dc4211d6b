import type { ComponentChildren } from 'preact'
import { trackChart } from '../../charts/track-chart.tsx'
import { CardButton } from '../../parts/card-button.tsx'
import { percent, usd } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import type { Table } from '../../parts/panel-menu.tsx'
import { clock, dayOf, newYork } from '../../state/day/time.ts'
import type { Track } from '../../state/day/track.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import type { CardFigure } from '../../state/page/card-figure.ts'
import { SCOPES, SECOND_GREEKS } from '../../state/page/place.ts'
import {
  delta,
  deltaTrack,
  deltaUsual,
  facts,
  isUntraded,
  pressures,
  SIZES,
  secondTrack,
  secondUsual,
  sizeTrack,
  type Usual
} from '../../state/screens/pressure-state.ts'
import { TOO_LITTLE } from '../track-panel.tsx'

const SCOPE_WORDS = { all: 'all', next: 'next', '0dte': '0DTE', rest: 'rest' } as const
/** Figures of the delta that are kept, by the expirations that they are of. */
const DELTAS: Readonly<Partial<Record<(typeof SCOPES)[number], CardFigure>>> = {
  all: { card: 'flow.hedge.delta' },
  next: { card: 'flow.hedge.delta_next' }
}
const UNITS = { gamma: 'per 1 %', vega: 'per vol point' } as const
const SIZE_WORDS = { small: 'to 10', medium: 'to 99', large: 'from 100' } as const

const Delta = trackChart({
  of: deltaTrack,
  usual: deltaUsual,
  lines: [{ tone: 'price', width: 1.75 }, { tone: 'call' }, { tone: 'put', dash: [5, 3] }],
  figure: usd,
  label: () => `Delta that dealers have to trade by estimate, ${scopeText()}, since the open: all, calls and puts`
})
const Second = trackChart({
  of: secondTrack,
  usual: secondUsual,
  lines: [{ tone: 'magnet', width: 1.75 }],
  figure: usd,
  label: () => `${nameOf(place.value.greek)} that customers bought by estimate, ${scopeText()}, since the open`
})

/** The chosen expirations. */
function scopeText(): string {
  const { next } = facts.value
  if (place.value.scope === 'next' && next !== undefined) return `expiring ${dayOf(next)}`
  return { all: 'all expirations', next: 'the next expiration', '0dte': 'expiring today', rest: 'expiring later' }[
    place.value.scope
  ]
}

const nameOf = (greek: string) => `${greek[0]!.toUpperCase()}${greek.slice(1)}`

/** Panel of the hedging that prints ask of dealers, by expiration, right and size of print. */
export function Pressure() {
  const { scope, greek } = place.value
  return (
    <Panel
      name="pressure"
      title="Hedging pressure"
      method="hedging-pressure"
      of={pressures}
      empty={emptyOf(deltaTrack.value.times.length)}
      table={table}
      legend={
        <>
          {scopeText()}, since the open <i class="line" />
          all <i class="line call-line" />
          calls <i class="line put-line dashes" />
          puts
        </>
      }
      actions={
        <nav class="choices" aria-label="Expirations">
          {SCOPES.map((each) => (
            <a key={each} href={hrefOf({ scope: each })} aria-current={each === scope ? 'true' : undefined}>
              {SCOPE_WORDS[each]}
            </a>
          ))}
        </nav>
      }
    >
      <div class="pressures">
        <Half
          name="Delta"
          of={DELTAS[scope]}
          track={deltaTrack.value}
          usual={deltaUsual.value}
          sense="above 0 dealers buy"
          chart={Delta}
        />
        <Half
          name={nameOf(greek)}
          of={scope === 'all' ? { card: `flow.hedge.${greek}` } : undefined}
          track={secondTrack.value}
          usual={secondUsual.value}
          unit={UNITS[greek]}
          sense="above 0 customers bought"
          chart={Second}
        >
          <nav class="choices" aria-label="Second measure">
            {SECOND_GREEKS.map((each) => (
              <a key={each} href={hrefOf({ greek: each })} aria-current={each === greek ? 'true' : undefined}>
                {each}
              </a>
            ))}
          </nav>
        </Half>
        <div class="by-size">
          <Sizes />
          <Notes />
        </div>
      </div>
    </Panel>
  )
}

/** Why there is no picture. `count`: moments of the session that are known. */
function emptyOf(count: number): string | undefined {
  if (delta.answer.value === undefined) return undefined
  if (count > 0 && !isUntraded.value) return count === 1 ? TOO_LITTLE : undefined
  return place.value.scope === '0dte'
    ? 'No trades today in options that expire today while greeks were known.'
    : 'No trades yet while greeks were known.'
}

interface HalfProps {
  readonly name: string
  readonly track: Track
  readonly usual: Usual | undefined
  readonly unit?: string
  /** The figure whose card the newest value opens. */
  readonly of: CardFigure | undefined
  /** Says what its sign means. */
  readonly sense: string
  readonly chart: () => ComponentChildren
  readonly children?: ComponentChildren
}

/** A chart under its newest value and what is usual. */
function Half({ name, track, usual, unit, of, sense, chart: Chart, children }: HalfProps) {
  return (
    <div class="half">
      <div class="now">
        <p>
          <b>
            {name} <CardButton of={of} name={name} value={usd(track.lines[0]!.at(-1), 'signed')} />
          </b>{' '}
          {unit} <small>{sense}</small>
        </p>
        {children}
        {usual !== undefined && (
          <small class="usual">
            <i /> usual at this time: {usd(usual.low)} to {usd(usual.high)}, median {usd(usual.median)}, of{' '}
            {usual.sessions} sessions
          </small>
        )}
      </div>
      <div class="track">
        <Chart />
      </div>
    </div>
  )
}

/** Delta since the open by size of print, positive to the right. */
function Sizes() {
  const sums = SIZES.map((_, i) => sizeTrack.value.lines[i + 1]!.at(-1))
  const most = Math.max(1, ...sums.map((sum) => Math.abs(sum ?? 0)))
  return (
    <table class="hedges">
      <caption>Delta by contracts of a print</caption>
      <tbody>
        {SIZES.map((each, i) => (
          <tr key={each}>
            <th scope="row">
              {each} <small>{SIZE_WORDS[each]}</small>
            </th>
            <td class="bar">
              <i
                class={(sums[i] ?? 0) < 0 ? 'sell' : 'buy'}
                style={{ width: `${(Math.abs(sums[i] ?? 0) / most) * 50}%` }}
              />
            </td>
            <td class="n">{usd(sums[i])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Notes() {
  const { sidedShare, began } = facts.value
  return (
    <p class="notes">
      {sidedShare !== undefined && (
        <span>{percent(sidedShare * 100, 'plain', 0)} of contracts with a known side. </span>
      )}
      {began !== undefined && <span>Counts from {clock(began)}.</span>}
    </p>
  )
}

function table(): Table {
  const beside = secondTrack.value
  const { greek } = place.value
  const bySize = new Map(sizeTrack.value.times.map((time, i) => [time, i]))
  const bySecond = new Map(beside.times.map((time, i) => [time, beside.lines[0]![i]]))
  return {
    columns: [
      'New York',
      `delta (USD since the open, ${scopeText()})`,
      'calls',
      'puts',
      ...SIZES.map((each) => `${each} prints`),
      `${greek} (USD ${UNITS[greek]}, since the open)`
    ],
    rows: deltaTrack.value.times.map((time, i) => [
      newYork(time),
      ...deltaTrack.value.lines.map((line) => line[i] ?? null),
      ...sizeTrack.value.lines.slice(1).map((line) => line[bySize.get(time) ?? -1] ?? null),
      bySecond.get(time) ?? null
    ])
  }
}
