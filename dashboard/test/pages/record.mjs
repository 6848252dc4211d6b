// Records what the page tests answer with, from a running service on the synthetic market:
//
//   node dashboard/test/pages/record.mjs http://127.0.0.1:8080 KEY
//
// Chains are cut to the strikes around spot and figures to seven digits, so that the files stay readable.
import { writeFileSync } from 'node:fs'

const [, , url, key] = process.argv
const symbol = 'SPY'
const expiry = '2026-12-18'
const paths = {
  session: `/v1/market/session/${symbol}`,
  summary: `/v1/exposure/summary/${symbol}`,
  gex: `/v1/exposure/gex/${symbol}`,
  levels: `/v1/exposure/levels/${symbol}`,
  'zero-dte': `/v1/exposure/zero-dte/${symbol}?strike_range=0.02`,
  'term-structure': `/v1/exposure/term-structure/${symbol}`,
  'oi-diff': `/v1/exposure/oi-diff/${symbol}`,
  narrative: `/v1/exposure/narrative/${symbol}`,
  series: `/v1/series/${symbol}?fields=underlying_price,gamma_flip&every=1m`,
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
  'screener-fields': '/v1/screener/fields',
  options: `/v1/options/${symbol}`,
  kelly: '/v1/pricing/kelly?spot=689&strike=700&dte=28&sigma=0.107&premium=4.555&mu=0.08',
  calendar: '/v1/earnings/calendar?days=45'
}

const legs = [
  { action: 'buy', type: 'call', strike: 700, expiry, premium: 4.555, impliedVol: 0.107, quantity: 1 },
  { action: 'sell', type: 'call', strike: 710, expiry, premium: 1.54, impliedVol: 0.096, quantity: 1 }
]
const shocks = Array.from({ length: 21 }, (_, i) => (i - 10) / 2)

/** What is asked with a body. */
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

const answers = {}
for (const [name, path] of Object.entries(paths)) {
  const response = await fetch(url + path, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  answers[name] = await response.json()
}
for (const [name, [path, body]] of Object.entries(bodies)) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  answers[name] = await response.json()
}
const spot = answers.summary.underlying_price
const isNear = ({ strike }) => Math.abs(strike / spot - 1) < 0.03
for (const [name, list] of [
  ['gex', 'strikes'],
  ['zero-dte', 'strikes'],
  ['maxpain', 'pain_curve'],
  ['maxpain', 'oi_by_strike']
])
  answers[name][list] = answers[name][list].filter(isNear)
answers.options.expirations = answers.options.expirations.map(({ expiration, strikes }) => ({
  expiration,
  strikes: strikes.filter((strike) => Math.abs(strike / spot - 1) < 0.1)
}))
answers.quotes = answers.quotes.filter(({ strike }) => Math.abs(strike / spot - 1) < 0.1)
delete answers.surface.greeks_surfaces
delete answers.surface.total_variance_surface.total_variance
const short = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(7)) : value)
for (const [name, answer] of Object.entries(answers))
  writeFileSync(new URL(`answers/${name}.json`, import.meta.url), `${JSON.stringify(answer, short)}\n`)
