import { DealerChoice } from '../../parts/dealer-choice.tsx'
import { TodayAlone } from '../../parts/expiration-choice.tsx'
import { Figure } from '../../parts/figure.tsx'
import { fixed, level, NONE, percent, price, range, usd } from '../../parts/format.ts'
import { Contents, stateOf } from '../../parts/panel.tsx'
import { today, zeroDte } from '../../state/screens/overview-state.ts'
import { duration } from '../overview/expiring-today.tsx'

const WORDS = {
  positive_gamma: ['calm', 'Positive gamma today'],
  negative_gamma: ['wild', 'Negative gamma today'],
  undetermined: ['', 'No regime today']
} as const

/** How dealers of today's expiration react to a move, as a word and as figures. */
export function Regime() {
  const found = today.value
  const [tone, word] = found === undefined ? ['', NONE] : WORDS[found.regime.label]
  return (
    <section class={`regime ${tone}`} aria-label="Regime of today" {...stateOf([zeroDte])}>
      <p class="word">
        <b>{word}</b>
        <span>{found?.regime.description}</span>
      </p>
      <div class="assumed">
        <DealerChoice />
        <TodayAlone />
      </div>
      <Contents of={[zeroDte]}>
        <Figures />
      </Contents>
    </section>
  )
}

function Figures() {
  const found = today.value
  const [move, regime, sums] = [found?.expected_move, found?.regime, found?.exposures]
  const [net, flip, sigmas] = [sums?.net_gex, regime?.gamma_flip, regime?.distance_to_flip_sigmas]
  const share = sums?.pct_of_gross_gex
  const left = found === undefined ? NONE : found.expired ? 'Expired' : duration(found.time_to_close_hours)
  return (
    <dl class="figures" tabIndex={0}>
      <Figure name="Time left" value={left} note={found === undefined ? undefined : 'to the close'} />
      <Figure
        name="Net GEX"
        of={{ card: 'net_gex', set: '0dte' }}
        method="gamma-exposure"
        value={usd(net)}
        note={
          share === null || share === undefined
            ? 'per 1 % move'
            : `${fixed(share, 0)}\u2009% of the chain's gross gamma`
        }
        tone={!net ? undefined : net < 0 ? 'put' : 'call'}
      />
      <Figure
        name="0DTE flip"
        of={{ card: 'gamma_flip', set: '0dte' }}
        method="gamma-flip"
        value={level(flip)}
        note={sigmas === null || sigmas === undefined ? undefined : `${fixed(sigmas, 1, 'signed')} σ`}
        tone="flip"
      />
      <Figure
        name="Range left, 1σ"
        of={{ card: 'zero_dte.remaining_1sd_dollars' }}
        method="expected-move"
        value={range(move?.lower_bound, move?.upper_bound)}
        note={
          typeof move?.remaining_1sd_pct === 'number' ? `± ${percent(move.remaining_1sd_pct, 'plain', 2)}` : undefined
        }
      />
      <Figure name="Straddle" method="expected-move" value={price(move?.straddle_price)} note="at the money" />
      <Figure
        name="Theta"
        of={{ card: 'zero_dte.theta_per_hour' }}
        method="zero-dte"
        value={usd(found?.decay.theta_per_hour_remaining)}
        note="an hour"
      />
      <Figure
        name="Charm"
        of={{ card: 'net_chex', set: '0dte' }}
        method="charm-exposure"
        value={usd(sums?.net_chex)}
        note="to the close"
      />
    </dl>
  )
}
