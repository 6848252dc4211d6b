import { Smile } from '../../charts/smile-chart.tsx'
import { SurfacePlot } from '../../charts/surface-chart.tsx'
import { SkewByExpiration, TermStructure } from '../../charts/terms-chart.tsx'
import { Panel } from '../../parts/panel.tsx'
import { shortDate } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import { dots, previousSurface, quotes, skew, slice, surface } from '../../state/screens/volatility-state.ts'
import '../../style/volatility.css'

/** Smile of one expiration with its quotes, and its neighbours. */
export function SmilePanel() {
  const { compare } = place.value
  return (
    <Panel
      name="smile"
      embed="smile"
      title="Smile"
      method="svi"
      of={[surface, quotes]}
      table={smileTable}
      legend={<SmileLegend />}
      actions={
        <button
          type="button"
          class="toggle"
          aria-pressed={compare}
          title="Compare with the previous session (c)"
          onClick={() => turn({ compare: !compare })}
        >
          1d
        </button>
      }
    >
      <Smile />
      {compare && previousSurface.trouble.value !== undefined && (
        <p class="note-low">The previous session was not recorded.</p>
      )}
    </Panel>
  )
}

export function SurfacePanel() {
  const isHeat = place.value.surface === 'heat'
  return (
    <Panel
      name="surface"
      embed="surface"
      title="Surface"
      method="surface"
      of={[surface]}
      table={surfaceTable}
      legend={isHeat ? 'moneyness by time' : 'moneyness × time, drag to turn'}
      actions={
        <button
          type="button"
          class="toggle"
          aria-pressed={isHeat}
          title="As a solid or as a heat map (h)"
          onClick={() => turn({ surface: isHeat ? 'solid' : 'heat' })}
        >
          ▦
        </button>
      }
    >
      <SurfacePlot />
    </Panel>
  )
}

/** At-the-money volatility by time. */
export function TermPanel() {
  return (
    <Panel
      name="term"
      embed="terms"
      title="Term structure"
      method="variance-swap"
      of={[surface]}
      table={termTable}
      legend={
        <>
          <i class="line" />
          at the money <i class="line dash" />
          variance swap
        </>
      }
    >
      <TermStructure />
    </Panel>
  )
}

/** Skew of each expiration. */
export function SkewPanel() {
  return (
    <Panel
      name="skew"
      embed="skew"
      title="Skew by expiration"
      method="skew"
      of={[skew]}
      table={skewTable}
      legend={
        <>
          <i class="swatch put" />
          25Δ risk reversal <i class="line gold" />
          butterfly
        </>
      }
    >
      <SkewByExpiration />
    </Panel>
  )
}

function SmileLegend() {
  return (
    <>
      <i class="ring put" />
      put <i class="ring call" />
      call, bid to ask <i class="line" />
      fit <i class="line thin" />
      next shorter <i class="line thin broken" />
      next longer{' '}
      {place.value.compare && (
        <>
          <i class="line ghost" />a session ago
        </>
      )}
    </>
  )
}

function smileTable() {
  const date = slice.value === undefined ? '' : ` ${shortDate(slice.value.expiry)}`
  return {
    columns: [`strike (USD)${date}`, 'right', 'implied volatility (%)', 'bid (%)', 'ask (%)'],
    rows: dots.value.map((each) => [each.strike, each.type, each.mid, each.bid, each.ask])
  }
}

function surfaceTable() {
  const found = surface.answer.value?.total_variance_surface
  return {
    columns: ['expiry; volatility (%) by log-moneyness', ...(found?.moneyness ?? []).map(String)],
    rows: (found?.expiries ?? []).map((expiry, i) => [expiry, ...found!.implied_vol[i]!])
  }
}

function termTable() {
  const fair = new Map(surface.answer.value?.variance_swap_fair_values.map((each) => [each.expiry, each.fair_vol]))
  return {
    columns: ['expiry', 'days', 'at the money (%)', 'variance swap (%)'],
    rows: (surface.answer.value?.svi_parameters ?? []).map((each) => [
      each.expiry,
      each.days_to_expiry,
      each.atm_iv,
      fair.get(each.expiry) ?? null
    ])
  }
}

function skewTable() {
  return {
    columns: ['expiry', 'days', 'risk reversal 25Δ (points)', 'butterfly 25Δ (points)'],
    rows: (skew.answer.value?.expiries ?? []).map((each) => [
      each.expiry,
      each.dte,
      each.risk_reversal_25d,
      each.butterfly_25d
    ])
  }
}
