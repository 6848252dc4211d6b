import { beforeAll, describe, expect, test } from 'vitest'
import { expiringScope, liveScope, type Scope } from '../../src/exposure/scope.ts'
import { isDecayKnown, netTheta } from '../../src/exposure/time-decay.ts'
import { CALL, type Chain, UNKNOWN } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import type { ByStrike, OptionQuote, ZeroDte } from '../endpoints/answers.ts'
import { asked } from '../support/asking.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { eastern, jumbled, ladder, type SeriesSketch, sketched } from '../support/hand-made.ts'
import { type Market, priced, recordedChain, syntheticMarket } from '../support/markets.ts'
import { scalarGreeks } from '../support/scalar.ts'

// What expires today once more, contract by contract: its time value and its delta from Black's formula or a tree, its
// time from the wall clock. Nothing of the service is used but the volatilities and rates of the priced chain.

const times = ['09:31', '12:00', '15:45', '15:59'] as const
const folder = recordedPayloads()

let markets: readonly Market[] = []
beforeAll(async () => {
  const synthetic = await Promise.all(times.map((time) => syntheticMarket('SPY', '2026-06-10', time)))
  // Quotes of a recorded evening, at moments of the next day: what expires then has a night and less left.
  const raw = folder === undefined ? undefined : await recordedChain(folder, 'SPY', '2022-07-12')
  const recorded = raw === undefined ? [] : times.map((time) => recordedAt(raw, time))
  const altered = times.flatMap((time) => alterations.map(([name, series]) => handMadeAt(name, series, time)))
  markets = [...synthetic, ...recorded, ...altered]
})

const recordedAt = (raw: Chain, time: string) =>
  alone(`recorded SPY at ${time}`, priced({ ...raw, asOf: eastern('2022-07-13', time) }, defaultAssumptions))

const alone = (name: string, chain: PricedChain): Market => ({ name, chain, prior: undefined, vix: undefined })

const open = (strike: number, right: number) => jumbled(strike, right, 900)
const today: SeriesSketch = { date: '2026-07-29', strikes: ladder(90, 110, 0.5), sigma: 0.35, oi: open }
const month: SeriesSketch = { ...today, date: '2026-08-28', strikes: ladder(80, 120, 5) }
const deep = (strike: number, right: number) => (right === CALL ? strike < 94 : strike > 106)
const nothing = [Number.NaN, Number.NaN] as const
const alterations: readonly (readonly [string, readonly SeriesSketch[]])[] = [
  ['as it is', [today, month]],
  ['half of it open', [{ ...today, oi: (strike, right) => (jumbled(strike, right, 2) ? open(strike, right) : 0) }]],
  ['open interest partly unknown', [{ ...today, oi: (k, right) => (jumbled(k, right, 3) ? open(k, right) : UNKNOWN) }]],
  ['wide quotes', [{ ...today, spread: 0.6 }, month]],
  ['calm', [{ ...today, sigma: 0.02 }]],
  ['wild', [{ ...today, sigma: 3 }]],
  ['one-sided', [{ ...today, quote: (k, right) => (jumbled(k, right, 4) ? undefined : [Number.NaN, 1]) }, month]],
  ['deep in the money alone', [{ ...today, quote: (k, right) => (deep(k, right) ? undefined : nothing) }]],
  ['calls alone', [{ ...today, rights: [0] }, month]]
]

function handMadeAt(name: string, series: readonly SeriesSketch[], time: string): Market {
  const chain = priced(sketched({ date: '2026-07-29', time, spot: 100.13, series }))
  return alone(`${name} at ${time}`, chain)
}

interface Left {
  readonly slot: number
  readonly open: number
  readonly timeValue: number
  readonly delta: number
  readonly deltaAtClose: number
}

/** Years to the close on the wall clock: minutes left of 390, never less than one, of 252 sessions. */
function yearsLeft({ asOf }: PricedChain): number {
  const [hours, minutes] = new Date(asOf).toLocaleTimeString('en-GB', { timeZone: 'America/New_York' }).split(':')
  return Math.max(960 - 60 * Number(hours) - Number(minutes), 1) / 390 / 252
}

/** The open contracts of today that have a volatility, each priced alone. */
function leftOf({ chain }: Market): readonly Left[] {
  const date = easternDate(chain.asOf)
  const at = chain.expirations.findIndex((listed) => listed.date === date)
  const { start, end } = chain.expirations[at]
  const { rate, american } = chain.carries[at]
  const found: Left[] = []
  for (let slot = start; slot < end; slot++) {
    const held = chain.openInterest[slot]
    if (held <= 0 || !(chain.sigma[slot] > 0)) continue
    const [call, strike, spot] = [chain.right[slot] === CALL, chain.strike[slot], chain.carries[at].spot]
    const terms = { call, strike, spot, rate, sigma: chain.sigma[slot], t: yearsLeft(chain), dividendYield: 0.013 }
    const { price, delta } = american === undefined ? scalarGreeks(terms) : treePrice(terms)
    const intrinsic = Math.max(call ? spot - strike : strike - spot, 0)
    const side = call ? 1 : -1
    const isInTheMoney = spot === strike ? 0.5 : side * (spot - strike) > 0 ? 1 : 0
    found.push({
      slot,
      open: held,
      timeValue: Math.max(price - intrinsic, 0),
      delta,
      deltaAtClose: side * isInTheMoney
    })
  }
  return found
}

type Terms = Parameters<typeof scalarGreeks>[0]

/** An American option on a binomial tree of Cox, Ross and Rubinstein (1979); far strikes need no tree. */
function treePrice(terms: Terms) {
  const european = scalarGreeks(terms)
  const { call, spot, strike, t, sigma, rate, dividendYield } = terms
  const side = call ? 1 : -1
  if (Math.abs(Math.log(spot / strike)) > 6 * sigma * Math.sqrt(t)) {
    return { price: Math.max(european.price, side * (spot - strike)), delta: side * (spot - strike) > 0 ? side : 0 }
  }
  const steps = 200
  const up = Math.exp(sigma * Math.sqrt(t / steps))
  const discount = Math.exp((-rate * t) / steps)
  const p = (Math.exp(((rate - dividendYield) * t) / steps) - 1 / up) / (up - 1 / up)
  const value = (isAmerican: boolean) => {
    const values = Array.from({ length: steps + 1 }, (_, k) =>
      Math.max(side * (spot * up ** (2 * k - steps) - strike), 0)
    )
    let slope = 0
    for (let step = steps - 1; step >= 0; step--) {
      for (let k = 0; k <= step; k++) {
        const held = discount * (p * values[k + 1] + (1 - p) * values[k])
        values[k] = isAmerican ? Math.max(held, side * (spot * up ** (2 * k - step) - strike)) : held
      }
      if (step === 1) slope = (values[1] - values[0]) / (spot * (up - 1 / up))
    }
    return { price: values[0], delta: slope }
  }
  // The error of the tree is nearly that of the European option on it, whose exact figures are known.
  const [american, alike] = [value(true), value(false)]
  return {
    price: european.price + american.price - alike.price,
    delta: european.delta + american.delta - alike.delta
  }
}

const zeroDteOf = (market: Market) => asked<ZeroDte>('/v1/exposure/zero-dte/{symbol}', market, { strike_range: '0.1' })!
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const isAmericanMarket = ({ chain }: Market) => chain.carries.some(({ american }) => american !== undefined)
const signOf = ({ chain }: Market, slot: number) => (chain.right[slot] === CALL ? 1 : -1)

test('decay left is minus the time value that the open contracts hold, and per hour it is that over the hours left', () => {
  expect(markets.length).toBeGreaterThan(30)
  for (const market of markets) {
    const left = leftOf(market)
    const { decay, time_to_close_hours: hours } = zeroDteOf(market)
    if (left.length === 0) {
      expect(decay.net_theta_dollars, market.name).toBeNull()
      continue
    }
    const held = sum(left.map(({ timeValue, open }) => timeValue * open * 100))
    const slack = (isAmericanMarket(market) ? 1e-3 : 1e-6) * held + 0.01
    expect(Math.abs(decay.net_theta_dollars! + held), market.name).toBeLessThanOrEqual(slack)
    const perHour = decay.net_theta_dollars! / hours
    expect(Math.abs(decay.theta_per_hour_remaining! / perHour - 1), market.name).toBeLessThan(hours < 0.1 ? 5e-3 : 1e-4)
  }
})

test('charm to the close is the delta at the close as things stand less the delta of now', () => {
  for (const market of markets) {
    const { spot } = market.chain
    const net = sum(
      leftOf(market).map(({ slot, open, delta, deltaAtClose }) => {
        return signOf(market, slot) * (deltaAtClose - delta) * open * 100 * spot
      })
    )
    const gross = sum(leftOf(market).map(({ open }) => open * 100 * spot))
    const slack = (isAmericanMarket(market) ? 1e-4 : 1e-7) * gross + 0.01
    expect(Math.abs(zeroDteOf(market).exposures.net_chex - net), market.name).toBeLessThanOrEqual(slack)
  }
})

describe('at any time of any chain', () => {
  test('decay left is at most the time value left, and charm to the close at most the deltas that exist', () => {
    for (const market of markets) {
      const { chain } = market
      const left = leftOf(market)
      const { decay, exposures } = zeroDteOf(market)
      const timeValue = sum(left.map(({ timeValue, open }) => timeValue * open * 100))
      const deltas = sum(
        left.map(({ open, delta, deltaAtClose }) => Math.max(Math.abs(delta), Math.abs(deltaAtClose)) * open)
      )
      expect(Math.abs(decay.net_theta_dollars ?? 0), market.name).toBeLessThanOrEqual(1.001 * timeValue + 0.01)
      expect(Math.abs(exposures.net_chex), market.name).toBeLessThanOrEqual(1.0001 * deltas * 100 * chain.spot + 0.01)
    }
  })

  test('the whole chain adds what expires today to the close, and all later expirations by the day', () => {
    for (const market of markets) {
      const { chain } = market
      const date = easternDate(chain.asOf)
      const later = sum(
        chain.expirations.flatMap(({ date: of, start, end }) =>
          of === date
            ? []
            : Array.from({ length: end - start }, (_, k) => {
                const exposure = chain.charm[start + k] * Math.max(chain.openInterest[start + k], 0) * 100 * chain.spot
                return Number.isNaN(exposure) ? 0 : signOf(market, start + k) * exposure
              })
        )
      )
      const whole = asked<ByStrike>('/v1/exposure/chex/{symbol}', market)! as unknown as { net_chex: number }
      const expected = zeroDteOf(market).exposures.net_chex + later
      expect(Math.abs(whole.net_chex - expected), market.name).toBeLessThanOrEqual(1e-7 * Math.abs(expected) + 0.02)
    }
  })

  test('greeks of single contracts stay by the day, with a note on the last day alone', () => {
    for (const market of markets.filter(({ name }) => name.startsWith('as it is'))) {
      const quotes = asked<readonly OptionQuote[]>('/optionquote/{ticker}', market)!
      for (const quote of quotes as readonly (OptionQuote & { readonly greeks_note?: string })[]) {
        expect('greeks_note' in quote).toBe(quote.expiry === '2026-07-29')
      }
      expect('greeks_note' in zeroDteOf(market)).toBe(true)
      expect('greeks_note' in asked<ZeroDte>('/v1/exposure/zero-dte/{symbol}', market, { expiry: '2026-08-28' })!).toBe(
        false
      )
    }
  })
})

test('AM-settled contracts of today run to 09:30, and are in no sum from then on', () => {
  const am: SeriesSketch = { ...today, root: 'TEST', settlement: 'am' }
  const pm: SeriesSketch = { ...today, root: 'TESTW', strikes: ladder(95, 105, 1) }
  const scopeAt = (time: string, series: readonly SeriesSketch[]): Scope => {
    const { chain } = handMadeAt('AM and PM', series, time)
    return expiringScope(chain, easternDate(chain.asOf))
  }
  const [both, amAlone, pmAlone] = [[am, pm], [am], [pm]].map((series) => netTheta(scopeAt('08:00', series))!)
  expect(amAlone).toBeLessThan(0)
  expect(both).toBeCloseTo(amAlone + pmAlone, 6)
  expect(netTheta(scopeAt('12:00', [am, pm]))).toBeCloseTo(netTheta(scopeAt('12:00', [pm]))!, 6)
  expect(netTheta(scopeAt('12:00', [am]))).toBeUndefined()
})

test('decay is unknown where no open contract has a volatility, and nothing where nothing is open', () => {
  const at = (of: Partial<SeriesSketch>) => liveScope(handMadeAt('', [{ ...today, ...of }], '12:00').chain)
  expect(isDecayKnown(at({}))).toBe(true)
  expect(netTheta(at({ quote: () => nothing }))).toBeUndefined()
  expect(netTheta(at({ oi: UNKNOWN }))).toBeUndefined()
  expect(netTheta(at({ oi: 0 }))! + 0).toBe(0)
  // Only strikes that nobody holds are quoted.
  const unquoted = (strike: number) => (strike < 105 ? nothing : undefined)
  const alone = at({ quote: unquoted, oi: (strike) => (strike < 105 ? 10 : 0) })
  expect([alone.slots.some((i) => alone.chain.sigma[i] > 0), netTheta(alone) === undefined]).toEqual([true, false])
})

test('a chain whose volatility is refused says that decay and charm are unknown, never that they are $0', () => {
  for (const time of times) {
    const market = handMadeAt('refused', [{ ...today, quote: () => nothing }], time)
    const { decay } = zeroDteOf(market)
    expect(decay.net_theta_dollars).toBeNull()
    expect(decay.description).toContain('unknown')
    expect(decay.charm_description).toContain('unknown')
    const { chex_interpretation: words } = asked<ByStrike>('/v1/exposure/chex/{symbol}', market) as unknown as {
      chex_interpretation: string
    }
    expect(words).toContain('unknown')
    for (const text of [decay.description, decay.charm_description, words]) expect(text).not.toContain('$0')
  }
})
