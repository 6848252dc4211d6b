import { useEffect } from 'preact/hooks'
import { OutcomeMap } from '../../charts/outcome-map.tsx'
import { Payoff } from '../../charts/payoff-chart.tsx'
import { fixed, level, percent } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { place } from '../../state/page/address.ts'
import { grid, legs, outcome, pointed, pointedCell, start } from '../../state/screens/lab-state.ts'
import { APART } from '../../state/screens/scenario-axes.ts'
import { Chain } from './lab-chain.tsx'
import { Legs } from './lab-legs.tsx'
import { Side } from './lab-side.tsx'
import '../../style/lab.css'

/** Profit and loss of a structure at any price, day and volatility. */
export default function Lab() {
  useEffect(start, [])
  const { shock } = place.value
  const day = dayShown()
  const empty = legs.value.length === 0 ? 'Pick legs from the chain, or start from a structure above it.' : undefined
  return (
    <main class="lab">
      <h1 class="hidden">Structures on {place.value.symbol}</h1>
      <Legs />
      <Panel
        name="payoff"
        title="Profit and loss"
        method="structures"
        of={[outcome]}
        empty={empty}
        table={payoffTable}
        legend={
          <>
            <i class="line" />
            at expiry <i class="line dash" />
            in {day} days{shock !== 0 && `, volatility ${points(shock)}`} <i class="line fine" />
            {points(-APART)} and {points(APART)}
          </>
        }
      >
        <Payoff />
        <Reading />
      </Panel>
      <Chain />
      <Panel
        name="outcomes"
        title="By day and price"
        method="structures"
        of={[outcome]}
        empty={empty}
        table={mapTable}
        legend={
          <>
            <i class="swatch heat" />
            loss to profit{shock !== 0 && `, volatility ${points(shock)}`}; press a day
          </>
        }
      >
        <OutcomeMap />
        <CellReading />
      </Panel>
      <Side />
    </main>
  )
}

const points = (value: number) => `${fixed(value, 0, 'signed')} pts`

function dayShown(): number {
  const found = grid.value
  return found === undefined ? place.value.ahead : found.axes.days_forward[found.day]!
}

/** Values at the price under the pointer, or at today's price. */
function Reading() {
  const [found, shown] = [outcome.answer.value, grid.value]
  if (found === undefined || shown === undefined) return null
  const at = pointed.value ?? (shown.axes.underlying.length - 1) / 2
  const [calm, usual, wild] = shown.pnl[shown.day]!
  const won = found.pnl_curve[at]?.pnl
  return (
    <p class="reading">
      <b>{level(shown.axes.underlying[at])}</b> {percent(shown.axes.spot_shocks_pct[at])} at expiry{' '}
      <b class={(won ?? 0) < 0 ? 'put' : 'call'}>{fixed(won, 2, 'signed')}</b> in {dayShown()} days{' '}
      <b>{fixed(usual![at], 2, 'signed')},</b> {fixed(calm![at], 2, 'signed')} to {fixed(wild![at], 2, 'signed')}
    </p>
  )
}

/** Values at the map cell under the pointer, or the best and the worst value. */
function CellReading() {
  const shown = grid.value
  if (shown === undefined) return null
  const [day, at] = pointedCell.value ?? []
  const won = day === undefined ? undefined : shown.pnl[day]?.[shown.shock]?.[at!]
  if (won === undefined) {
    const { best, worst } = shown
    return (
      <p class="reading">
        best <b class="call">{fixed(best.pnl, 2, 'signed')}</b> at {level(best.underlying)} in {best.days_forward} days,
        worst <b class="put">{fixed(worst.pnl, 2, 'signed')}</b> at {level(worst.underlying)} in {worst.days_forward}{' '}
        days
      </p>
    )
  }
  return (
    <p class="reading">
      in {shown.axes.days_forward[day!]} days at <b>{level(shown.axes.underlying[at!])}</b>{' '}
      {percent(shown.axes.spot_shocks_pct[at!])} <b class={won < 0 ? 'put' : 'call'}>{fixed(won, 2, 'signed')}</b>
    </p>
  )
}

function payoffTable() {
  const [found, shown] = [outcome.answer.value, grid.value]
  const shocks = shown?.axes.vol_shocks ?? []
  return {
    columns: [
      'underlying (USD)',
      'at expiry (USD per share)',
      ...shocks.map((each) => `in ${dayShown()} days, volatility shifted by ${each}`)
    ],
    rows: (shown?.axes.underlying ?? []).map((each, i) => [
      each,
      found?.pnl_curve[i]?.pnl ?? null,
      ...shocks.map((_, k) => shown!.pnl[shown!.day]![k]![i]!)
    ])
  }
}

function mapTable() {
  const shown = grid.value
  return {
    columns: ['underlying (USD); profit (USD per share) by days', ...(shown?.axes.days_forward ?? []).map(String)],
    rows: (shown?.axes.underlying ?? []).map((each, i) => [each, ...shown!.pnl.map((day) => day[shown!.shock]![i]!)])
  }
}
