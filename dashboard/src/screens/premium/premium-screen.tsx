import { useEffect } from 'preact/hooks'
import { Forecast, ImpliedAgainstRealized, PremiumByTerm } from '../../charts/premium-chart.tsx'
import { fixed, NONE } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { dayOf, shortDate } from '../../state/day/time.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { DAYS } from '../../state/page/place.ts'
import {
  all,
  days,
  estimates,
  forecast,
  history,
  liquidity,
  pointed,
  premium
} from '../../state/screens/premium-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { IdeasTabs } from '../ideas/ideas-tabs.tsx'
import { Estimators, estimatorsTable } from './estimators.tsx'
import { LiquidityTable, liquidityTable } from './liquidity.tsx'
import { Side } from './premium-side.tsx'
import { Rank } from './rank.tsx'
import '../../style/premium.css'

/** Implied against realized volatility: whether, and at which horizon, selling volatility pays. */
export default function Premium() {
  useEffect(() => startAll(all), [])
  const isBare = history.answer.value !== undefined && days.value.length < 2
  return (
    <main class="premium">
      <h1 class="hidden">Risk premium of {place.value.symbol}</h1>
      <IdeasTabs />
      <Rank />
      <Panel
        name="history"
        title="Implied against realized"
        method="risk-premium"
        of={[history]}
        table={historyTable}
        legend={<PairLegend past="realized 20d" />}
        actions={<DaysChoice />}
        way={['Import its past', '/docs/import']}
        empty={
          isBare ? `Nothing has been recorded for ${place.value.symbol} yet: its days appear from now on.` : undefined
        }
      >
        <ImpliedAgainstRealized />
        <Tip />
      </Panel>
      <Panel
        name="term"
        title="Premium by term"
        method="risk-premium"
        of={[premium]}
        table={termTable}
        legend="matched windows"
        empty={
          premium.answer.value?.term_vrp.length === 0
            ? 'No horizon has both implied and realized volatility.'
            : undefined
        }
      >
        <PremiumByTerm />
        <p class="terms">
          {premium.answer.value?.term_vrp.map(({ dte, vrp }) => (
            <span key={dte}>
              {dte}d <b class={vrp < 0 ? 'put' : 'call'}>{fixed(vrp, 2, 'signed')}</b>
            </span>
          ))}
        </p>
      </Panel>
      <Panel
        name="forecast"
        title="Forecast"
        method="garch"
        of={[forecast]}
        table={forecastTable}
        legend={
          <>
            <i class="line" />
            GARCH <i class="ring full" />
            EWMA <i class="ring" />
            HAR
          </>
        }
      >
        <Forecast />
        <p class="terms">
          <span>
            EWMA <b>{fixed(forecast.answer.value?.ewma.next_day_forecast, 2)}</b>
          </span>
          <span>
            HAR <b>{fixed(forecast.answer.value?.har_rv.next_day_forecast, 2)}</b>
          </span>
          <span>
            long run <b>{fixed(forecast.answer.value?.garch.long_run_vol_annualized, 2)}</b>
          </span>
          <span>
            half-life <b>{fixed(forecast.answer.value?.garch.half_life_days, 1)}</b> d
          </span>
        </p>
      </Panel>
      <Panel
        name="estimates"
        title="Realized, five ways"
        method="realized-volatility"
        of={[estimates]}
        table={estimatorsTable}
        legend={
          <>
            <i class="ring short" />
            10 <i class="ring full" />
            20 <i class="ring" />
            30 days
          </>
        }
      >
        <Estimators />
      </Panel>
      <Panel
        name="liquidity"
        title="Liquidity"
        method="execution-quality"
        of={[liquidity]}
        table={liquidityTable}
        legend={<ChainScore />}
      >
        <LiquidityTable />
      </Panel>
      <Side />
    </main>
  )
}

function PairLegend({ past }: { readonly past: string }) {
  return (
    <>
      <i class="line" />
      implied <i class="line dashed" />
      {past} <i class="swatch call pale" />
      premium <i class="swatch put pale" />
      discount
    </>
  )
}

function DaysChoice() {
  return (
    <nav class="choices" aria-label="Days">
      {DAYS.map((each) => (
        <a key={each} href={hrefOf({ days: each })} aria-current={each === place.value.days ? 'true' : undefined}>
          {each === '365' ? '1y' : `${each}d`}
        </a>
      ))}
    </nav>
  )
}

/** Values of the day under the pointer, or of the last one. */
function Tip() {
  const day = days.value[pointed.value ?? days.value.length - 1] ?? days.value.at(-1)
  if (day === undefined) return null
  return (
    <p class="reading">
      <b>{dayOf(day.date)}</b> implied <b>{fixed(day.implied, 2)}</b> realized <b>{fixed(day.realized, 2)}</b> premium{' '}
      <b class={(day.difference ?? 0) < 0 ? 'put' : 'call'}>{fixed(day.difference, 2, 'signed')}</b>
    </p>
  )
}

function ChainScore() {
  const found = liquidity.answer.value
  if (found === undefined) return null
  const best = found.best_expiry === null ? NONE : shortDate(found.best_expiry)
  return (
    <>
      chain {found.chain_execution_score}, best {best}
      {found.thin_expiry_count > 0 && `, ${found.thin_expiry_count} thin`}
    </>
  )
}

function historyTable() {
  return {
    columns: ['date', 'implied (%)', 'realized 20d (%)', 'premium (points)'],
    rows: days.value.map((each) => [each.date, each.implied, each.realized, each.difference])
  }
}

function termTable() {
  return {
    columns: ['dte (days)', 'implied (%)', 'realized (%)', 'premium (points)'],
    rows: (premium.answer.value?.term_vrp ?? []).map((each) => [each.dte, each.iv, each.rv, each.vrp])
  }
}

function forecastTable() {
  const answer = forecast.answer.value
  return {
    columns: ['model', 'horizon (trading days)', 'volatility (%)'],
    rows:
      answer === undefined
        ? []
        : [
            ['EWMA', 1, answer.ewma.next_day_forecast],
            ['HAR-RV', 1, answer.har_rv.next_day_forecast],
            ...(answer.garch.forecast ?? []).map((each) => ['GARCH', each.horizon_days, each.vol_annualized]),
            ['GARCH long run', null, answer.garch.long_run_vol_annualized]
          ]
  }
}
