import { useEffect } from 'preact/hooks'
import { fixed } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { Upgrade } from '../../parts/upgrade.tsx'
import { hrefOf, place } from '../../state/page/address.ts'
import { all, opened, ranked, SIGNAL_NAMES, signals } from '../../state/screens/ideas-state.ts'
import { calendar } from '../../state/screens/screener-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { Calendar } from '../screener/earnings-calendar.tsx'
import { IdeaPanel } from './idea-panel.tsx'
import { IdeasTabs } from './ideas-tabs.tsx'
import { ReportPanel } from './report-panel.tsx'
import '../../style/screener.css'
import '../../style/ideas.css'

/** Signals of strategies with their reasons, and the reports of companies. */
export default function Ideas() {
  useEffect(() => startAll([...all, calendar]), [])
  const name = opened.value
  return (
    <main class="ideas">
      <h1 class="hidden">Ideas about {place.value.symbol}</h1>
      <IdeasTabs />
      <Panel
        name="signals"
        title="What the market pays for"
        method="strategy-signals"
        of={signals.slice(0, 1).map(({ found }) => found)}
        table={signalTable}
      >
        <Signals />
      </Panel>
      {name === 'report' ? <ReportPanel /> : <IdeaPanel key={name} name={name} />}
      <Calendar linksTo={{ screen: 'ideas', idea: 'report' }} />
    </main>
  )
}

const DECISIONS = {
  candidate: 'Candidate',
  neutral: 'Neutral',
  avoid: 'Avoid',
  insufficient_data: 'Too little data'
} as const

function Signals() {
  const open = opened.value
  return (
    <ul class="scroll idea-list">
      {ranked.value.map(({ name, answer, trouble }) => (
        <li key={name}>
          <a href={hrefOf({ idea: name })} aria-current={open === name ? 'true' : undefined}>
            <b>{SIGNAL_NAMES[name]}</b>
            {answer !== undefined && (
              <span class={`decision ${answer.decision}`}>
                {DECISIONS[answer.decision]} <small>{fixed(answer.score, 0)}</small>
              </span>
            )}
            <span class="because">{answer?.why[0] ?? (trouble === undefined ? 'Loading.' : sentenceOf(trouble))}</span>
          </a>
          {trouble?.code === 'tier_restricted' && answer === undefined && <Upgrade />}
        </li>
      ))}
      <li>
        <a href={hrefOf({ idea: 'report' })} aria-current={open === 'report' ? 'true' : undefined}>
          <b>Earnings report</b>
          <span class="because">Implied against past moves, volatility after it, dealers, structures.</span>
        </a>
      </li>
    </ul>
  )
}

function signalTable() {
  return {
    columns: ['signal', 'decision', 'score', 'confidence', 'regime', 'why'],
    rows: ranked.value.map(({ name, answer }) => [
      name,
      answer?.decision ?? null,
      answer?.score ?? null,
      answer?.confidence ?? null,
      answer?.regime ?? null,
      answer?.why.join(' ') ?? null
    ])
  }
}
