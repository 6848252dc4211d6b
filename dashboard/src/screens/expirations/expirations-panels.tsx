import { PainByDate, PainCurve } from '../../charts/pain-chart.tsx'
import { AnswerWords, fileWords } from '../../parts/answer-words.tsx'
import { CardButton } from '../../parts/card-button.tsx'
import { DealerChoice } from '../../parts/dealer-choice.tsx'
import { ExpirationChoice } from '../../parts/expiration-choice.tsx'
import { fixed, level, percent } from '../../parts/format.ts'
import { MethodLink } from '../../parts/method-link.tsx'
import { Contents, Panel, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { shortDate } from '../../state/day/time.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { METRICS } from '../../state/page/place.ts'
import { answer, expiration, METRIC_WORDS, pain, painByDate } from '../../state/screens/expirations-state.ts'
import { MatrixTable } from './matrix-table.tsx'
import '../../style/expirations.css'

/** Max pain and open interest by expiration. */
export function PainByDatePanel() {
  return (
    <Panel
      name="by-date"
      embed="pain"
      title="Open interest and max pain by date"
      method="max-pain"
      of={[painByDate]}
      table={painTable}
      legend={<Legend />}
    >
      <PainByDate />
    </Panel>
  )
}

/** Payout of one expiration at each price. */
export function PainPanel() {
  const date = expiration.value === undefined ? '' : `, ${shortDate(expiration.value)}`
  return (
    <Panel
      name="pain"
      title={`Pain at expiry${date}`}
      method="max-pain"
      of={[pain]}
      table={curveTable}
      legend={<CurveLegend />}
    >
      <div class="pain-body">
        <div class="pain-plot">
          <PainCurve />
        </div>
        <PainFacts />
      </div>
    </Panel>
  )
}

function Legend() {
  return (
    <>
      <i class="swatch grey" />
      open interest <i class="ring magnet" />
      max pain <i class="line dots" />
      spot
    </>
  )
}

function CurveLegend() {
  return (
    <>
      <i class="line call-line" />
      to calls <i class="line put-line" />
      to puts <i class="line" />
      to both
    </>
  )
}

/** One exposure by strike and expiration. */
export function MatrixPanel() {
  const { metric } = place.value
  const { title, unit } = METRIC_WORDS[metric]
  return (
    <section class="panel matrix-panel" aria-label={title} {...stateOf([answer])}>
      <header class="caption">
        <h2>
          <MethodLink method="exposure-matrix">{title}</MethodLink>
        </h2>
        <p class="legend" title="The tint grows with the root">
          <i class="swatch heat" />
          put to call, {unit}
        </p>
        <AnswerWords of={[answer]} />
        <div class="assumed">
          <DealerChoice />
          <ExpirationChoice of={answer} />
        </div>
        <nav class="choices" aria-label="Figure">
          {METRICS.map((each) => (
            <a key={each} href={hrefOf({ metric: each })} aria-current={each === metric ? 'true' : undefined}>
              {METRIC_WORDS[each].name}
            </a>
          ))}
        </nav>
        <PanelMenu
          embed="matrix"
          name={`matrix-${metric}`}
          title={title}
          table={matrixFigures}
          words={fileWords([answer])}
        />
      </header>
      <Contents of={[answer]}>
        <MatrixTable />
      </Contents>
    </section>
  )
}

function PainFacts() {
  const found = pain.answer.value
  return (
    <dl class="pain-facts">
      <div>
        <dt>Max pain</dt>
        <dd>
          <CardButton
            of={found && { card: 'max_pain', set: found.expiration }}
            name="Max pain"
            value={level(found?.max_pain_strike)}
          />
        </dd>
      </div>
      <div>
        <dt>Away</dt>
        <dd>{found === undefined ? '–' : percent((found.max_pain_strike / found.underlying_price - 1) * 100)}</dd>
      </div>
      <div>
        <dt>Pin probability</dt>
        <dd>{percent(found?.pin_probability, 'plain', 0)}</dd>
      </div>
      <div>
        <dt>Put / call OI</dt>
        <dd>{fixed(found?.put_call_oi_ratio, 2)}</dd>
      </div>
    </dl>
  )
}

function matrixFigures() {
  const found = answer.answer.value
  return {
    columns: [`strike (USD); ${METRIC_WORDS[place.value.metric].unit}`, ...(found?.columns ?? []), 'total'],
    rows: (found?.strikes ?? []).map((strike, i) => [strike, ...found!.values[i]!, found!.row_totals[i]!])
  }
}

function painTable() {
  const rows = painByDate.answer.value?.max_pain_by_expiration ?? []
  return {
    columns: ['expiration', 'dte (days)', 'max pain (USD)', 'open interest (contracts)'],
    rows: rows.map((each) => [each.expiration, each.dte, each.max_pain_strike, each.total_oi])
  }
}

function curveTable() {
  const rows = pain.answer.value?.pain_curve ?? []
  return {
    columns: ['strike (USD)', 'call_pain (USD)', 'put_pain (USD)', 'total_pain (USD)'],
    rows: rows.map((each) => [each.strike, each.call_pain, each.put_pain, each.total_pain])
  }
}
