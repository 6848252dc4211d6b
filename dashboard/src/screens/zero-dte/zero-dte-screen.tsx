import { useEffect } from 'preact/hooks'
import { trackChart } from '../../charts/track-chart.tsx'
import { ConventionWord } from '../../parts/answer-words.tsx'
import { NONE, usd } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { session } from '../../state/day/day.ts'
import { dayOf } from '../../state/day/time.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { nothingToday, today, zeroDte } from '../../state/screens/overview-state.ts'
import { all, charm, flow, followDay, hedgeFlow, series, theta } from '../../state/screens/zero-dte-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { followWhile } from '../../state/stream/stream-state.ts'
import { Hedging, hedgedNoMore, hedgingTable } from '../overview/hedging-steps.tsx'
import { TrackPanel } from '../track-panel.tsx'
import { Facts, factsTable } from './facts.tsx'
import { Rail } from './zero-dte-rail.tsx'
import { Regime } from './zero-dte-regime.tsx'
import { Stage } from './zero-dte-stage.tsx'
import '../../style/day.css'

const Theta = trackChart({
  of: theta,
  lines: [{ tone: 'put', width: 1.75 }],
  figure: usd,
  label: 'Theta per hour of options that expire today, through the session',
  hasHours: false
})
const Charm = trackChart({
  of: charm,
  lines: [{ tone: 'magnet', width: 1.75 }],
  figure: usd,
  label: 'Net charm to the close of options that expire today, through the session'
})
const HedgeFlow = trackChart({
  of: hedgeFlow,
  lines: [{ tone: 'price', width: 1.75 }, { tone: 'call' }, { tone: 'put', dash: [5, 3] }],
  figure: usd,
  label: 'Estimated dealer hedging, cumulative since the open: all, calls and puts'
})

/** Today's expiration: expected range, pinning, decay, and the hedging they cause. */
export default function ZeroDte() {
  useEffect(() => startAll(all), [])
  useEffect(() => followWhile(followDay), [])
  if (nothingToday.value !== undefined) return <NothingToday />
  return (
    <main class="zero-dte">
      <h1 class="hidden">What expires today of {place.value.symbol}</h1>
      <Regime />
      <Stage />
      <Rail />
      <TrackPanel
        name="decay"
        title="Decay"
        method="zero-dte"
        of={series}
        tracks={[
          { of: theta, columns: 'theta an hour (USD)', chart: Theta },
          { of: charm, columns: 'net charm (USD to the close)', chart: Charm }
        ]}
        none="No minute of this session was recorded with options that expire today."
        actions={<ConventionWord of="charm" />}
        legend={
          <>
            <i class="line put-line" />
            theta/h <i class="line gold" />
            charm left
          </>
        }
      />
      <TrackPanel
        name="hedge-flow"
        title="Hedge flow"
        method="hedge-flow"
        of={flow}
        tracks={[{ of: hedgeFlow, columns: 'all, calls, puts (USD since the open)', chart: HedgeFlow }]}
        none="No trades of today are known."
        legend={
          <>
            <i class="line" />
            all <i class="line call-line" />
            calls <i class="line put-line dashes" />
            puts
          </>
        }
      />
      <Panel
        name="hedging"
        title="Dealer hedges if spot moves"
        method="hedging"
        of={[zeroDte]}
        empty={hedgedNoMore(today.value)}
        table={() => hedgingTable(today.value)}
      >
        <Hedging />
      </Panel>
      <Panel name="day-facts" title="Volume, liquidity, volatility" method="zero-dte" of={[zeroDte]} table={factsTable}>
        <Facts />
      </Panel>
    </main>
  )
}

/** A day without an expiration: names the next one and, in replay, the previous session. */
function NothingToday() {
  const next = nothingToday.value?.next_zero_dte_expiry
  const before = session.answer.value?.previous_date
  return (
    <main class="zero-dte nothing">
      <h1 class="hidden">What expires today of {place.value.symbol}</h1>
      <section class="panel" aria-label="Nothing expires today">
        <div class="empty">
          <p>{nothingToday.value?.message}</p>
          <p>
            Next expiration: <b>{next === null || next === undefined ? NONE : dayOf(next)}</b>
          </p>
          {before !== undefined && (
            <p>
              <a href={hrefOf({ at: `${before}T15:30:00` })}>Replay the session before, {dayOf(before)}</a>
            </p>
          )}
        </div>
      </section>
    </main>
  )
}
