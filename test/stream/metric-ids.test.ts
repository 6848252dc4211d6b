import { describe, expect, test } from 'vitest'
import { expirationSetParameters } from '../../src/api/expiration-filter.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { catalogOf } from '../../src/stream/catalog/catalog.ts'
import { AnswerBody } from '../../src/stream/catalog/field-reader.ts'
import { resolveMetric } from '../../src/stream/catalog/metric-id.ts'
import { CommandError } from '../../src/stream/protocol/command-error.ts'
import { faultOf } from './frames.ts'
import { prefixOf } from './prefix-rule.ts'

const catalog = catalogOf(endpoints)
const resolved = (id: string) => {
  const found = resolveMetric(catalog, id)
  if (found instanceof CommandError) throw new Error(`${id}: ${found.code}`)
  return found
}
const codeOf = (id: string) => {
  const found = resolveMetric(catalog, id)
  return found instanceof CommandError ? found.code : 'none'
}

describe('the prefix of metric ids', () => {
  test.each([
    ['/v1/exposure/zero-dte/{symbol}', 'exposure.zero_dte'],
    ['/v1/flow/signals/{symbol}/summary', 'flow.signals_summary'],
    ['/v1/flow/options/{symbol}/dealer-premium', 'flow.options_dealer_premium'],
    ['/v1/flow/zero-dte/snapshot/{symbol}', 'flow.zero_dte_snapshot'],
    ['/v1/maxpain/{symbol}', 'maxpain.current'],
    ['/stockquote/{ticker}', 'stockquote.current'],
    ['/v1/expected-move/{symbol}', 'expected_move.current'],
    ['/v1/surface/{symbol}/svi', 'surface.svi'],
    ['/v1/strategies/flow-squeeze/{symbol}', 'strategies.flow_squeeze'],
    ['/v1/macro/vix-state', 'macro.vix_state']
  ])('of %s is %s', (path, prefix) => {
    expect(prefixOf({ path })).toBe(prefix)
  })

  test.each(
    endpoints.map((endpoint) => [endpoint.path, endpoint] as const)
  )('of %s is the id of its endpoint', (_, endpoint) => expect(endpoint.id).toBe(prefixOf(endpoint)))

  // Streaming contract, section 4: those of the table that are declared by now, and others that are not streamed.
  const table = ['gex', 'dex', 'vex', 'chex', 'summary', 'levels', 'zero_dte', 'sheet', 'oi_diff', 'term_structure']
    .map((method) => `exposure.${method}`)
    .concat(['maxpain.current', 'stockquote.current', 'optionquote.current', 'volatility.current'])
    .concat(['volatility.realized', 'volatility.forecast', 'volatility.skew_term', 'adv_volatility.current'])
    .concat(['liquidity.current', 'expected_move.current', 'surface.svi', 'macro.vix_state'])
    .concat(['levels', 'pin_risk', 'summary', 'gex', 'dex', 'dealer_risk', 'oi', 'live'].map((name) => `flow.${name}`))
    .concat(['flow.signals_summary', 'flow.zero_dte_snapshot'])
  const others = [
    'exposure.narrative',
    'exposure.basket',
    'exposure.history',
    'dispersion.current',
    'flow.signals',
    'account.current'
  ].concat(['structures.pnl', 'structures.greeks']) // asked with a body

  test('is streamed for what the contract lists', () => {
    expect(table.filter((prefix) => !catalog.operation(prefix)?.endpoint.stream)).toEqual([])
  })
  test('is not streamed for lists, narrative, baskets and accounts', () => {
    expect(others.filter((prefix) => catalog.operation(prefix)?.endpoint.stream !== false)).toEqual([])
    expect(others.map((prefix) => codeOf(`${prefix}.symbol`))).toEqual(others.map(() => 'not_streamable'))
  })
})

describe('a metric id', () => {
  test.each([
    ['exposure.summary.exposures.net_gex', 'exposure.summary.exposures.net_gex'],
    ['exposure.levels.gamma_flip', 'exposure.levels.levels.gamma_flip'],
    ['exposure.summary.net_gex', 'exposure.summary.exposures.net_gex'],
    ['exposure.summary.gamma_flip', 'exposure.summary.gamma_flip'],
    ['exposure.zero-dte.pin_score', 'exposure.zero_dte.pin_risk.pin_score'],
    ['exposure.zero_dte.net_gex', 'exposure.zero_dte.exposures.net_gex'],
    ['exposure.gex.strikes[600.0].net_gex', 'exposure.gex.strikes[600].net_gex'],
    ['exposure.gex.strikes[597.5].net_gex', 'exposure.gex.strikes[597.5].net_gex'],
    ['exposure.gex.strikes[atm+1].net_gex', 'exposure.gex.strikes[atm+1].net_gex'],
    ['exposure.gex.strikes[atm-0].net_gex', 'exposure.gex.strikes[atm].net_gex'],
    ['exposure.gex.strikes[600]', 'exposure.gex.strikes[600]'],
    ['volatility.current.skew_profiles[2026-05-15].skew_25d', 'volatility.current.skew_profiles[2026-05-15].skew_25d'],
    ['volatility.current.skew_profiles[front+1].skew_25d', 'volatility.current.skew_profiles[front+1].skew_25d'],
    ['volatility.current.gex_by_dte[0-7d].net_gex', 'volatility.current.gex_by_dte[0-7d].net_gex'],
    [
      'volatility.current.hedging_scenarios[-5].dealer_shares',
      'volatility.current.hedging_scenarios[-5].dealer_shares'
    ],
    ['exposure.oi_diff.top_oi_changes[#0].oi_change', 'exposure.oi_diff.top_oi_changes[#0].oi_change'],
    ['exposure.sheet.peaks[#1].net_gex', 'exposure.sheet.peaks[#1].net_gex']
  ])('%s means %s', (id, canonical) => {
    expect(resolved(id).id).toBe(canonical)
    expect(resolved(canonical).id).toBe(canonical)
  })

  test.each([
    ['exposure.gex.foo', 'unknown_metric'],
    ['exposure.Gex.net_gex', 'unknown_metric'],
    ['exposure.gex', 'unknown_metric'],
    ['exposure.gex.', 'unknown_metric'],
    ['exposure.gex.net_gex.', 'unknown_metric'],
    ['', 'unknown_metric'],
    [`exposure.gex.${'x'.repeat(200)}`, 'unknown_metric'],
    ['nothing.here.net_gex', 'unknown_metric'],
    ['exposure.summary.direction', 'ambiguous_metric'],
    ['exposure.gex.call_gex', 'ambiguous_metric'],
    ['exposure.gex.strikes.net_gex', 'invalid_selector'],
    ['exposure.gex.net_gex[3]', 'invalid_selector'],
    ['exposure.gex.strikes[front].net_gex', 'invalid_selector'],
    ['exposure.gex.strikes[#0].net_gex', 'invalid_selector'],
    ['exposure.gex.strikes[0x10].net_gex', 'invalid_selector'],
    ['exposure.gex.strikes[atm1].net_gex', 'invalid_selector'],
    ['exposure.oi_diff.top_oi_changes[600].oi_change', 'invalid_selector'],
    ['volatility.current.skew_profiles[2026-02-30].skew_25d', 'invalid_selector'],
    ['volatility.current.skew_profiles[front-1].skew_25d', 'invalid_selector']
  ])('%s is refused: %s', (id, code) => {
    expect(codeOf(id)).toBe(code)
  })

  test('that is ambiguous is answered with the places it may mean', () => {
    const fault = resolveMetric(catalog, 'exposure.summary.direction') as CommandError
    expect(fault.detail.candidates).toEqual([
      'exposure.summary.hedging_estimate.spot_down_1pct.direction',
      'exposure.summary.hedging_estimate.spot_up_1pct.direction'
    ])
  })
})

describe('the catalog', () => {
  test('has the shape of the contract, and ids that occur once', () => {
    expect(catalog.rows.flatMap((row) => faultOf('catalog_row', row) ?? [])).toEqual([])
    expect(new Set(catalog.rows.map(({ id }) => id)).size).toBe(catalog.rows.length)
  })

  test('describes a field of a row as the contract shows it', () => {
    expect(catalog.rows.find(({ id }) => id === 'exposure.gex.strikes[*].net_gex')).toEqual({
      id: 'exposure.gex.strikes[*].net_gex',
      value_type: 'number',
      nullable: false,
      unit: 'usd-notional',
      operation: 'GET /v1/exposure/gex/{symbol}',
      key_field: 'strike',
      selectors: ['key', 'atm'],
      params: ['expiration', ...Object.keys(expirationSetParameters), 'min_oi', 'dealer_model', 'weight'],
      short_forms: [],
      recompute: 'tick',
      cost: 1,
      min_cadence_ms: 0
    })
  })

  test('names every id and every short form so that it resolves to itself', () => {
    for (const { id, short_forms } of catalog.rows) {
      if (id.includes('[*]')) continue
      expect(resolved(id).id).toBe(id)
      for (const short of short_forms) expect(resolved(short).id).toBe(id)
    }
  })

  test('says of a field that only some answers have that it may be null', () => {
    const nullable = (id: string) => catalog.rows.find((row) => row.id === id)?.nullable
    expect(nullable('exposure.zero_dte.pin_risk.pin_score')).toBe(true)
    expect(nullable('exposure.zero_dte.market_open')).toBe(false)
    expect(nullable('exposure.gex.gamma_flip')).toBe(true)
    expect(nullable('exposure.gex.net_gex')).toBe(false)
  })

  test('comes in pages whose rows are all of them', () => {
    const first = catalog.page({})
    const pages = Array.from({ length: first.pages }, (_, k) => catalog.page({ page: k + 1 }))
    expect(pages.flatMap(({ metrics }) => metrics)).toEqual(catalog.rows)
    expect(pages.every(({ metrics }) => metrics.length <= 500)).toBe(true)
    expect(catalog.page({ page: first.pages + 1 }).metrics).toEqual([])
    expect(catalog.page({ prefix: 'nothing' })).toMatchObject({ count: 0, pages: 1, metrics: [] })
  })

  test('changes its version with any row', () => {
    expect(catalogOf(endpoints.slice(1)).version).not.toBe(catalog.version)
    expect(catalogOf(endpoints).version).toBe(catalog.version)
  })
})

describe('a value', () => {
  const body = (root: object, spot = 100) => new AnswerBody(root, spot)
  const gex = body({
    net_gex: 4,
    strikes: [95, 99, 101, 110].map((strike) => ({ strike, net_gex: strike * 10 }))
  })
  const read = (id: string, from = gex) => resolved(id).reader(from)

  test.each([
    ['exposure.gex.net_gex', 4, undefined],
    ['exposure.gex.strikes[101].net_gex', 1010, undefined],
    ['exposure.gex.strikes[atm].net_gex', 990, 99], // 99 and 101 are as near: the lower one
    ['exposure.gex.strikes[atm+1].net_gex', 1010, 101],
    ['exposure.gex.strikes[atm-1].net_gex', 950, 95],
    ['exposure.gex.strikes[atm-2].net_gex', null, undefined],
    ['exposure.gex.strikes[atm+3].net_gex', null, undefined]
  ])('of %s is %s', (id, value, key) => {
    expect(read(id)).toEqual({ value, key, listed: true })
  })

  test('of a row that is not listed is null, and known as not listed', () => {
    expect(read('exposure.gex.strikes[333].net_gex')).toEqual({ value: null, key: undefined, listed: false })
  })

  test('of the front is the nearest date, in whatever order the rows come', () => {
    const rows = ['2026-09-18', '2026-08-21', '2026-08-28'].map((expiry, k) => ({ expiry, skew_25d: k }))
    const skew = body({ skew_profiles: rows })
    const front = 'volatility.current.skew_profiles[front].skew_25d'
    expect(read(front, skew)).toMatchObject({ value: 1, key: '2026-08-21' })
    expect(read(front.replace('front', 'front+2'), skew)).toMatchObject({ value: 0, key: '2026-09-18' })
  })

  test('by position names the contract it found', () => {
    const changes = body({ top_oi_changes: [{ strike: 600, type: 'C', expiry: '2026-08-21', oi_change: 9 }] })
    const id = 'exposure.oi_diff.top_oi_changes[#0].oi_change'
    expect(read(id, changes)).toMatchObject({ value: 9, key: '2026-08-21 600 C' })
    expect(read(id.replace('#0', '#5'), changes)).toMatchObject({ value: null })
  })

  test('of a part that the answer lacks is null', () => {
    expect(read('exposure.zero_dte.pin_risk.pin_score', body({ no_zero_dte: true })).value).toBeNull()
    expect(read('exposure.sheet.lis.strike', body({ lis: null })).value).toBeNull()
  })
})
