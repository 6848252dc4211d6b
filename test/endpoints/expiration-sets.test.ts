import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { datesOf, liveScope } from '../../src/exposure/scope.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { asked, endpointAt, type Query, textOf } from '../support/asking.ts'
import { traded } from '../support/made-up-flow.ts'
import { allMarkets, type Market } from '../support/markets.ts'

type Row = Readonly<Record<string, number>>
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes are compared
type Answer = any

const paths = endpoints.flatMap(({ path, params }) => ('expirations' in params ? [path] : []))
const exposure = (name: string) => `/v1/exposure/${name}/{symbol}`

let markets: readonly { readonly market: Market; readonly dates: readonly IsoDate[] }[]
beforeAll(async () => {
  const all = (await allMarkets()).map((market, k) => traded(market, k))
  markets = all.flatMap((market) => {
    const dates = datesOf(liveScope(market.chain)).slice(0, 4)
    return dates.length >= 2 ? [{ market, dates }] : []
  })
})

/** Fields that repeat the filter, or that only answers about one date have. */
const aboutFilter = ['scope', 'expiration', 'is_opex', 'is_triple_witching', 'max_pain_by_expiration']
const withoutScope = (answer: Answer) =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => !aboutFilter.includes(name)))

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
/** Answers are rounded, so a sum of `terms` of them may be off by as many half units. */
const isSum = (whole: number, parts: readonly number[], unit = 0.01) =>
  Math.abs(whole - sumOf(parts)) <= (unit / 2) * (parts.length + 1) + 1e-9 * sumOf(parts.map(Math.abs))

/** Fields of a row that are numbers and sums. */
const additive = /^(call|put|net|total)_(gex|dex|vex|chex|oi|volume)$|^dag$/
/** Max pain lists a strike of a date only where it has open interest. */
const openInterest = /^(call|put|total)_oi$/

function expectSummedRows(whole: readonly Row[], parts: readonly (readonly Row[])[], fields = additive): void {
  const strikes = [...new Set(parts.flat().map(({ strike }) => strike))].sort((a, b) => a - b)
  expect(whole.map(({ strike }) => strike)).toEqual(strikes)
  for (const row of whole) {
    const alike = parts.flat().filter(({ strike }) => strike === row.strike)
    for (const [name, value] of Object.entries(row)) {
      if (!fields.test(name)) continue
      expect(
        isSum(
          value,
          alike.map((each) => each[name])
        ),
        `${name} at ${row.strike}: ${value}`
      ).toBe(true)
    }
  }
}

function expectSums(whole: Answer, parts: readonly Answer[], fields: readonly ((answer: Answer) => number)[]): void {
  for (const field of fields) {
    expect(isSum(field(whole), parts.map(field)), `${field}: ${field(whole)} of ${parts.map(field)}`).toBe(true)
  }
}

/** What must hold between the answer about a set and those about its dates, by path. */
const unions: Readonly<Record<string, (whole: Answer, parts: readonly Answer[], market: Market) => void>> = {
  ...Object.fromEntries(
    ['gex', 'dex', 'vex', 'chex'].map((name) => [
      exposure(name),
      (whole: Answer, parts: readonly Answer[]) => {
        expectSums(whole, parts, [(answer) => answer[`net_${name}`], ({ scope }) => scope.contracts])
        expectSummedRows(
          whole.strikes,
          parts.map(({ strikes }) => strikes)
        )
      }
    ])
  ),
  [exposure('sheet')]: (whole, parts) => {
    const totals = ['net_gex', 'net_dex', 'net_vex', 'net_chex', 'net_dag'] as const
    expectSums(
      whole,
      parts,
      totals.map((name) => (answer: Answer) => answer.totals[name])
    )
    expectSummedRows(
      whole.strikes,
      parts.map(({ strikes }) => strikes)
    )
  },
  [exposure('summary')]: (whole, parts) => {
    const names = ['net_gex', 'net_dex', 'net_vex', 'net_chex'] as const
    expectSums(
      whole,
      parts,
      names.map((name) => (answer: Answer) => answer.exposures[name])
    )
    expect(whole.zero_dte).toEqual(parts[0].zero_dte) // it is about the whole chain
  },
  [exposure('levels')]: (whole, parts, market) => {
    const rows = asked<Answer>(exposure('gex'), market, { expirations: whole.scope.filter }).strikes as readonly Row[]
    const most = Math.max(...rows.map(({ call_gex }) => call_gex))
    const wall = rows.find(({ strike }) => strike === whole.levels.call_wall)
    expect(wall?.call_gex ?? 0).toBe(Math.max(0, most))
    expect(whole.levels_by_scope).toEqual(parts[0].levels_by_scope)
  },
  [exposure('higher')]: (whole, parts) => {
    for (const name of ['speed', 'zomma', 'vomma']) {
      expectSums(whole, parts, [(answer) => answer[`net_${name}`]])
      expectSummedRows(
        whole.strikes,
        parts.map(({ strikes }) => strikes),
        new RegExp(`^(call|put|net)_${name}$`)
      )
    }
  },
  [exposure('profile')]: (whole, parts) => {
    for (const name of ['gex', 'dex', 'vex', 'chex'] as const) {
      expectSums(
        whole,
        parts,
        whole.spots.map((_: number, k: number) => (answer: Answer) => answer[name][k])
      )
    }
  },
  [exposure('models')]: (whole, parts) => {
    whole.models.forEach((model: Answer, k: number) => {
      if (!model.available) return
      const names = ['net_gex', 'net_vex', 'net_chex', 'dealer_delta'] as const
      expectSums(
        whole,
        parts,
        names.map((name) => (answer: Answer) => answer.models[k][name])
      )
    })
  },
  [exposure('bands')]: (whole, parts) => {
    const names = ['net_gex', 'net_dex', 'net_vex', 'net_chex'] as const
    expectSums(
      whole,
      parts,
      names.map((name) => (answer: Answer) => answer[name].value)
    )
  },
  [exposure('chart-levels')]: (whole, parts, market) => {
    const { levels } = asked<Answer>(exposure('levels'), market, { expirations: whole.scope.filter })
    const wall = whole.levels.find(({ id }: Answer) => id === 'call_wall')
    expect(wall?.price ?? null).toBe(levels.call_wall)
    expect(parts.length).toBeGreaterThan(1)
  },
  [exposure('matrix')]: (whole, parts) => {
    expect(whole.columns).toEqual(parts.flatMap(({ columns }) => columns))
    expect(whole.column_totals).toEqual(parts.flatMap(({ column_totals }) => column_totals))
    expect(whole.outside).toEqual(parts.flatMap(({ outside }) => outside))
    const cell = (answer: Answer, strike: number, column: number) =>
      answer.values[answer.strikes.indexOf(strike)]?.[column] ?? null
    whole.strikes.forEach((strike: number, k: number) => {
      expect(whole.values[k]).toEqual(parts.map((part) => cell(part, strike, 0)))
    })
  },
  '/v1/maxpain/{symbol}': (whole, parts) => {
    expectSummedRows(
      whole.oi_by_strike,
      parts.map(({ oi_by_strike }) => oi_by_strike),
      openInterest
    )
    const rows = whole.oi_by_strike as readonly Row[]
    for (const { strike, call_pain, put_pain } of whole.pain_curve as readonly Row[]) {
      const calls = sumOf(rows.map((row) => 100 * row.call_oi * Math.max(0, strike - row.strike)))
      const puts = sumOf(rows.map((row) => 100 * row.put_oi * Math.max(0, row.strike - strike)))
      expect(isSum(call_pain, [calls])).toBe(true)
      expect(isSum(put_pain, [puts])).toBe(true)
    }
    const least = Math.min(...whole.pain_curve.map(({ total_pain }: Row) => total_pain))
    const lowest = whole.pain_curve.find(({ strike }: Row) => strike === whole.max_pain_strike)
    expect(lowest.total_pain).toBe(least)
    const listed = whole.max_pain_by_expiration.map(({ expiration }: Answer) => expiration)
    expect(whole.scope.expirations).toEqual(expect.arrayContaining(listed))
  },
  [exposure('attribution')]: (whole, parts) => {
    for (const measure of ['gex', 'dex', 'vex', 'chex']) {
      const names = Object.keys(whole[measure])
      expectSums(
        whole,
        parts,
        names.map((name) => (answer: Answer) => answer[measure][name])
      )
    }
    expectSums(whole, parts, [({ contracts }) => contracts.common])
  },
  [exposure('explain')]: (whole, parts) => {
    expectSums(whole, parts, [(answer) => answer.value, (answer) => answer.contributions.gross])
  }
}

describe('every exposure answer about a set of expirations', () => {
  test('has a rule of its own here', () => {
    expect(Object.keys(unions).sort()).toEqual([...paths].sort())
  })

  test.each(Object.entries(unions))('%s is the union of those about its dates', (path, expectUnion) => {
    let compared = 0
    for (const { market, dates } of markets) {
      const parts = dates.map((date) => asked<Answer>(path, market, { expirations: date }))
      const whole = asked<Answer>(path, market, { expirations: [...dates].reverse().join() })
      if (whole === undefined || parts.includes(undefined)) continue
      expect(whole.scope.expirations, market.name).toEqual(dates)
      expect(whole.scope.filter).toBe(dates.join())
      expectUnion(whole, parts, market)
      compared++
    }
    expect(compared).toBeGreaterThan(3)
  })

  test.each(
    paths.filter((path) => 'expiration' in endpointAt(path).params)
  )('%s about a set of one date is that about the date', (path) => {
    for (const { market, dates } of markets) {
      for (const date of dates) {
        const [one, set] = [{ expiration: date }, { expirations: date }].map((query) =>
          asked<Answer>(path, market, query)
        )
        expect(set === undefined, `${market.name} ${date}`).toBe(one === undefined)
        if (set === undefined || one === undefined) continue
        expect(withoutScope(set)).toEqual(withoutScope(one))
        if (one.scope !== undefined) expect(set.scope.contracts).toBe(one.scope.contracts)
      }
    }
  })

  test.each(paths)('%s says nothing of a set that was not asked for', (path) => {
    for (const { market } of markets.slice(0, 3)) {
      const plain = asked<Answer>(path, market)
      expect(plain?.scope ?? {}).not.toHaveProperty('filter')
      if (path === exposure('summary')) expect(plain).not.toHaveProperty('scope')
    }
  })

  test('refuses a set beside expiration, days the wrong way round, and lists that cannot be read', () => {
    const [{ market }] = markets
    const codeOf = (query: Query) => textOf(endpointAt(exposure('gex')), market, query)
    for (const query of [
      { expiration: '0dte', expirations: '0dte' },
      { expiration: '0dte', dte_max: '5' },
      { dte_min: '5', dte_max: '4' },
      { expirations: '2026-07-31,tomorrow' },
      { expirations: Array.from({ length: 61 }, (_, k) => `20${30 + k}-01-15`).join() },
      { dte_max: '4001' },
      { expiry_type: 'monthly,yearly' }
    ]) {
      expect(codeOf(query), JSON.stringify(query)).toEqual({ code: 'invalid_expirations' })
    }
    expect(codeOf({ expirations: '2031-01-15' })).toEqual({ code: 'no_data' })
    expect(textOf(endpointAt(exposure('matrix')), market, { by: 'time', dte_max: '9' })).toEqual({
      code: 'invalid_expirations'
    })
  })
})

describe('the weight of exposures', () => {
  const weighted = ['gex', 'dex', 'vex', 'chex'].map(exposure)

  test.each(weighted)('%s by volume is that by open interest with volume in its place', (path) => {
    const name = `net_${path.split('/')[3]}`
    let compared = 0
    for (const { market } of markets) {
      const { volume, openInterest } = market.chain
      const counted = { ...market.chain, openInterest: Int32Array.from(volume) }
      const swapped = { ...market, name: `${market.name} by volume`, chain: counted }
      const [byVolume, byOi] = [asked<Answer>(path, market, { weight: 'volume' }), asked<Answer>(path, swapped)]
      if (byVolume === undefined || byOi === undefined) continue
      expect(byVolume.weight).toBe('volume')
      expect(byVolume[name]).toBe(byOi[name])
      const exposures = (rows: readonly Row[]) =>
        rows.map((row) => Object.entries(row).filter(([field]) => /strike|ex$/.test(field)))
      const active = (answer: Answer) => exposures(answer.strikes.filter((row: Row) => row[name] !== 0))
      expect(active(byVolume)).toEqual(active(byOi))
      if (openInterest.some((held, k) => held !== volume[k])) compared++
    }
    expect(compared).toBeGreaterThan(3)
  })

  test('leaves open interest in its columns, and plain answers as they are', () => {
    for (const { market } of markets) {
      const plain = asked<Answer>(exposure('gex'), market)
      const byVolume = asked<Answer>(exposure('gex'), market, { weight: 'volume' })
      const byOi = asked<Answer>(exposure('gex'), market, { weight: 'oi' })
      if (plain === undefined || byVolume === undefined) continue
      const held = (rows: readonly Row[]) => new Map(rows.map((row) => [row.strike, [row.call_oi, row.put_oi]]))
      const before = held(plain.strikes)
      for (const [strike, counts] of held(byVolume.strikes)) expect(counts).toEqual(before.get(strike) ?? [0, 0])
      expect(plain).not.toHaveProperty('weight')
      expect({ ...byOi, weight: undefined }).toEqual({ ...plain, weight: undefined })
    }
  })

  test('effective is that of the simulator of open interest, and needs a tape', () => {
    let compared = 0
    for (const { market } of markets) {
      const effective = asked<Answer>(exposure('gex'), market, { weight: 'effective' })
      const live = asked<Answer>('/v1/flow/gex/{symbol}', market)
      if (effective === undefined || live === undefined) continue
      expect(effective.net_gex).toBe(live.live_net_gex)
      compared++
    }
    expect(compared).toBeGreaterThan(0)
    const { positions: _, ...untaped } = markets[0].market
    expect(textOf(endpointAt(exposure('gex')), untaped, { weight: 'effective' })).toEqual({ code: 'no_data' })
  })

  test('is refused beside a dealer model that says itself who holds what', () => {
    const [{ market }] = markets
    const query = { weight: 'volume', dealer_model: 'all_short' }
    for (const path of [...weighted, exposure('profile')]) {
      expect(textOf(endpointAt(path), market, query)).toEqual({ code: 'invalid_weight' })
    }
    expect(textOf(endpointAt(exposure('gex')), market, { ...query, dealer_model: 'convention' })).toHaveProperty('text')
  })
})
