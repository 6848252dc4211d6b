import { DealerChoice } from '../../parts/dealer-choice.tsx'
import { ExpirationChoice } from '../../parts/expiration-choice.tsx'
import { Figure } from '../../parts/figure.tsx'
import { fixed, level, percent, usd } from '../../parts/format.ts'
import { Contents, stateOf } from '../../parts/panel.tsx'
import { spot } from '../../state/day/day.ts'
import { summary } from '../../state/screens/overview-state.ts'

const WORDS = {
  positive_gamma: ['calm', 'Positive gamma', 'Dealers sell rallies and buy dips: moves are dampened'],
  negative_gamma: ['wild', 'Negative gamma', 'Dealers buy rallies and sell dips: moves are amplified'],
  undetermined: ['', 'No regime', 'Net gamma is zero or unknown']
} as const

/** How dealers react to a move, as a word and as figures. */
export function Regime() {
  const answer = summary.answer.value
  const [tone, word, meaning] = answer === undefined ? ['', '–', ''] : WORDS[answer.regime]
  return (
    <section class={`regime ${tone}`} aria-label="Regime" {...stateOf([summary])}>
      <p class="word">
        <b>{word}</b>
        <span>{meaning}</span>
      </p>
      <div class="assumed">
        <DealerChoice />
        <ExpirationChoice of={summary} />
      </div>
      <Contents of={[summary]}>
        <Figures />
      </Contents>
    </section>
  )
}

function Figures() {
  const answer = summary.answer.value
  const flip = answer?.gamma_flip
  const away =
    flip === null || flip === undefined || spot.value === undefined ? undefined : (flip / spot.value - 1) * 100
  const net = answer?.exposures
  const hedge = answer?.hedging_estimate?.spot_up_1pct
  // The service answers vanna per 1.00 of volatility; the page shows it per point.
  const vexPerPoint = net === undefined ? undefined : net.net_vex / 100
  const share = answer?.zero_dte?.pct_of_gross_gex
  const isOfAll = summary.set.value === undefined || summary.set.value === 'all'
  return (
    <dl class="figures" tabIndex={0}>
      <Figure
        name="Net GEX"
        of={{ card: 'net_gex' }}
        method="gamma-exposure"
        value={usd(net?.net_gex)}
        note="per 1 % move"
        tone={(net?.net_gex ?? 0) < 0 ? 'put' : 'call'}
      />
      <Figure
        name="Gamma flip"
        of={{ card: 'gamma_flip' }}
        method="gamma-flip"
        value={level(flip)}
        note={away === undefined ? undefined : `${percent(away)} away`}
        tone="flip"
      />
      <Figure
        name="Hedge, +1 %"
        method="hedging"
        value={usd(hedge?.notional_usd)}
        note={hedge === undefined ? undefined : `dealers ${hedge.direction.toLowerCase()}`}
      />
      <Figure
        name="Net DEX"
        of={{ card: 'net_dex' }}
        method="delta-exposure"
        value={usd(net?.net_dex)}
        note="delta, notional"
      />
      <Figure
        name="Net VEX"
        of={{ card: 'net_vex' }}
        method="vanna-exposure"
        value={usd(vexPerPoint)}
        note="per vol point"
      />
      <Figure
        name="Net CHEX"
        of={{ card: 'net_chex' }}
        method="charm-exposure"
        value={usd(net?.net_chex)}
        note="a day; 0DTE to the close"
      />
      <Figure
        name="0DTE share"
        method="zero-dte"
        value={share === null || share === undefined ? '–' : `${fixed(share, 0)}\u2009%`}
        note={isOfAll ? 'of gross gamma' : 'of all gross gamma'}
      />
    </dl>
  )
}
