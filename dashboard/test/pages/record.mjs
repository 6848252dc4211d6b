// Records what the page tests answer with, from a running service on the synthetic market:
//
//   node --import ./scripts/typescript.mjs dashboard/test/pages/record.mjs http://127.0.0.1:8080 KEY
//
// The answers are those of 2026-11-20, 11:54 New York: `npm start -- --universe SPY --as-of 2026-11-20T11:54`.
// Names of answers behind the key record those alone; the key is one of the enterprise plan. Flow needs a service that stands
// at a moment of a recorded session (backfill synthetic, then serve --as-of), hedge flow one with five sessions before it.
// Chains are cut to the strikes around spot and figures to seven digits, so that the files stay readable. Bars need a
// history: backfill synthetic --every 15m.
import { writeFileSync } from 'node:fs'
import { SIGNALS } from '../../src/state/page/place.ts'

const [, , url, key, ...names] = process.argv
const symbol = 'SPY'
/** A company, which reports earnings. */
const company = 'AAPL'
const expiry = '2026-12-18'
const paths = {
  session: `/v1/market/session/${symbol}`,
  summary: `/v1/exposure/summary/${symbol}`,
  gex: `/v1/exposure/gex/${symbol}`,
  levels: `/v1/exposure/levels/${symbol}`,
  models: `/v1/exposure/models/${symbol}`,
  'zero-dte': `/v1/exposure/zero-dte/${symbol}?strike_range=0.02`,
  'term-structure': `/v1/exposure/term-structure/${symbol}`,
  'oi-diff': `/v1/exposure/oi-diff/${symbol}`,
  narrative: `/v1/exposure/narrative/${symbol}`,
  series: `/v1/series/${symbol}?fields=underlying_price,gamma_flip&every=1m`,
  'explain-net_gex': `/v1/exposure/explain/${symbol}?metric=net_gex&top=5`,
  'explain-call_wall': `/v1/exposure/explain/${symbol}?metric=call_wall&top=5`,
  'explain-gamma_flip': `/v1/exposure/explain/${symbol}?metric=gamma_flip&top=5`,
  attribution: `/v1/exposure/attribution/${symbol}`,
  bands: `/v1/exposure/bands/${symbol}`,
  'series-closes': `/v1/series/${symbol}?fields=net_gex,call_wall,gamma_flip&every=1d&from=2026-10-21`,
  bars: `/v1/bars/${symbol}?every=15m&from=2026-11-16&fields=${['call_wall', 'put_wall', 'gamma_flip', 'zero_dte.magnet', 'zero_dte.call_wall', 'zero_dte.put_wall', 'max_pain', 'expected_move_1d', 'net_gex', 'atm_iv'].join()}`,
  'bars-days': `/v1/bars/${symbol}?every=1d&from=2026-08-20&fields=call_wall,put_wall,gamma_flip,max_pain,expected_move_1d,net_gex,atm_iv`,
  map: `/v1/exposure/matrix/${symbol}?by=time&every=5m&range_pct=3`,
  matrix: `/v1/exposure/matrix/${symbol}?by=expiration&range_pct=3`,
  maxpain: `/v1/maxpain/${symbol}`,
  surface: `/v1/adv_volatility/${symbol}`,
  'skew-term': `/v1/volatility/skew-term/${symbol}`,
  volatility: `/v1/volatility/${symbol}`,
  vrp: `/v1/vrp/${symbol}`,
  'vrp-history': `/v1/vrp/${symbol}/history?days=180`,
  realized: `/v1/volatility/realized/${symbol}`,
  'spot-vol-correlation': `/v1/volatility/spot-vol-correlation/${symbol}`,
  liquidity: `/v1/liquidity/${symbol}`,
  dispersion: `/v1/dispersion?index=${symbol}&symbols=AAPL,MSFT,NVDA,AMZN,GOOGL,META,TSLA`,
  forecast: `/v1/volatility/forecast/${symbol}`,
  'expected-move': `/v1/expected-move/${symbol}`,
  'vix-state': '/v1/macro/vix-state',
  quotes: `/optionquote/${symbol}?expiry=${expiry}`,
  universe: '/v1/universe?sort=symbol',
  profile: `/v1/exposure/profile/${symbol}?range_pct=10&points=81`,
  'profile-moved': `/v1/exposure/profile/${symbol}?range_pct=10&points=81&when=close&vol_shift=3`,
  'series-today': `/v1/series/${symbol}?fields=underlying_price,${['net_chex', 'pin_score', 'theta_per_hour', 'remaining_1sd_dollars'].map((each) => `zero_dte.${each}`).join()}&every=15m`,
  'series-hedging': `/v1/series/${symbol}?fields=net_chex,zero_dte.net_chex,net_vex&every=15m`,
  'today-series': `/v1/flow/zero-dte/series/${symbol}?bar=15m&minutes=390`,
  'today-heatmap': `/v1/flow/zero-dte/heatmap/${symbol}?minutes=390`,
  'today-snapshot': `/v1/flow/zero-dte/snapshot/${symbol}?strike_range=0.002`,
  'today-hedge-flow': `/v1/flow/zero-dte/hedge-flow/${symbol}?bar=15m&minutes=390`,
  'hedge-flow-right': `/v1/flow/hedge-flow/${symbol}?split=right&bar=5m&minutes=390`,
  'hedge-flow-size': `/v1/flow/hedge-flow/${symbol}?split=size&bar=5m&minutes=390`,
  'hedge-flow-none': `/v1/flow/hedge-flow/${symbol}?measure=gamma&bar=5m&minutes=390`,
  'dealer-risk': `/v1/flow/dealer-risk/${symbol}`,
  signals: `/v1/flow/signals/${symbol}?limit=12`,
  'signals-summary': `/v1/flow/signals/${symbol}/summary`,
  prints: `/v1/flow/options/${symbol}/recent?limit=30`,
  blocks: `/v1/flow/options/${symbol}/blocks?minSize=25&limit=20`,
  'tape-summary': `/v1/flow/options/${symbol}/summary`,
  'tape-cumulative': `/v1/flow/options/${symbol}/cumulative?minutes=390`,
  leaders: '/v1/flow/options/leaderboard?n=5',
  'stock-leaders': '/v1/flow/stocks/leaderboard?n=4',
  outliers: '/v1/flow/options/outliers?limit=8',
  'screener-fields': '/v1/screener/fields',
  options: `/v1/options/${symbol}`,
  kelly: '/v1/pricing/kelly?spot=689&strike=700&dte=28&sigma=0.107&premium=4.555&mu=0.08',
  calendar: '/v1/earnings/calendar?days=45',
  quality: `/v1/quality/${symbol}`,
  ...Object.fromEntries(SIGNALS.map((name) => [`signal-${name}`, `/v1/strategies/${name}/${symbol}`])),
  ...Object.fromEntries(
    ['expected-move', 'vrp', 'iv-crush', 'dealer-positioning', 'strategies', 'history'].map((name) => [
      `report-${name}`,
      `/v1/earnings/${name}/${company}`
    ])
  ),
  account: '/v1/account',
  symbols: '/v1/symbols',
  health: '/health',
  users: '/v1/admin/users?limit=500',
  plans: '/v1/admin/plans',
  bundles: '/v1/admin/bundles?limit=500',
  audit: '/v1/admin/audit?limit=60'
}

const legs = [
  { action: 'buy', type: 'call', strike: 700, expiry, premium: 4.555, impliedVol: 0.107, quantity: 1 },
  { action: 'sell', type: 'call', strike: 710, expiry, premium: 1.54, impliedVol: 0.096, quantity: 1 }
]
const shocks = Array.from({ length: 21 }, (_, i) => (i - 10) / 2)

/** Bodies of the recorded POST requests. */
const bodies = {
  'structure-greeks': [
    '/v1/structures/greeks',
    { legs: legs.map(({ premium: _, ...leg }) => leg), spot: 689, today: '2026-11-20' }
  ],
  pnl: [
    '/v1/structures/pnl',
    {
      legs,
      minUnderlying: 689 * 0.95,
      maxUnderlying: 689 * 1.05,
      points: shocks.length,
      scenarios: {
        spot: 689,
        today: '2026-11-20',
        spotShocksPct: shocks,
        volShocks: [-0.05, 0, 0.05],
        daysForward: [0, 7, 14, 21, 28]
      }
    }
  ],
  screener: [
    '/v1/screener',
    {
      universe: { type: 'custom', symbols: ['AAPL', 'AMD', 'AMZN', 'DIA', 'IWM', 'META', 'MSFT', 'NVDA', 'QQQ', 'SPY'] }
    }
  ]
}
const isWanted = (name) => names.length === 0 || names.includes(name)

const answers = {}
for (const [name, path] of Object.entries(paths).filter(([name]) => isWanted(name))) {
  const response = await fetch(url + path, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  answers[name] = await response.json()
}
for (const [name, [path, body]] of Object.entries(bodies).filter(([name]) => isWanted(name))) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  answers[name] = await response.json()
}
if (isWanted('users')) {
  const [user] = answers.users.users
  answers.keys = await (await fetch(`${url}/v1/admin/users/${user.id}/keys`, { headers: { 'x-api-key': key } })).json()
}
const spot = Object.values(answers).find(({ underlying_price }) => underlying_price > 0)?.underlying_price
const isNear = ({ strike }) => Math.abs(strike / spot - 1) < 0.03
/** Changes an answer that was recorded. */
const cut = (name, change) => name in answers && change(answers[name])
for (const [name, list] of [
  ['gex', 'strikes'],
  ['zero-dte', 'strikes'],
  ['maxpain', 'pain_curve'],
  ['maxpain', 'oi_by_strike']
])
  cut(name, (answer) => {
    answer[list] = answer[list].filter(isNear)
  })
cut('quotes', () => {
  answers.quotes = answers.quotes.filter(({ strike }) => Math.abs(strike / spot - 1) < 0.1)
})
cut('options', (answer) => {
  answer.expirations = answer.expirations.map(({ expiration, strikes }) => ({
    expiration,
    strikes: strikes.filter((strike) => Math.abs(strike / spot - 1) < 0.1)
  }))
})
cut('surface', ({ total_variance_surface }) => {
  delete answers.surface.greeks_surfaces
  delete total_variance_surface.total_variance
})
cut('signals-summary', (answer) => {
  answer.top_signals = answer.top_signals.slice(0, 1)
})
cut('tape-cumulative', (answer) => {
  answer.points = answer.points.filter((_, i) => i % 15 === 0)
})
cut('today-heatmap', (answer) => {
  const near = answer.strikes_grid.flatMap((strike, i) => (isNear({ strike }) ? [i] : []))
  answer.strikes_grid = near.map((i) => answer.strikes_grid[i])
  answer.bars = answer.bars
    .filter((_, i) => i % 15 === 0)
    .map((bar) => ({ ...bar, values: near.map((i) => bar.values[i]) }))
})
const short = (_, value) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(7)) : value
for (const [name, answer] of Object.entries(answers))
  writeFileSync(new URL(`answers/${name}.json`, import.meta.url), `${JSON.stringify(answer, short)}\n`)
