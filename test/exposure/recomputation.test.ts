import { beforeAll, expect, test } from 'vitest'
import type { AdvVolatility, ByStrike, Gex, OptionQuote, Sheet, SviRow, ZeroDte } from '../endpoints/answers.ts'
import { asked } from '../support/asking.ts'
import { type Market, recordedMarket, syntheticMarket } from '../support/markets.ts'
import { normal, type ScalarGreeks, scalarGreeks } from '../support/scalar.ts'

// Everything from quotes to exposures once more, contract by contract, from nothing but the rows of /optionquote, the
// parameters of the fitted slices as they are printed, and the formulas of the contract: clock, forward, volatility,
// greeks and sums share no line with the service.

const rate = 0.045
const configuredYield = 0.013
const days = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

interface Moment {
  readonly date: string
  /** Share of the session still to run. */
  readonly u: number
}

interface Recomputed extends OptionQuote {
  readonly greeks: ScalarGreeks
}

function yearsTo(expiry: string, { date, u }: Moment): number {
  const whole = days(date, expiry)
  return whole === 0 ? Math.max(u, 1 / 390) / 252 : (whole - 1 + u) / 365 + 1 / 252
}

const midOf = ({ bid, ask }: OptionQuote) => (bid > 0 && ask >= bid ? (bid + ask) / 2 : undefined)

function forwardOf(pairs: readonly (readonly [OptionQuote, OptionQuote])[], spot: number, t: number, moment: Moment) {
  const expected = spot * Math.exp((rate - configuredYield) * t)
  if (pairs.length === 0 || days(moment.date, pairs[0][0].expiry) === 0) return expected
  const gaps = pairs
    .map(([call, put]) => ({ strike: call.strike, gap: midOf(call)! - midOf(put)! }))
    .filter(({ gap }) => !Number.isNaN(gap))
    .toSorted((a, b) => Math.abs(a.gap) - Math.abs(b.gap))
    .slice(0, 5)
    .map(({ strike, gap }) => strike + gap * Math.exp(rate * t))
    .toSorted((a, b) => a - b)
  if (gaps.length === 0) return expected
  const half = gaps.length / 2
  const middle = gaps.length % 2 === 1 ? gaps[Math.floor(half)] : (gaps[half - 1] + gaps[half]) / 2
  return Math.abs(middle / expected - 1) > 0.05 + 0.25 * t ? expected : middle
}

/** Newton's method kept inside a bracket, on the price of Black's formula out of the money. */
function volatility(price: number, call: boolean, forward: number, strike: number, t: number): number | undefined {
  const discount = Math.exp(-rate * t)
  const s = call ? 1 : -1
  const inTheMoney = Math.max(s * (forward - strike), 0)
  const target = price / discount - inTheMoney
  if (!(target > 0 && price / discount < (call ? forward : strike))) return undefined
  const side = forward < strike ? 1 : -1
  const valueAt = (sigma: number) => {
    const root = sigma * Math.sqrt(t)
    const d1 = Math.log(forward / strike) / root + root / 2
    return side * (forward * normal(side * d1) - strike * normal(side * (d1 - root)))
  }
  let [low, high] = [1e-4, 20]
  for (let step = 0; step < 60; step++) {
    const middle = Math.sqrt(low * high)
    if (valueAt(middle) < target) low = middle
    else high = middle
  }
  const sigma = Math.sqrt(low * high)
  return sigma >= 0.01 && sigma <= 5 ? sigma : undefined
}

/** The volatility that a fitted slice shows at a strike; undefined without a slice. */
function smileVolatility(slice: SviRow | undefined, forward: number, strike: number, t: number): number | undefined {
  if (slice === undefined) return undefined
  const x = Math.log(strike / forward) - slice.m
  const sigma = Math.sqrt((slice.a + slice.b * (slice.rho * x + Math.hypot(x, slice.sigma))) / t)
  return sigma >= 0.01 && sigma <= 5 ? sigma : undefined
}

function recompute(quotes: readonly OptionQuote[], slices: readonly SviRow[], spot: number, moment: Moment) {
  const found: Recomputed[] = []
  for (const expiry of new Set(quotes.map((quote) => quote.expiry))) {
    const listed = quotes.filter((quote) => quote.expiry === expiry)
    const puts = new Map(listed.filter(({ type }) => type === 'P').map((put) => [put.strike, put]))
    const calls = new Map(listed.filter(({ type }) => type === 'C').map((call) => [call.strike, call]))
    const pairs = [...calls.values()].flatMap((call) => {
      const put = puts.get(call.strike)
      return put && midOf(call) !== undefined && midOf(put) !== undefined ? [[call, put] as const] : []
    })
    const t = yearsTo(expiry, moment)
    const forward = forwardOf(pairs, spot, t, moment)
    const dividendYield = rate - Math.log(forward / spot) / t
    const clockYield = Math.abs(dividendYield - configuredYield) <= 0.05 ? dividendYield : configuredYield
    const own = (quote: OptionQuote | undefined) => {
      const mid = quote && midOf(quote)
      if (quote === undefined || mid === undefined) return undefined
      const call = quote.type === 'C'
      const intrinsic = Math.exp(-rate * t) * (call ? forward - quote.strike : quote.strike - forward)
      if (intrinsic > 0 && mid - intrinsic < (quote.ask - quote.bid) / 2) return undefined
      return volatility(mid, call, forward, quote.strike, t)
    }
    for (const quote of listed) {
      const quoted = own(quote) ?? own((quote.type === 'C' ? puts : calls).get(quote.strike))
      const slice = slices.find((row) => row.expiry === expiry)
      const sigma = quoted ?? smileVolatility(slice, forward, quote.strike, t)
      if (sigma === undefined) continue
      const terms = { call: quote.type === 'C', spot, strike: quote.strike, t, rate, sigma }
      const { theta, charm, rho } = scalarGreeks({ ...terms, dividendYield: clockYield })
      found.push({ ...quote, greeks: { ...scalarGreeks({ ...terms, dividendYield }), theta, charm, rho } })
    }
  }
  return found
}

interface Proof {
  readonly market: Market
  readonly rows: readonly Recomputed[]
  readonly quotes: readonly OptionQuote[]
}

const proofs: Proof[] = []
beforeAll(async () => {
  const recorded = await recordedMarket('SPY', '2026-07-29')
  const made = await syntheticMarket('AAPL', '2026-06-10', '14:06:00')
  for (const [market, moment] of [
    [recorded, { date: '2026-07-29', u: 0 }],
    [made, { date: '2026-06-10', u: 114 / 390 }]
  ] as const) {
    if (market === undefined) continue
    const quotes = asked<readonly OptionQuote[]>('/optionquote/{ticker}', market)!
    const { svi_parameters } = asked<AdvVolatility>('/v1/adv_volatility/{symbol}', market)!
    proofs.push({ market, quotes, rows: recompute(quotes, svi_parameters, market.chain.spot, moment) })
  }
})

const names = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const

test('the greeks of /optionquote are those of the quotes beside them', () => {
  expect(proofs.length).toBeGreaterThan(0)
  for (const { quotes, rows } of proofs) {
    const mine = new Map(rows.map((row) => [row.occ_symbol, row]))
    expect(rows.length).toBeGreaterThan(1000)
    expect(quotes.filter(({ delta }) => delta !== null).length).toBe(rows.length)
    for (const name of names) {
      const largest = Math.max(...rows.map(({ greeks }) => Math.abs(greeks[name])))
      const off = quotes.map((quote) => Math.abs((quote[name] ?? 0) - (mine.get(quote.occ_symbol)?.greeks[name] ?? 0)))
      expect(Math.max(...off) / largest, name).toBeLessThan(1e-6)
    }
  }
})

test.each([
  [
    'gex',
    'call_gex',
    'put_gex',
    (row: Recomputed, spot: number) => signOf(row) * row.greeks.gamma * spot * spot * 0.01
  ],
  ['dex', 'call_dex', 'put_dex', (row: Recomputed, spot: number) => row.greeks.delta * spot],
  ['vex', 'call_vex', 'put_vex', (row: Recomputed, spot: number) => signOf(row) * row.greeks.vanna * spot],
  ['chex', 'call_chex', 'put_chex', (row: Recomputed, spot: number) => signOf(row) * row.greeks.charm * spot]
] as const)('%s agrees with sums of the quotes to a millionth of the gross, at every strike and in all', (name, call, put, perContract) => {
  for (const { market, rows } of proofs) {
    const spot = market.chain.spot
    const answer = asked<Gex | ByStrike>(`/v1/exposure/${name}/{symbol}`, market) as ByStrike
    const sums = new Map<string, number>()
    let [net, gross] = [0, 0]
    for (const row of rows) {
      const exposure = perContract(row, spot) * row.open_interest * 100
      sums.set(`${row.type}${row.strike}`, (sums.get(`${row.type}${row.strike}`) ?? 0) + exposure)
      net += exposure
      gross += Math.abs(exposure)
    }
    const worst = Math.max(
      ...answer.strikes.map((row) =>
        Math.max(
          Math.abs(row[call] - (sums.get(`C${row.strike}`) ?? 0)),
          Math.abs(row[put] - (sums.get(`P${row.strike}`) ?? 0))
        )
      )
    )
    expect(gross).toBeGreaterThan(0)
    expect(worst / gross).toBeLessThan(1e-6)
    expect(Math.abs((answer[`net_${name}`] as number) - net) / gross).toBeLessThan(1e-6)
  }
})

test('delta-adjusted gamma agrees with sums of the quotes to a millionth of the gross', () => {
  for (const { market, rows } of proofs) {
    const spot = market.chain.spot
    const { strikes, totals } = asked<Sheet>('/v1/exposure/sheet/{symbol}', market)!
    const sums = new Map<number, number>()
    let [net, gross] = [0, 0]
    for (const row of rows) {
      const { delta, gamma } = row.greeks
      const exposure = signOf(row) * Math.abs(delta) * gamma * row.open_interest * 100 * spot * spot * 0.01
      sums.set(row.strike, (sums.get(row.strike) ?? 0) + exposure)
      net += exposure
      gross += Math.abs(exposure)
    }
    const worst = Math.max(...strikes.map((row) => Math.abs(row.dag - (sums.get(row.strike) ?? 0))))
    expect(worst / gross).toBeLessThan(1e-6)
    expect(Math.abs(totals.net_dag - net) / gross).toBeLessThan(1e-6)
  }
})

test('theta of an expiration agrees with the sum over its quotes', () => {
  for (const { market, rows } of proofs) {
    const expiry = market.chain.expirations[3].date
    const { decay } = asked<ZeroDte>('/v1/exposure/zero-dte/{symbol}', market, { expiry })!
    const held = rows.filter((row) => row.expiry === expiry)
    const theta = held.reduce((sum, { greeks, open_interest }) => sum + greeks.theta * open_interest * 100, 0)
    expect(Math.abs(decay.net_theta_dollars! / theta - 1)).toBeLessThan(1e-6)
  }
})

const signOf = ({ type }: OptionQuote) => (type === 'C' ? 1 : -1)
