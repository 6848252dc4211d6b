// Records what the page tests answer with, from a running service on the synthetic market:
//
//   node dashboard/test/pages/record.mjs http://127.0.0.1:8080 KEY
//
// The key is one of the enterprise plan. Chains are cut to the strikes around spot and figures to seven digits, so that the files stay readable.
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
  forecast: `/v1/volatility/forecast/${symbol}`,
  'expected-move': `/v1/expected-move/${symbol}`,
  'vix-state': '/v1/macro/vix-state',
  quotes: `/optionquote/${symbol}?expiry=${expiry}`,
  universe: '/v1/universe?sort=symbol',
  account: '/v1/account',
  symbols: '/v1/symbols',
  health: '/health',
  users: '/v1/admin/users?limit=500',
  plans: '/v1/admin/plans',
  bundles: '/v1/admin/bundles?limit=500',
  audit: '/v1/admin/audit?limit=60'
}

const answers = {}
for (const [name, path] of Object.entries(paths)) {
  const response = await fetch(url + path, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  answers[name] = await response.json()
}
const [user] = answers.users.users
answers.keys = await (await fetch(`${url}/v1/admin/users/${user.id}/keys`, { headers: { 'x-api-key': key } })).json()
const spot = answers.summary.underlying_price
const isNear = ({ strike }) => Math.abs(strike / spot - 1) < 0.03
for (const [name, list] of [
  ['gex', 'strikes'],
  ['zero-dte', 'strikes'],
  ['maxpain', 'pain_curve'],
  ['maxpain', 'oi_by_strike']
])
  answers[name][list] = answers[name][list].filter(isNear)
answers.quotes = answers.quotes.filter(({ strike }) => Math.abs(strike / spot - 1) < 0.1)
delete answers.surface.greeks_surfaces
delete answers.surface.total_variance_surface.total_variance
const short = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(7)) : value)
for (const [name, answer] of Object.entries(answers))
  writeFileSync(new URL(`answers/${name}.json`, import.meta.url), `${JSON.stringify(answer, short)}\n`)
