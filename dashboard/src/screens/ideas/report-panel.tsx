import type { ComponentChildren } from 'preact'
import { Fact } from '../../parts/fact.tsx'
import { fixed, level, NONE, percent } from '../../parts/format.ts'
import { Contents, Panel, type Shown } from '../../parts/panel.tsx'
import { dayOf } from '../../state/day/time.ts'
import { at, place } from '../../state/page/address.ts'
import {
  reportCrush,
  reportDealers,
  reportHistory,
  reportMove,
  reportPremium,
  reportScores
} from '../../state/screens/ideas-state.ts'
import { TIMINGS } from '../screener/earnings-calendar.tsx'

const plain = (value: number | null | undefined) => percent(value, 'plain')

/** The next report of a company: what options price for it, and what earlier ones brought. */
export function ReportPanel() {
  const next = reportMove.answer.value
  return (
    <Panel
      name="idea"
      title={`Report of ${place.value.symbol}`}
      method="earnings"
      of={[reportMove]}
      legend={
        next &&
        `${dayOf(next.earnings_date)}${next.session === null ? '' : `, ${TIMINGS[next.session]}`}, in ${next.days_to_event} days`
      }
      empty={at.value !== undefined ? 'Reports are known for the present only.' : undefined}
      table={historyTable}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll words" tabIndex={0}>
        <div class="report">
          <Move />
          <Premium />
          <Crush />
          <Dealers />
          <Scores />
        </div>
        <h3>Past reports</h3>
        <Contents of={[reportHistory]}>
          <Past />
        </Contents>
      </div>
    </Panel>
  )
}

interface FactsProps {
  readonly title: string
  readonly note?: string | undefined
  readonly of: Shown
  readonly children: ComponentChildren
}

/** Facts from one answer about the report. */
function Facts({ title, note, of, children }: FactsProps) {
  return (
    <section>
      <h3>
        {title} {note !== undefined && <small>{note}</small>}
      </h3>
      <Contents of={[of]}>
        <table class="facts">
          <tbody>{children}</tbody>
        </table>
      </Contents>
    </section>
  )
}

const inWords = (word: string | undefined) => word?.replaceAll('_', ' ')

function Move() {
  const move = reportMove.answer.value?.expected_move
  return (
    <Facts title="Priced" of={reportMove}>
      <Fact name="The report alone" value={`±${plain(move?.earnings_implied_pct)}`} />
      <Fact name="To the first expiration" value={`±${plain(move?.raw_straddle_pct)}`} />
      <Fact name="Everyday part" value={`±${plain(move?.baseline_drift_pct)}`} />
      <Fact name="Volatility before it" value={fixed(move?.earnings_iv, 1)} />
      <Fact name="Of the expiration behind" value={fixed(move?.term_iv_post_event, 1)} />
    </Facts>
  )
}

function Premium() {
  const { earnings_vrp: found, surprise_reaction: after } = reportPremium.answer.value ?? {}
  return (
    <Facts title="Against the past" note={inWords(found?.assessment)} of={reportPremium}>
      <Fact name="Usual move" value={`±${plain(found?.realized_median)}`} note="median" />
      <Fact name="Priced over usual" value={fixed(found?.premium_ratio, 2)} />
      <Fact name="Past moves below" value={plain(found?.percentile)} />
      <Fact name="After a beat" value={percent(after?.beat_avg_move_pct)} />
      <Fact name="After a miss" value={percent(after?.miss_avg_move_pct)} />
    </Facts>
  )
}

function Crush() {
  const { current_estimate: now, distribution } = reportCrush.answer.value ?? {}
  return (
    <Facts title="Volatility after it" of={reportCrush}>
      <Fact name="Priced to fall by" value={plain(now?.expected_crush_pct)} />
      <Fact name="Fell by" value={plain(distribution?.median)} note="median" />
      <Fact name="A quarter by less than" value={plain(distribution?.p25)} />
      <Fact name="A quarter by more than" value={plain(distribution?.p75)} />
    </Facts>
  )
}

function Dealers() {
  const { levels, regime } = reportDealers.answer.value ?? {}
  return (
    <Facts title="Dealers then" note={inWords(regime)} of={reportDealers}>
      <Fact name="Call wall" value={level(levels?.call_wall)} />
      <Fact name="Gamma flip" value={level(levels?.gamma_flip)} />
      <Fact name="Put wall" value={level(levels?.put_wall)} />
      <Fact name="Most interest" value={level(levels?.highest_oi_strike)} />
    </Facts>
  )
}

const STRUCTURES = [
  ['long_straddle', 'Long straddle'],
  ['short_strangle', 'Short strangle'],
  ['iron_condor', 'Iron condor'],
  ['calendar_spread', 'Calendar spread'],
  ['earnings_diagonal', 'Diagonal']
] as const

function Scores() {
  const scores = reportScores.answer.value?.scores
  return (
    <Facts title="Structures" note="score of 100" of={reportScores}>
      {STRUCTURES.map(([field, name]) => (
        <Fact key={field} name={name} value={fixed(scores?.[field], 0)} />
      ))}
    </Facts>
  )
}

function Past() {
  return (
    <table class="list">
      <thead>
        <tr>
          {['Date', 'Surprise', 'Priced', 'Moved', 'Volatility'].map((name, i) => (
            <th key={name} scope="col" class={i > 0 ? 'n' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(reportHistory.answer.value?.history ?? []).map((row) => (
          <tr key={row.date}>
            <th scope="row">{row.date}</th>
            <td class="n">{percent(row.eps_surprise_pct)}</td>
            <td class="n">{row.implied_move_pct === null ? NONE : `±${plain(row.implied_move_pct)}`}</td>
            <td class="n">{percent(row.actual_move_pct)}</td>
            <td class="n">{row.iv_crush_pct === null ? NONE : percent(-row.iv_crush_pct)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function historyTable() {
  return {
    columns: ['date', 'eps_surprise (%)', 'implied_move (%)', 'actual_move (%)', 'iv_crush (%)'],
    rows: (reportHistory.answer.value?.history ?? []).map((row) => [
      row.date,
      row.eps_surprise_pct,
      row.implied_move_pct,
      row.actual_move_pct,
      row.iv_crush_pct
    ])
  }
}
