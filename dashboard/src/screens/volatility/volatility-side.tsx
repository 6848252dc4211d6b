import { Fact } from '../../parts/fact.tsx'
import { fixed, level, NONE } from '../../parts/format.ts'
import { Caption, Contents, stateOf } from '../../parts/panel.tsx'
import { shortDate } from '../../state/day/time.ts'
import {
  atTheMoney,
  forecast,
  moves,
  premium,
  realized,
  skew,
  slice,
  surface,
  vix
} from '../../state/screens/volatility-state.ts'
import { CardPlace } from '../card/card-place.tsx'

/** Key figures. Volatility is in percent, differences are in points. */
export function Figures() {
  const shown = slice.value
  const title = shown === undefined ? 'Expiration' : `${shortDate(shown.expiry)}, ${shown.days_to_expiry} days`
  return (
    <section class="panel side" aria-label="Figures" {...stateOf([surface, premium])}>
      <Caption title={title} method="smile" />
      <Contents of={[surface]}>
        <Chosen />
      </Contents>
      <Caption title="Risk premium" method="risk-premium" />
      <Contents of={[premium]}>
        <Premium />
      </Contents>
      <CardPlace>
        <Caption title="Expected move" method="expected-move" />
        <Contents of={[moves]}>
          <Moves />
        </Contents>
        <Flags />
      </CardPlace>
    </section>
  )
}

function Chosen() {
  const shown = slice.value
  const wings = skew.answer.value?.expiries.find(({ expiry }) => expiry === shown?.expiry)
  const swap = surface.answer.value?.variance_swap_fair_values.find(({ expiry }) => expiry === shown?.expiry)
  return (
    <table class="facts">
      <tbody>
        <Fact name="At the money" value={fixed(atTheMoney.value, 2)} note="%" />
        <Fact
          name="25Δ put / call"
          value={`${fixed(wings?.put_25d_iv, 2)} / ${fixed(wings?.call_25d_iv, 2)}`}
          note="%"
        />
        <Fact name="Risk reversal" value={fixed(wings?.risk_reversal_25d, 2)} note="25Δ" />
        <Fact name="Butterfly" value={fixed(wings?.butterfly_25d, 2)} note="25Δ" />
        <Fact name="Forward" value={level(shown?.forward)} />
        <Fact name="Variance swap" value={fixed(swap?.fair_vol, 2)} note="%" />
      </tbody>
    </table>
  )
}

function Premium() {
  const found = premium.answer.value?.vrp
  const past = realized.answer.value?.realized_vol
  const ahead = forecast.answer.value?.garch.forecast?.[0]?.vol_annualized
  return (
    <table class="facts">
      <tbody>
        <Fact name="Implied" of={{ card: 'atm_iv' }} value={fixed(found?.atm_iv, 2)} note="ATM" />
        <Fact name="Realized 20d" value={fixed(past?.rv_20d, 2)} note={fixed(found?.vrp_20d, 2, 'signed')} />
        <Fact name="Realized 60d" value={fixed(past?.rv_60d, 2)} />
        <Fact name="Forecast, 1d" value={fixed(ahead, 2)} note="GARCH" />
        <Fact name="Percentile" value={fixed(found?.percentile, 0)} note={`${found?.history_days ?? NONE} days`} />
        <Fact name="VIX" value={fixed(vix.answer.value?.vix, 2)} note={vix.answer.value?.state} />
      </tbody>
    </table>
  )
}

/** Days for which expected moves are listed: the first expiration at or after each. */
const HORIZONS = [0, 1, 7, 14, 28, 50]

function Moves() {
  const all = moves.answer.value?.expected_moves ?? []
  const found = HORIZONS.map((days) => all.find(({ daysToExpiry }) => daysToExpiry >= days))
  return (
    <table class="facts">
      <tbody>
        {[...new Set(found)].map(
          (each) =>
            each !== undefined && (
              <Fact
                key={each.expiry + each.root}
                name={shortDate(each.expiry)}
                value={`${fixed(each.lowerBound, 1)}\u2009–\u2009${fixed(each.upperBound, 1)}`}
                note={`±${fixed(each.expectedMovePct, 1)}\u2009%`}
              />
            )
        )}
      </tbody>
    </table>
  )
}

/** Most flags to list one by one. */
const MAX_FLAGS = 6

function Flags() {
  const flags = surface.answer.value?.arbitrage_flags ?? []
  const quoted = flags.filter(({ found_in }) => found_in === 'quotes').length
  const count =
    surface.answer.value === undefined
      ? ''
      : flags.length === 0
        ? 'none'
        : `${flags.length - quoted} in the fit, ${quoted} in the quotes`
  return (
    <>
      <Caption title="Arbitrage" method="arbitrage" legend={count} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <ul class="scroll flags" tabIndex={0} aria-label="Arbitrage in the fit and in the quotes">
        {flags.slice(0, MAX_FLAGS).map(({ type, expiry, strike_or_k, description }) => (
          <li key={`${type}${expiry}${strike_or_k}`}>
            <b>{type}</b> {description}
          </li>
        ))}
      </ul>
    </>
  )
}
