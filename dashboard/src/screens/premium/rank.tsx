import { Figure } from '../../parts/figure.tsx'
import { fixed, NONE } from '../../parts/format.ts'
import { Contents, stateOf } from '../../parts/panel.tsx'
import { premium } from '../../state/screens/premium-state.ts'
import { NO_RANK, REGIMES } from './premium-words.ts'

const points = (value: number | null | undefined) => fixed(value, 2, 'signed')

/** The premium, its rank in its own past, and whom it favours. */
export function Rank() {
  const answer = premium.answer.value
  const regime = answer?.regime.vrp_regime
  const { tone, word, meaning } =
    answer === undefined ? { tone: '', word: NONE, meaning: '' } : regime ? REGIMES[regime] : NO_RANK
  return (
    <section class={`regime ${tone}`} aria-label="Rank" {...stateOf([premium])}>
      <p class="word">
        <b>{word}</b>
        <span>{meaning}</span>
      </p>
      <Contents of={[premium]}>
        <Figures />
      </Contents>
    </section>
  )
}

function Figures() {
  const answer = premium.answer.value
  const found = answer?.vrp
  const macro = answer?.macro
  return (
    <dl class="figures" tabIndex={0}>
      <Figure name="Implied" method="implied-volatility" value={fixed(found?.atm_iv, 2)} note="% at the money" />
      <Figure name="Realized" method="realized-volatility" value={fixed(found?.rv_20d, 2)} note="% of 20 days" />
      <Figure
        name="Premium"
        method="risk-premium"
        value={points(found?.vrp_20d)}
        note="points"
        tone={(found?.vrp_20d ?? 0) < 0 ? 'put' : 'call'}
      />
      <Figure
        name="Percentile"
        method="risk-premium"
        value={fixed(found?.percentile, 0)}
        note={`of ${found?.history_days ?? NONE} days`}
      />
      <Figure name="Z-score" method="risk-premium" value={points(found?.z_score)} note="deviations" />
      <Figure
        name="Convexity"
        method="variance-swap"
        value={points(answer?.convexity_premium)}
        note={`variance swap ${fixed(answer?.fair_vol, 2)}`}
      />
      <Figure name="Harvest score" method="risk-premium" value={fixed(answer?.net_harvest_score, 0)} note="of 100" />
      <Figure name="Dealer flow risk" method="risk-premium" value={fixed(answer?.dealer_flow_risk, 0)} note="of 100" />
      <Figure name="VIX" value={fixed(macro?.vix, 2)} note={`3 months ${fixed(macro?.vix_3m, 2)}`} />
    </dl>
  )
}
