import { Fact } from '../../parts/fact.tsx'
import { fixed, level, NONE, percent, price } from '../../parts/format.ts'
import { Caption, Contents, stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { shortDate } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import { MAX_DRIFT } from '../../state/page/place.ts'
import { bought, grid, kelly, outcome, sums } from '../../state/screens/lab-state.ts'

/** Cost, largest profit and loss, and greeks of the structure, per share as in the answer. */
export function Side() {
  const costs = grid.value?.entry_cost
  return (
    <section class="panel side" aria-label="Figures" {...stateOf([outcome, sums])}>
      <Caption title="Outcome" method="structures" legend="USD per share">
        <PanelMenu name="structure" title="Structure" table={sideTable} />
      </Caption>
      <Contents of={[outcome]}>
        <Outcome costs={costs} />
        <Terms />
      </Contents>
      <Caption title="Greeks" method="greeks" legend="per share of the structure" />
      <Contents of={[sums]}>
        <Greeks />
      </Contents>
      <Caption title="Kelly" method="kelly" legend={<Sized />} />
      <Kelly />
    </section>
  )
}

function Outcome({ costs }: { readonly costs: number | undefined }) {
  const found = outcome.answer.value
  const limit = (value: number | null | undefined) => (value === null ? 'no limit' : fixed(value, 2, 'signed'))
  return (
    <table class="facts">
      <tbody>
        <Fact
          name={costs !== undefined && costs < 0 ? 'Credit' : 'Debit'}
          value={price(costs === undefined ? undefined : Math.abs(costs))}
          note="at mid"
        />
        <Fact name="Maximum profit" value={limit(found?.max_profit)} note="at expiry" />
        <Fact name="Maximum loss" value={limit(found?.max_loss)} note="at expiry" />
        <Fact
          name="Break-even"
          value={
            found === undefined
              ? NONE
              : found.breakevens.length === 0
                ? 'none'
                : found.breakevens.map(level).join(' / ')
          }
        />
        <Fact name="Model value" value={price(grid.value?.base_value)} note="now" />
      </tbody>
    </table>
  )
}

/** Assumptions of the model. */
function Terms() {
  const found = grid.value
  if (found === undefined) return null
  return (
    <p class="remark">
      Black–Scholes–Merton with the volatility of each quote, rate {percent(found.rate * 100, 'plain')}, dividends{' '}
      {percent(found.dividend_yield * 100, 'plain')}.
    </p>
  )
}

const GREEKS = [
  ['delta', 'Delta', ''],
  ['gamma', 'Gamma', 'per $'],
  ['theta', 'Theta', 'a day'],
  ['vega', 'Vega', 'a point'],
  ['rho', 'Rho', 'per 1.00'],
  ['vanna', 'Vanna', 'per 1.00'],
  ['charm', 'Charm', 'a day']
] as const

function Greeks() {
  const found = sums.answer.value?.position_greeks
  return (
    <table class="facts">
      <tbody>
        {GREEKS.map(([field, name, note]) => (
          <Fact key={field} name={name} value={fixed(found?.[field], 4, 'signed')} note={note} />
        ))}
      </tbody>
    </table>
  )
}

/** Names the option whose position size is shown. */
function Sized() {
  const option = bought.value?.leg
  if (option === undefined) return null
  return (
    <>
      {level(option.strike)} {option.right === 'C' ? 'call' : 'put'}, {shortDate(option.expiry)}
    </>
  )
}

function Kelly() {
  const found = bought.value === undefined ? undefined : kelly.answer.value
  const { drift } = place.value
  if (bought.value === undefined) return <p class="remark">Kelly sizing needs a bought option; no leg is bought.</p>
  return (
    <>
      <div class="sliders">
        <label>
          <span>Return per year</span>
          <input
            type="range"
            min={-MAX_DRIFT}
            max={MAX_DRIFT}
            step="1"
            value={drift}
            onInput={({ currentTarget }) => turn({ drift: Number(currentTarget.value) })}
          />
          <b>{percent(drift, 'signed', 0)}</b>
        </label>
      </div>
      <Contents of={[kelly]}>
        <table class="facts">
          <tbody>
            <Fact
              name="Kelly / half"
              value={`${fixed(found?.sizing.kelly_pct, 2)} / ${fixed(found?.sizing.half_kelly_pct, 2)}`}
              note="%"
            />
            <Fact name="Probability of profit" value={fixed(found?.analysis.probability_of_profit_pct, 1)} note="%" />
            <Fact name="Expected return" value={fixed(found?.analysis.expected_roi_pct, 1, 'signed')} note="%" />
          </tbody>
        </table>
        <p class="remark">{found?.recommendation}</p>
      </Contents>
    </>
  )
}

function sideTable() {
  const [found, greeks, sized] = [outcome.answer.value, sums.answer.value?.position_greeks, kelly.answer.value]
  return {
    columns: ['figure (USD per share, greeks per share)', 'value'],
    rows: [
      ['entry_cost', grid.value?.entry_cost ?? null],
      ['max_profit', found?.max_profit ?? null],
      ['max_loss', found?.max_loss ?? null],
      ...(found?.breakevens ?? []).map((each) => ['breakeven', each]),
      ...GREEKS.map(([field]) => [field, greeks?.[field] ?? null]),
      ['kelly_fraction', bought.value === undefined ? null : (sized?.sizing.kelly_fraction ?? null)]
    ]
  }
}
