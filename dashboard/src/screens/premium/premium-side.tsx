import { Fact } from '../../parts/fact.tsx'
import { fixed, NONE } from '../../parts/format.ts'
import { Caption, Contents, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { correlation, dispersion, premium } from '../../state/screens/premium-state.ts'
import { Basket } from './basket.tsx'
import { STRATEGIES, WARNINGS } from './premium-words.ts'

/** Scores of strategies, the premium by part of the smile, and its correlation. */
export function Side() {
  const { warnings = [] } = premium.answer.value ?? {}
  return (
    <section class="panel side" aria-label="Reading" {...stateOf([premium, correlation, dispersion])}>
      <Caption title="Strategies" method="risk-premium" legend="score of 100">
        <PanelMenu name="strategies" title="Strategies" table={scoresTable} />
      </Caption>
      <Contents of={[premium]}>
        <Scores />
      </Contents>
      <Caption title="By wing" method="risk-premium" legend="25Δ against 20 days" />
      <Contents of={[premium]}>
        <Wings />
      </Contents>
      <Caption title="Spot and volatility" method="spot-vol-correlation" />
      <Contents of={[correlation]}>
        <Correlation />
      </Contents>
      <Basket />
      <Caption
        title="Reading"
        legend={premium.answer.value === undefined || warnings.length > 0 ? '' : 'no warnings'}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll words" tabIndex={0}>
        {warnings.map((each) => (
          <p key={each} class="warning">
            {WARNINGS[each]}
          </p>
        ))}
        <p>{premium.answer.value?.gex_conditioned.interpretation}</p>
        <p>{premium.answer.value?.vanna_conditioned.interpretation}</p>
      </div>
    </section>
  )
}

function Scores() {
  const scores = premium.answer.value?.strategy_scores
  return (
    <table class="facts meters">
      <tbody>
        {STRATEGIES.map(([field, name]) => {
          const score = scores?.[field]
          return (
            <tr key={field}>
              <th scope="row">{name}</th>
              <td>
                <span class="gauge" style={{ '--share': `${score ?? 0}%` }} />
              </td>
              <td class="n">{fixed(score, 0)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Wings() {
  const found = premium.answer.value?.directional
  const side = (implied: number | null | undefined, past: number | null | undefined) =>
    `${fixed(implied, 2)} / ${fixed(past, 2)}`
  return (
    <table class="facts">
      <tbody>
        <Fact
          name="Down"
          value={side(found?.put_wing_iv_25d, found?.downside_rv_20d)}
          note={fixed(found?.downside_vrp, 2, 'signed')}
        />
        <Fact
          name="Up"
          value={side(found?.call_wing_iv_25d, found?.upside_rv_20d)}
          note={fixed(found?.upside_vrp, 2, 'signed')}
        />
      </tbody>
    </table>
  )
}

function Correlation() {
  const found = correlation.answer.value
  return (
    <>
      <table class="facts meters">
        <tbody>
          {(
            [
              ['20 days', found?.spot_vol_correlation_20d],
              ['60 days', found?.spot_vol_correlation_60d]
            ] as const
          ).map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <span class="balance">
                  {typeof value === 'number' && (
                    <i
                      class={value < 0 ? 'put' : 'call'}
                      style={{ [value < 0 ? 'right' : 'left']: '50%', width: `${Math.abs(value) * 50}%` }}
                    />
                  )}
                </span>
              </td>
              <td class="n">{fixed(value, 2, 'signed')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="remark">{found === undefined ? NONE : found.interpretation}</p>
    </>
  )
}

function scoresTable() {
  const answer = premium.answer.value
  return {
    columns: ['strategy', 'score (0 to 100)'],
    rows: [
      ...STRATEGIES.map(([field]) => [field, answer?.strategy_scores?.[field] ?? null]),
      ['net_harvest_score', answer?.net_harvest_score ?? null],
      ['dealer_flow_risk', answer?.dealer_flow_risk ?? null]
    ]
  }
}
