import { beforeAll, expect, test } from 'vitest'
import { easternDate } from '../../src/market/eastern.ts'
import type { AdvVolatility, ByStrike, Gex, OptionQuote, Sheet, SviRow, ZeroDte } from '../endpoints/answers.ts'
import { asked } from '../support/asking.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
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

type Pair = readonly [call: OptionQuote, put: OptionQuote]

/** The forward of European pairs; undefined where they say none. */
function forwardOf(pairs: readonly Pair[], spot: number, t: number, moment: Moment): number | undefined {
  if (pairs.length === 0 || days(moment.date, pairs[0][0].expiry) === 0) return undefined
  const forwards = pairs
    .map(([call, put]) => ({
      gap: midOf(call)! - midOf(put)!,
      forward: call.strike + (midOf(call)! - midOf(put)!) * Math.exp(rate * t),
      spread: call.ask - call.bid + (put.ask - put.bid)
    }))
    .toSorted((a, b) => Math.abs(a.gap) - Math.abs(b.gap))
    .slice(0, 9)
    .toSorted((a, b) => a.forward - b.forward)
  const weight = ({ spread }: (typeof forwards)[number]) => 1 / Math.max(spread, 0.01)
  const half = forwards.reduce((sum, one) => sum + weight(one), 0) / 2
  const upTo = (last: number) => forwards.slice(0, last + 1).reduce((sum, one) => sum + weight(one), 0)
  const at = forwards.findIndex((_, k) => upTo(k) >= half - 1e-9)
  const next = Math.abs(upTo(at) - half) < 1e-9 ? at + 1 : at
  const forward = (forwards[at].forward + forwards[next].forward) / 2
  if (forwards.length < 3) {
    return Math.abs(forward / (spot * Math.exp((rate - configuredYield) * t)) - 1) > 0.05 + 0.25 * t
      ? undefined
      : forward
  }
  const apart = middleOf(forwards.map((one) => Math.abs(one.forward - forward)))
  return apart <= Math.max(middleOf(forwards.map(({ spread }) => spread)) / 2, 0.001 * spot) ? forward : undefined
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** The spot that the nearest options were quoted at. */
function spotOf(forwards: ReadonlyMap<string, number | undefined>, stated: number, moment: Moment): number {
  const near = [...forwards].flatMap(([expiry, forward]) =>
    forward !== undefined && days(moment.date, expiry) <= 7 ? [{ forward, t: yearsTo(expiry, moment) }] : []
  )
  if (near.length === 0) return stated
  const implied = rate - Math.log(near[0].forward / stated) / near[0].t
  if (Math.abs(implied - configuredYield) <= 0.05) return stated
  return middleOf(near.map(({ forward, t }) => forward * Math.exp((configuredYield - rate) * t)))
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

function pairsOf(listed: readonly OptionQuote[]): readonly Pair[] {
  return listed
    .filter(({ type }) => type === 'C')
    .flatMap((call) => {
      const put = listed.find(({ type, strike }) => type === 'P' && strike === call.strike)
      return put && midOf(call) !== undefined && midOf(put) !== undefined ? [[call, put] as const] : []
    })
}

/** Total variance per year at a strike, linear in k between those of the strikes around it. */
function between(known: readonly (readonly [k: number, variance: number])[], k: number): number | undefined {
  const left = known.findLast(([at]) => at <= k)
  const right = known.find(([at]) => at >= k)
  if (left === undefined || right === undefined) return (left ?? right)?.[1]
  return left[0] === right[0] ? left[1] : left[1] + ((k - left[0]) / (right[0] - left[0])) * (right[1] - left[1])
}

function recompute(quotes: readonly OptionQuote[], slices: readonly SviRow[], stated: number, moment: Moment) {
  const found: Recomputed[] = []
  const expiries = [...new Set(quotes.map((quote) => quote.expiry))].toSorted()
  const listedOn = (expiry: string) => quotes.filter((quote) => quote.expiry === expiry)
  const forwards = new Map(
    expiries.map((expiry) => [expiry, forwardOf(pairsOf(listedOn(expiry)), stated, yearsTo(expiry, moment), moment)])
  )
  const spot = spotOf(forwards, stated, moment)
  for (const expiry of expiries) {
    const listed = listedOn(expiry)
    const t = yearsTo(expiry, moment)
    const forward = forwards.get(expiry) ?? spot * Math.exp((rate - configuredYield) * t)
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
    const slice = slices.find((row) => row.expiry === expiry)
    const sibling = (quote: OptionQuote) =>
      listed.find(({ type, strike }) => type !== quote.type && strike === quote.strike)
    const isOwn = (quote: OptionQuote) => own(quote) !== undefined || own(sibling(quote)) !== undefined
    const quoted = listed.map(
      (quote) => own(quote) ?? own(sibling(quote)) ?? smileVolatility(slice, forward, quote.strike, t)
    )
    /** Upper bound of a strike's volatility without a bid, from the ask of the out-of-the-money option. */
    const atMost = (quote: OptionQuote) => {
      const isOut = ({ type, strike }: OptionQuote) => (type === 'C') === strike >= forward
      const out = isOut(quote) ? quote : sibling(quote)
      if (out === undefined || isOwn(out) || out.bid > 0 || !(out.ask > 0)) return Number.POSITIVE_INFINITY
      return volatility(out.ask, out.type === 'C', forward, out.strike, t) ?? Number.POSITIVE_INFINITY
    }
    const known = [...new Set(listed.map(({ strike }) => strike))]
      .toSorted((a, b) => a - b)
      .flatMap((strike) => {
        const sigmas = quoted.filter((sigma, i) => listed[i].strike === strike && sigma !== undefined)
        const mean = sigmas.reduce((sum: number, sigma) => sum + sigma! ** 2, 0) / sigmas.length
        return sigmas.length === 0 ? [] : [[Math.log(strike / forward), mean] as const]
      })
    listed.forEach((quote, i) => {
      const variance = between(known, Math.log(quote.strike / forward))
      const accepted = quoted[i] ?? (variance === undefined ? undefined : Math.sqrt(variance))
      if (accepted === undefined) return
      const sigma = isOwn(quote) ? accepted : Math.min(accepted, atMost(quote))
      const terms = { call: quote.type === 'C', spot, strike: quote.strike, t, rate, sigma }
      const { theta, charm, rho } = scalarGreeks({ ...terms, dividendYield: clockYield })
      found.push({ ...quote, greeks: { ...scalarGreeks({ ...terms, dividendYield }), theta, charm, rho } })
    })
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
  // Taken as European: what early exercise adds is proven apart, in test/pricing/american.
  const recorded = await recordedMarket('SPY', '2026-07-29', undefined, madeUpAssumptions)
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
  [
    'chex',
    'call_chex',
    'put_chex',
    (row: Recomputed, spot: number, date: string) => signOf(row) * charmOf(row, spot, date) * spot
  ]
] as const)('%s agrees with sums of the quotes to a millionth of the gross, at every strike and in all', (name, call, put, perContract) => {
  for (const { market, rows } of proofs) {
    const spot = market.chain.spot
    const answer = asked<Gex | ByStrike>(`/v1/exposure/${name}/{symbol}`, market) as ByStrike
    const sums = new Map<string, number>()
    let [net, gross] = [0, 0]
    for (const row of rows) {
      const exposure = perContract(row, spot, easternDate(market.chain.asOf)) * row.open_interest * 100
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

/** Charm of a day; on the last day, delta at the close at the present spot less delta now. */
function charmOf({ greeks, expiry, strike, type }: Recomputed, spot: number, date: string): number {
  if (expiry !== date) return greeks.charm
  const exercised = spot === strike ? 0.5 : spot > strike === (type === 'C') ? 1 : 0
  return (type === 'C' ? exercised : -exercised) - greeks.delta
}

const signOf = ({ type }: OptionQuote) => (type === 'C' ? 1 : -1)
