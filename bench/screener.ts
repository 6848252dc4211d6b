import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import { screenerFields } from '../src/endpoints/screener/fields.ts'
import { macroColumn, screenerRow } from '../src/endpoints/screener/row.ts'
import { parseEasternDateTime } from '../src/market/eastern.ts'
import type { Macro } from '../src/market/macro.ts'
import type { Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { screen } from '../src/screener/screen.ts'
import { readScreen } from '../src/screener/screen-request.ts'
import type { Screened, ScreenedRow } from '../src/screener/screener-row.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { type Figure, medianMilliseconds, report } from './support/figure.ts'

// A scan across the market: a user waits for it, and it delays everything else that its worker is asked meanwhile.
const SYMBOLS = 1000
const CONTRACTS = 1_500_000
const noon = parseEasternDateTime('2026-07-29T12:00:00')!
const macro: Macro = {
  levels: { vix: { value: 17.3, previous: 17 } },
  tenYear: undefined,
  highYieldSpread: undefined,
  fedFunds: undefined,
  fearAndGreed: 60
}
const caller = { has: () => true, planWith: () => 'Alpha' }
const options = { fields: screenerFields, macro: macroColumn(macro), caller }

/** So many rows over few chains, no two chains the same object: what a screen remembers of one serves no other. */
async function rowsOf(
  count: number,
  contracts: number
): Promise<{ readonly screened: Screened; readonly making: number }> {
  const synthetic = createSynthetic({ seed: 1 })
  const signal = AbortSignal.timeout(120_000)
  const made: ScreenedRow[] = []
  let making = 0
  for (const symbol of ['SPY', 'SPX', 'AAPL', 'QQQ', 'IWM', 'NVDA'] as Ticker[]) {
    const raw = (await synthetic.chain(symbol, noon, signal))!
    const bars = await synthetic.dailyBars(symbol, noon, signal)
    const chain = priceChain(raw, defaultAssumptions, fittedSmile)
    const startedAt = performance.now()
    const row = screenerRow({ chain, tier: 1, bars, records: [], reports: [], macro, flow: undefined })
    making += performance.now() - startedAt
    made.push({ ...row, rank: made.length, tier: 1, chain })
  }
  const rows: ScreenedRow[] = []
  for (let k = 0, held = 0; rows.length < count && (contracts === 0 || held < contracts); k++) {
    const row = made[k % made.length]
    const stock = row.stock.map((x) => x * (1 + 0.001 * (k % 97)))
    const chain = contracts === 0 ? undefined : { ...row.chain! }
    held += chain?.size ?? 0
    rows.push({ ...row, symbol: `S${10_000 + k}` as Ticker, stock, chain })
  }
  return { screened: { now: noon, rows, missing: [], presets: {} }, making: making / made.length }
}

const ten = {
  filters: {
    op: 'and',
    conditions: [
      { field: 'price', operator: 'gt', value: 1 },
      { field: 'atm_iv', operator: 'between', value: [1, 200] },
      { field: 'net_gex', operator: 'is_not_null' },
      { field: 'rv_20d', operator: 'lt', value: 500 },
      { field: 'total_call_oi', operator: 'gte', value: 1 },
      { field: 'active_expirations', operator: 'gt', value: 1 },
      { field: 'vix', operator: 'lt', value: 60 },
      { field: 'symbol', operator: 'neq', value: 'SPY' },
      { field: 'max_pain', operator: 'gt', value: 0 },
      { formula: 'abs(price - gamma_flip) / price', operator: 'lt', value: 0.9 }
    ]
  },
  sort: [{ field: 'vrp_20d', direction: 'desc' }],
  limit: 50
}

const contracts = {
  filters: {
    op: 'and',
    conditions: [
      { field: 'contracts.delta', operator: 'between', value: [0.2, 0.3] },
      { field: 'contracts.oi', operator: 'gt', value: 500 },
      { field: 'contracts.spread_pct', operator: 'lt', value: 5 }
    ]
  },
  select: ['price', 'atm_iv'],
  limit: 50
}

export async function run(): Promise<readonly Figure[]> {
  const wide = await rowsOf(SYMBOLS, 0)
  const deep = await rowsOf(Infinity, CONTRACTS)
  const held = deep.screened.rows.reduce((sum, { chain }) => sum + chain!.size, 0)
  const timeOf = (body: object, screened: Screened, runs: number) =>
    medianMilliseconds(() => void screen(readScreen(body), screened, options), { runs, warmUp: 5 })
  return [
    {
      name: `a screen of ${SYMBOLS} symbols by ten conditions, sorted`,
      value: timeOf(ten, wide.screened, 31),
      unit: 'ms',
      atMost: 5
    },
    {
      name: `a screen by three contract fields over ${held} contracts`,
      value: timeOf(contracts, deep.screened, 11),
      unit: 'ms',
      atMost: 150
    },
    { name: 'the row of a symbol, of a priced chain that nothing is remembered of', value: wide.making, unit: 'ms' }
  ]
}

await report(import.meta.url, run)
