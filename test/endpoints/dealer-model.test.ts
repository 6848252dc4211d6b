import { beforeAll, describe, expect, test } from 'vitest'
import { readInputs } from '../../src/api/inputs/load.ts'
import type { MarketSource } from '../../src/api/market-source.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { endpointAt, type Query, textOf } from '../support/asking.ts'
import { traded } from '../support/made-up-flow.ts'
import { allMarkets, handMade, type Market } from '../support/markets.ts'
import type { ByStrike, Gex, Levels, Matrix, Models, NoZeroDte, Profile, Summary, ZeroDte } from './answers.ts'
import { expectAll, expectSum, scopes, total } from './invariants/invariant.ts'

/** The answers that take a model, with parameters that make the largest of them small. */
const taking: Readonly<Record<string, Query>> = {
  '/v1/exposure/gex/{symbol}': {},
  '/v1/exposure/dex/{symbol}': {},
  '/v1/exposure/vex/{symbol}': {},
  '/v1/exposure/chex/{symbol}': {},
  '/v1/exposure/summary/{symbol}': {},
  '/v1/exposure/levels/{symbol}': {},
  '/v1/exposure/zero-dte/{symbol}': {},
  '/v1/exposure/profile/{symbol}': { points: '11' },
  '/v1/exposure/matrix/{symbol}': {},
  '/v1/exposure/higher/{symbol}': {}
}
const ids = ['convention', 'all_short', 'index_overwriting', 'tape'] as const

let markets: readonly Market[]
beforeAll(async () => {
  // Every other market has a tape.
  markets = (await allMarkets()).map((market, k) => (k % 2 === 0 ? market : traded(market, k)))
})

const answers = new WeakMap<Market, Map<string, unknown>>()

/** The parsed answer, undefined where it is refused; asked once for each query. */
function ask<Answer>(path: string, market: Market, query: Query = {}): Answer | undefined {
  let known = answers.get(market)
  if (known === undefined) answers.set(market, (known = new Map()))
  const question = `${path} ${JSON.stringify(query)}`
  if (!known.has(question)) {
    const endpoint = endpointAt(path)
    const result = textOf(endpoint, market, { ...taking[path], ...query }, endpoint.varies)
    known.set(question, 'text' in result ? JSON.parse(result.text) : undefined)
  }
  return known.get(question) as Answer | undefined
}

/** The code of a refusal. */
function refusal(path: string, market: Market, query: Query): string | undefined {
  const result = textOf(endpointAt(path), market, query)
  return 'code' in result ? result.code : undefined
}

type Row = Models['models'][number]

/** Runs a check for every market, expiration and model that has an answer, beside its row of /v1/exposure/models. */
function everywhere(check: (market: Market, query: Query, row: Row) => void): void {
  let cases = 0
  for (const market of markets) {
    // A large chain takes seconds.
    for (const scope of market.chain.size > 3000 ? scopes(market).slice(0, 2) : scopes(market)) {
      const rows = ask<Models>('/v1/exposure/models/{symbol}', market, scope)?.models ?? []
      for (const row of rows.filter(({ available }) => available)) {
        cases++
        try {
          check(market, { ...scope, dealer_model: row.id }, row)
        } catch (error) {
          const place = `${market.name} ${JSON.stringify(scope)} ${row.id}`
          throw new Error(`${place}: ${(error as Error).message}`, { cause: error })
        }
      }
    }
  }
  expect(cases).toBeGreaterThan(100)
}

const isWhole = (query: Query) => !('expiration' in query)

test('ten answers take a model, and no others', () => {
  const found = endpoints.filter(({ params }) => 'dealer_model' in params).map(({ path }) => path)
  expect(found.toSorted()).toEqual(Object.keys(taking).toSorted())
})

test.each(Object.keys(taking))('%s says the same by the convention as without a model, and its name', (path) => {
  const endpoint = endpointAt(path)
  let answers = 0
  for (const market of markets) {
    const query = taking[path]
    const plain = textOf(endpoint, market, query, endpoint.varies)
    const named = textOf(endpoint, market, { ...query, dealer_model: 'Convention' }, endpoint.varies)
    if ('code' in plain) {
      expect(named).toEqual(plain)
      continue
    }
    answers++
    expect(plain.text).not.toContain('dealer_model')
    const { text } = named as { readonly text: string }
    expect(text.replace('"dealer_model":"convention",', '')).toBe(plain.text)
    expect(JSON.parse(text).dealer_model).toBe('convention')
  }
  expect(answers).toBeGreaterThan(15)
})

describe('every model', () => {
  test('has the sums, flip, regime and walls that the comparison of models states', () => {
    everywhere((market, query, row) => {
      const { net_gex, net_vex, net_chex, gamma_flip, regime, call_wall, put_wall } = row
      const gex = ask<Gex>('/v1/exposure/gex/{symbol}', market, query)!
      expect(gex).toMatchObject({ dealer_model: row.id, net_gex, gamma_flip })
      expect(ask('/v1/exposure/vex/{symbol}', market, query)).toMatchObject({ dealer_model: row.id, net_vex })
      expect(ask('/v1/exposure/chex/{symbol}', market, query)).toMatchObject({ dealer_model: row.id, net_chex })
      const levels = ask<Levels>('/v1/exposure/levels/{symbol}', market, query)!
      expect(levels.dealer_model).toBe(row.id)
      expect(levels.levels).toMatchObject({ gamma_flip, call_wall, put_wall })
      if (!isWhole(query)) return
      const summary = ask<Summary>('/v1/exposure/summary/{symbol}', market, query)!
      expect(summary).toMatchObject({ dealer_model: row.id, gamma_flip, regime })
      expect(summary.exposures).toMatchObject({ net_gex, net_vex, net_chex })
      expect(levels.levels_by_scope.all).toMatchObject({ gamma_flip, call_wall, put_wall, net_gex })
    })
  })

  test('has strikes, a profile and a matrix that add up to its sums', () => {
    everywhere((market, query, row) => {
      for (const name of ['gex', 'dex', 'vex', 'chex'] as const) {
        const plain = ask<ByStrike>(`/v1/exposure/${name}/{symbol}`, market, query)!
        const net = plain[`net_${name}`] as number
        expectSum(
          net,
          total(plain.strikes, (strike) => strike[`net_${name}`]),
          plain.strikes.length
        )
        const profile = ask<Profile>('/v1/exposure/profile/{symbol}', market, query)!
        expectSum(profile[name][(profile.spots.length - 1) / 2], net, 1)
        if (!isWhole(query)) continue
        const matrix = ask<Matrix>('/v1/exposure/matrix/{symbol}', market, { ...query, metric: name })!
        const [shown, outside] = [matrix.column_totals, matrix.outside].map((all) => total(all, (value) => value))
        expectSum(net, shown + outside, 2 * matrix.columns.length)
      }
      // The profile prices each contract anew at every spot, its crossings and the flip come from sums over all of them.
      const { crossings, spots, gex } = ask<Profile>('/v1/exposure/profile/{symbol}', market, query)!
      const isCrossedBefore = (k: number) => crossings.some((x) => x >= spots[k - 1] - 0.011 && x <= spots[k] + 0.011)
      expectAll(gex, (value, k) => k === 0 || !(value * gex[k - 1] < 0) || isCrossedBefore(k))
      const flip = row.gamma_flip
      if (flip !== null && flip > spots[0] && flip < spots[spots.length - 1]) expect(crossings).toContain(flip)
    })
  })

  test('leaves delta, open interest, volume, max pain and theta as they are', () => {
    everywhere((market, query) => {
      const { dealer_model, ...plainly } = query
      const both = <Answer>(path: string, more: Query = {}) =>
        [query, plainly].map((asked) => ask<Answer>(path, market, { ...asked, ...more })!)
      const [dex, plainDex] = both<Readonly<Record<string, unknown>>>('/v1/exposure/dex/{symbol}')
      expect(dex).toEqual({ ...plainDex, dealer_model })
      const counts = ({ strikes, scope }: Gex) => ({
        scope,
        strikes: strikes.map(({ call_gex: _, put_gex: __, net_gex: ___, ...counted }) => counted)
      })
      const [gex, plainGex] = both<Gex>('/v1/exposure/gex/{symbol}')
      expect(counts(gex)).toEqual(counts(plainGex))
      const [levels, plainLevels] = both<Levels>('/v1/exposure/levels/{symbol}')
      expect(levels.levels.highest_oi_strike).toBe(plainLevels.levels.highest_oi_strike)
      if (!isWhole(query)) return
      for (const metric of ['dex', 'oi', 'oi_change', 'volume']) {
        const [matrix, plainMatrix] = both<Matrix>('/v1/exposure/matrix/{symbol}', { metric })
        expect(matrix).toEqual({ ...plainMatrix, dealer_model })
      }
      const [day, plainDay] = both<ZeroDte | NoZeroDte>('/v1/exposure/zero-dte/{symbol}')
      if (day.no_zero_dte || plainDay.no_zero_dte) return
      for (const part of ['expected_move', 'flow', 'liquidity', 'metadata'] as const) {
        expect(day[part], part).toEqual(plainDay[part])
      }
      for (const name of ['max_pain', 'oi_concentration_top3_pct'] as const) {
        expect(day.pin_risk[name]).toBe(plainDay.pin_risk[name])
      }
      expect(day.decay.net_theta_dollars).toBe(plainDay.decay.net_theta_dollars)
      expect(day.exposures.net_dex).toBe(plainDay.exposures.net_dex)
      expect(day.levels.highest_oi_total).toBe(plainDay.levels.highest_oi_total)
    })
  })

  test('is what hedges, walls and words of the day follow from', () => {
    everywhere((market, query, row) => {
      if (!isWhole(query)) return
      const { hedging_estimate, interpretation, exposures, zero_dte, underlying_price } = ask<Summary>(
        '/v1/exposure/summary/{symbol}',
        market,
        query
      )!
      const shares = -exposures.net_gex / underlying_price
      expect(Math.abs(hedging_estimate.spot_up_1pct.dealer_shares_to_trade - shares)).toBeLessThanOrEqual(0.51)
      const opening = {
        positive_gamma: 'Positive gamma',
        negative_gamma: 'Negative gamma',
        undetermined: 'No gamma regime'
      }
      expect(interpretation.gamma.startsWith(opening[row.regime!])).toBe(true)
      const day = ask<ZeroDte | NoZeroDte>('/v1/exposure/zero-dte/{symbol}', market, query)!
      expect(day.dealer_model).toBe(row.id)
      if (day.no_zero_dte) return
      expect(day.exposures.total_chain_net_gex).toBe(exposures.net_gex)
      const { levels, levels_by_scope } = ask<Levels>('/v1/exposure/levels/{symbol}', market, query)!
      if (levels_by_scope.zero_dte === null) return
      expect(zero_dte.net_gex).toBe(day.exposures.net_gex)
      expect(levels_by_scope.zero_dte).toMatchObject({
        net_gex: day.exposures.net_gex,
        gamma_flip: day.regime.gamma_flip,
        call_wall: day.levels.call_wall,
        put_wall: day.levels.put_wall
      })
      expect(levels.zero_dte_magnet).toBe(day.pin_risk.magnet_strike)
      const sharesToday = -day.exposures.net_gex / underlying_price
      expect(Math.abs(day.hedging.spot_up_1pct.dealer_shares_to_trade - sharesToday)).toBeLessThanOrEqual(0.51)
      for (const strength of [day.levels.call_wall_strength, day.levels.put_wall_strength]) {
        if (strength !== null) expect(Math.abs(strength - 0.5)).toBeLessThanOrEqual(0.5)
      }
    })
  })

  test('says the same whichever model was asked for before', () => {
    const name = 'several expirations on a day of expiry'
    const fresh = () => traded(handMade(name), 1)
    const together = fresh()
    for (const path of Object.keys(taking)) {
      for (const dealer_model of [...ids, ...ids.toReversed()]) {
        const query = { ...taking[path], dealer_model }
        expect(textOf(endpointAt(path), together, query), `${path} ${dealer_model}`).toEqual(
          textOf(endpointAt(path), fresh(), query)
        )
      }
    }
  })
})

describe('a model that nothing is known of', () => {
  const market = handMade('several expirations on a day of expiry')

  test.each(Object.keys(taking))('%s refuses it, and words that are no model', (path) => {
    expect(refusal(path, market, { dealer_model: 'open_close' })).toBe('no_data')
    expect(refusal(path, market, { dealer_model: 'tape' })).toBe('no_data')
    expect(refusal(path, traded(market, 1), { dealer_model: 'tape' })).toBeUndefined()
    expect(refusal(path, market, { dealer_model: 'short' })).toBe('invalid_dealer_model')
  })

  test('is any but the convention in a matrix by time, of what rests on positions', () => {
    const of = (query: Query) => refusal('/v1/exposure/matrix/{symbol}', market, { by: 'time', ...query })
    for (const metric of ['gex', 'vex', 'chex']) {
      expect(of({ metric, dealer_model: 'all_short' })).toBe('invalid_dealer_model')
      expect(of({ metric, dealer_model: 'convention' })).toBeUndefined()
    }
    for (const metric of ['dex', 'oi']) expect(of({ metric, dealer_model: 'all_short' })).toBeUndefined()
  })
})

test('where dealers hold none of what is open, the words say so instead of calling it unpriced', () => {
  const market = handMade('several expirations on a day of expiry')
  const silent = traded(market, 1)
  const { bought, sold, ...rest } = silent.positions!
  const balanced = { ...silent, positions: { ...rest, bought, sold: bought } }
  const summary = ask<Summary>('/v1/exposure/summary/{symbol}', balanced, { dealer_model: 'tape' })!
  expect(summary.regime).toBe('undetermined')
  expect(summary.interpretation.gamma).toBe(
    'No gamma regime: under this dealer model, dealers hold none of the open contracts.'
  )
  const day = ask<ZeroDte>('/v1/exposure/zero-dte/{symbol}', balanced, { dealer_model: 'tape' })!
  expect(day.regime.description).toContain('under this dealer model, dealers hold none')
})

describe('the tape of the session', () => {
  const { chain } = handMade('several expirations on a day of expiry')
  const { positions } = traded(handMade('several expirations on a day of expiry'), 1)
  const load = (dealer_model: string | undefined) => {
    let readings = 0
    const source = {
      now: () => chain.asOf,
      chain: () => chain,
      quality: () => undefined,
      view: () => {
        readings++
        return positions
      }
    } as unknown as MarketSource
    const params = { symbol: chain.symbol, dealer_model }
    const { inputs, version, flowSource } = readInputs(endpointAt('/v1/exposure/vex/{symbol}'), params, {
      source,
      maxAge: 0,
      keyless: false
    })!
    return { readings, inputs, version, flowSource }
  }

  test('is read for the model that is made of it alone, so that no other answer changes with a print', () => {
    const plain = load(undefined)
    expect(plain).toMatchObject({ readings: 0, inputs: { sessionPositions: undefined } })
    expect(load('all_short')).toMatchObject({ readings: 0, version: plain.version })
    const taped = load('tape')
    expect(taped).toMatchObject({ readings: 1, inputs: { sessionPositions: positions } })
    expect(taped.version).not.toBe(plain.version)
    expect(taped.flowSource).toBeUndefined()
  })
})
