import { describe, expect, test } from 'vitest'
import { CALL, type Chain, UNKNOWN } from '../../src/market/chain.ts'
import { chainQuality } from '../../src/quality/chain-quality.ts'
import type { CheckId } from '../../src/quality/quality-check.ts'
import { type ChainSketch, jumbled, ladder, type SeriesSketch, sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'

// A chain without fault, and chains with one fault each: the check for it costs points, and no other does.

const held = (strike: number, right: number) => 50 + jumbled(strike, right, 900)
const month: SeriesSketch = { date: '2026-08-28', strikes: ladder(90, 110, 2.5), oi: held, volume: 20 }
const quarter: SeriesSketch = { ...month, date: '2026-09-18' }
const sound: ChainSketch = { date: '2026-07-29', time: '11:00', spot: 100.3, series: [month, quarter] }
const before: ChainSketch = {
  ...sound,
  date: '2026-07-28',
  time: '16:00',
  spot: 99.8,
  series: sound.series.map((one) => ({ ...one, oi: (strike: number, right: number) => held(strike, right) + 7 }))
}

/** The sound chain with its rows, or what is around them, changed. */
const changed = (by: Partial<SeriesSketch>) => ({ ...sound, series: sound.series.map((one) => ({ ...one, ...by })) })

/** Bid and ask of a contract of the sound chain, changed. */
function requoted(change: (quote: Quote, at: Place) => void, sketch: ChainSketch = sound): Chain {
  const chain = sketched(sketch)
  for (const { start, end, date } of chain.expirations) {
    for (let i = start; i < end; i++) {
      const quote = { bid: chain.bid[i], ask: chain.ask[i] }
      change(quote, { strike: chain.strike[i], isCall: chain.right[i] === CALL, date })
      chain.bid[i] = quote.bid
      chain.ask[i] = quote.ask
    }
  }
  return chain
}

interface Quote {
  bid: number
  ask: number
}

interface Place {
  readonly strike: number
  readonly isCall: boolean
  readonly date: string
}

/** Points that each check deducts from a chain compared with its prior close. */
function costs(chain: Chain, prior: Chain | undefined = sketched(before)): Partial<Record<CheckId, number>> {
  const { checks } = chainQuality(priced(chain), prior && priced(prior))
  return Object.fromEntries(checks.flatMap(({ id, deduction }) => (deduction === 0 ? [] : [[id, deduction]])))
}

const findingOf = (chain: Chain, id: CheckId, prior?: Chain) =>
  chainQuality(priced(chain), prior && priced(prior)).checks.find((check) => check.id === id)!.value

test('a chain without fault costs nothing, and every check of it could be made', () => {
  expect(costs(sketched(sound))).toEqual({})
  const { checks } = chainQuality(priced(sketched(sound)), priced(sketched(before)))
  expect(checks.filter(({ value }) => value === undefined)).toEqual([])
})

describe('one fault costs the points of its check alone', () => {
  test('contracts near spot without a bid', () => {
    // Six of 32 contracts: 81.25 %, 13.75 points short of 95, of the 45 that cost 20.
    const chain = requoted((quote, { strike, isCall }) => {
      if (isCall ? strike <= 95 : strike >= 110) quote.bid = 0
    })
    expect(findingOf(chain, 'two_sided')).toBeCloseTo(81.25, 10)
    expect(costs(chain)).toEqual({ two_sided: 6 })
  })

  test('locked quotes', () => {
    // One of 32: 3.125 %, 6.25 of the ten points that 5 % cost.
    const chain = requoted((quote, { strike, isCall, date }) => {
      if (strike === 105 && isCall && date === month.date) quote.bid = quote.ask = (quote.bid + quote.ask) / 2
    })
    expect(findingOf(chain, 'crossed')).toBeCloseTo(3.125, 10)
    expect(costs(chain)).toEqual({ crossed: 6 })
  })

  test('wide spreads', () => {
    const chain = requoted((quote) => {
      const mid = (quote.bid + quote.ask) / 2
      quote.bid = 0.92 * mid
      quote.ask = 1.08 * mid
    })
    expect(findingOf(chain, 'spread')).toBeCloseTo(16, 8)
    expect(costs(chain)).toEqual({ spread: 6 }) // 5.5, half up
  })

  test('calls and puts that contradict each other', () => {
    const chain = requoted((quote, { strike, isCall }) => {
      const shift = isCall ? (strike % 5 === 0 ? 0.025 : -0.025) : 0
      quote.bid += shift
      quote.ask += shift
    })
    expect(findingOf(chain, 'parity')).toBeGreaterThan(1.1)
    expect(Object.keys(costs(chain))).toEqual(['parity'])
  })

  test('an expiration whose volatilities are noise', () => {
    const noisy = { sigma: (strike: number) => 0.2 + (strike % 5 === 0 ? 0.02 : -0.02) }
    const chain = sketched({ ...sound, series: [{ ...month, ...noisy }, quarter] })
    expect(findingOf(chain, 'smile')).toBe(50)
    expect(costs(chain)).toEqual({ smile: 7 }) // 40 of 60 short of 90: 6.7
  })

  test('a vertical for less than nothing', () => {
    const chain = requoted((quote, { strike, isCall, date }) => {
      if (strike !== 95 || !isCall || date !== month.date) return
      quote.bid += 3
      quote.ask += 3
    })
    expect(findingOf(chain, 'arbitrage')).toBeCloseTo(100 / 28, 10)
    expect(costs(chain)).toEqual({ arbitrage: 10 })
  })

  test('expirations that are gone, and none that has ended', () => {
    const further = ['2026-07-28', '2026-10-16', '2026-11-20', '2026-12-18'].map((date) => ({ ...month, date }))
    const prior = (count: number) => sketched({ ...before, series: [...before.series, ...further.slice(0, count)] })
    expect([1, 2, 3, 4].map((count) => costs(sketched(sound), prior(count)).missing_expirations)).toEqual([
      undefined,
      10,
      20,
      20
    ])
    expect(findingOf(sketched(sound), 'missing_expirations', prior(4))).toBe(3)
  })

  test('open interest of the day before', () => {
    const prior = sketched({ ...before, series: sound.series })
    expect(costs(sketched(sound), prior)).toEqual({ open_interest_date: 20 })
    const untraded = sketched({ ...before, series: sound.series.map((one) => ({ ...one, volume: 0 })) })
    expect(findingOf(sketched(sound), 'open_interest_date', untraded)).toBeUndefined()
    // On a Saturday nothing was settled since.
    const saturday = sketched({ ...sound, date: '2026-08-01' })
    expect(findingOf(saturday, 'open_interest_date', prior)).toBeUndefined()
  })

  test('a spot of another moment', () => {
    // The nearest options expire in 30 days, so carry may explain most of the 2 %.
    const chain = { ...sketched(sound), spot: 100.3 * 1.02 }
    expect(findingOf(chain, 'spot')).toBeCloseTo(0.445, 3)
    expect(costs(chain)).toEqual({ spot: 3 }) // 0.195 of 0.75: 2.6
  })
})

test('what cannot be checked is said, and costs points where it matters', () => {
  const bare = sketched({ ...changed({ quote: () => [Number.NaN, Number.NaN], oi: UNKNOWN }) })
  const { checks, deducted } = chainQuality(priced(bare), undefined)
  const lacking = checks.filter(({ state }) => state === 'not_checkable').map(({ id }) => id)
  expect(lacking).toEqual([
    'crossed',
    'spread',
    'parity',
    'smile',
    'arbitrage',
    'missing_expirations',
    'open_interest_date',
    'spot',
    'open_interest',
    'settlement',
    'frozen_quotes'
  ])
  // 20 for sides that are due and not there, and the most for parity, spot and open interest.
  expect(deducted).toBe(20 + 10 + 40 + 65)
})
