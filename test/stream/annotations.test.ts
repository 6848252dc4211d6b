import Type, { type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type Annotations, moment, ranked, rowKey, rowName, rowsByPosition, spot } from '../../src/api/annotations.ts'
import { endpoint } from '../../src/api/endpoint.ts'
import { symbolInPath } from '../../src/api/params.ts'
import { Count, Day, Notional, Percent, Price, Timestamp } from '../../src/api/quantity.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { catalogOf } from '../../src/stream/catalog/catalog.ts'
import { fieldsOfSchema } from '../../src/stream/catalog/field.ts'
import type { Operation } from '../../src/stream/catalog/operation.ts'

const streamed = endpoints.filter(({ stream }) => stream)
const catalog = catalogOf(endpoints)

function operationOf(response: TSchema, more: { readonly mainBlock?: string } = {}): Operation {
  const params = { symbol: symbolInPath() }
  const head = { id: 'test.rows', path: '/v1/test/rows/{symbol}', tag: 'test', summary: 'Rows', plan: 'free' } as const
  const declared = { ...head, needs: [], params, replay: false, stream: true, response, ...more } as const
  return catalogOf([endpoint({ ...declared, answer: () => ({}) as never })]).operation('test.rows')!
}

const rowsOf = (row: TSchema, options: Annotations) =>
  operationOf(Type.Object({ rows: Type.Array(row, { ...options }) })).fields.find(({ id }) => id.endsWith('[*]'))!
    .path[0].rows

describe('an annotation', () => {
  const contract = Type.Object({ level: Price(), day: Day(), share: Percent(), word: Type.String(), rank: Count() })

  test.each([
    ['a price', rowKey('level'), { field: 'level', type: 'number', selectors: ['key', 'atm'] }],
    ['a date', rowKey('day'), { field: 'day', type: 'date', selectors: ['key', 'front'] }],
    ['another number', rowKey('share'), { field: 'share', type: 'number', selectors: ['key'] }],
    ['a word', rowKey('word'), { field: 'word', type: 'text', selectors: ['key'] }],
    ['the price of a ranking', { ...rowKey('level'), ...ranked }, { selectors: ['key', 'atm', 'position'] }]
  ])('tells rows apart by %s', (_, options, expected) => {
    expect(rowsOf(contract, options)).toMatchObject(expected)
  })

  test('names the rows that have no key', () => {
    const rows = rowsOf(contract, rowName('day', 'level'))
    expect(rows).toEqual({ field: undefined, type: undefined, selectors: ['position'], nameFields: ['day', 'level'] })
  })

  test('leaves rows that have neither key nor name to their position', () => {
    expect(rowsOf(contract, rowsByPosition)).toMatchObject({
      field: undefined,
      selectors: ['position'],
      nameFields: []
    })
  })

  test('of a key or a name that rows do not have is refused when the catalog is made', () => {
    expect(() => rowsOf(contract, rowKey('strike'))).toThrow('rows have no field strike')
    expect(() => rowsOf(contract, rowName('day', 'side'))).toThrow('rows have no field side')
  })

  test('is asked for where a streamed array of objects has none', () => {
    expect(() => rowsOf(contract, {})).toThrow('test.rows.rows is an array of objects: declare rowKey, rowName or')
  })

  test('says where the moment and the spot of an answer are', () => {
    const operation = operationOf(Type.Object({ seenAt: Timestamp('when', moment), last: Price('last', spot) }))
    expect([operation.momentField, operation.spotField]).toEqual(['seenAt', 'last'])
  })

  test('of a main block gives its fields their bare names', () => {
    const block = Type.Object({ net: Notional() })
    const response = Type.Object({ today: block, yesterday: block })
    expect(operationOf(response).find('net')).toMatchObject({ code: 'ambiguous_metric' })
    expect(operationOf(response, { mainBlock: 'today' }).find('net')).toMatchObject({ id: 'test.rows.today.net' })
  })
})

describe('a streamed endpoint', () => {
  const operations = streamed.map(({ id }) => catalog.operation(id)!)

  test('declares with `moment` which time its answer describes', () => {
    expect(operations.filter(({ momentField }) => momentField === undefined).map(({ prefix }) => prefix)).toEqual([])
  })

  test('declares with `mainBlock` no other than an object of its answer', () => {
    const isBlock = ({ fields, prefix, mainBlock }: Operation) =>
      mainBlock === undefined ||
      fields.some(({ id, valueType }) => id === `${prefix}.${mainBlock}` && valueType === 'object')
    expect(operations.filter((each) => !isBlock(each)).map(({ prefix }) => prefix)).toEqual([])
  })
})

// Clients rely on these rows: changing one changes their metric ids.

test('rows of the declared endpoints are told apart as clients rely on', () => {
  const table = streamed.flatMap((each) =>
    fieldsOfSchema(each)
      .filter(({ id }) => id.endsWith('[*]'))
      .map(({ id, path }) => {
        const { field, type, selectors, nameFields } = path.at(-1)!.rows!
        const key = field === undefined ? `named by ${nameFields.join(', ') || 'position'}` : `${field}, ${type}`
        return `${id}: ${key}: ${selectors.join(' ')}`
      })
  )
  expect(table).toMatchInlineSnapshot(`
    [
      "stock.summary.volatility.iv_term_structure[*]: expiry, date: key front",
      "stock.summary.exposure.top_strikes[*]: strike, number: key atm",
      "exposure.gex.strikes[*]: strike, number: key atm",
      "exposure.dex.strikes[*]: strike, number: key atm",
      "exposure.vex.strikes[*]: strike, number: key atm",
      "exposure.chex.strikes[*]: strike, number: key atm",
      "exposure.zero_dte.strikes[*]: strike, number: key atm",
      "exposure.sheet.peaks[*]: strike, number: key atm position",
      "exposure.sheet.strikes[*]: strike, number: key atm",
      "exposure.term_structure.by_dte_bucket[*]: bucket, text: key",
      "exposure.term_structure.by_expiry[*]: expiration, date: key front",
      "exposure.oi_diff.top_oi_changes[*]: named by expiry, strike, type: position",
      "maxpain.current.pain_curve[*]: strike, number: key atm",
      "maxpain.current.oi_by_strike[*]: strike, number: key atm",
      "maxpain.current.max_pain_by_expiration[*]: expiration, date: key front",
      "exposure.higher.strikes[*]: strike, number: key atm",
      "flow.gex.strikes[*]: strike, number: key atm",
      "flow.dex.strikes[*]: strike, number: key atm",
      "flow.hedge_flow.totals[*]: key, text: key",
      "flow.hedge_flow.bars[*]: t, text: key",
      "flow.signals_summary.top_signals[*]: named by ts, expiry, strike, right: position",
      "flow.zero_dte_snapshot.strikes[*]: strike, number: key atm",
      "volatility.current.skew_profiles[*]: expiry, date: key front",
      "volatility.current.model_free.by_expiration[*]: named by expiration, root: position",
      "volatility.current.gex_by_dte[*]: bucket, text: key",
      "volatility.current.theta_by_dte[*]: bucket, text: key",
      "volatility.current.put_call_profile.by_expiry[*]: expiry, date: key front",
      "volatility.current.hedging_scenarios[*]: move_pct, number: key",
      "adv_volatility.current.svi_parameters[*]: expiry, date: key front",
      "adv_volatility.current.svi_parameters_am[*]: named by expiry, root: position",
      "adv_volatility.current.forward_prices[*]: expiry, date: key front",
      "adv_volatility.current.arbitrage_flags[*]: named by expiry, type: position",
      "adv_volatility.current.variance_swap_fair_values[*]: expiry, date: key front",
      "adv_volatility.current.model_free.by_expiration[*]: named by expiration, root: position",
      "vrp.current.term_vrp[*]: named by position: position",
      "volatility.forecast.garch.forecast[*]: named by position: position",
      "volatility.skew_term.expiries[*]: expiry, date: key front",
      "expected_move.current.expected_moves[*]: expiry, date: key front",
      "liquidity.current.expiries[*]: expiration, date: key front",
      "surface.svi.svi_parameters[*]: expiry, date: key front",
      "surface.svi.svi_parameters_am[*]: named by expiry, root: position",
      "strategies.dealer_regime.best_structures[*]: rank, number: key position",
      "strategies.dealer_regime.best_structures[*].legs[*]: named by position: position",
      "strategies.dealer_regime.risk_flags[*]: code, text: key",
      "strategies.skew.best_structures[*]: rank, number: key position",
      "strategies.skew.best_structures[*].legs[*]: named by position: position",
      "strategies.skew.risk_flags[*]: code, text: key",
      "strategies.tail_pricing.best_structures[*]: rank, number: key position",
      "strategies.tail_pricing.best_structures[*].legs[*]: named by position: position",
      "strategies.tail_pricing.risk_flags[*]: code, text: key",
      "strategies.zero_dte.best_structures[*]: rank, number: key position",
      "strategies.zero_dte.best_structures[*].legs[*]: named by position: position",
      "strategies.zero_dte.risk_flags[*]: code, text: key",
      "strategies.yield_enhancement.best_structures[*]: rank, number: key position",
      "strategies.yield_enhancement.best_structures[*].legs[*]: named by position: position",
      "strategies.yield_enhancement.metrics.dividends[*]: ex_date, date: key front",
      "strategies.yield_enhancement.risk_flags[*]: code, text: key",
      "strategies.flow_anomaly.best_structures[*]: rank, number: key position",
      "strategies.flow_anomaly.best_structures[*].legs[*]: named by position: position",
      "strategies.flow_anomaly.risk_flags[*]: code, text: key",
      "strategies.term_structure.best_structures[*]: rank, number: key position",
      "strategies.term_structure.best_structures[*].legs[*]: named by position: position",
      "strategies.term_structure.metrics.term_points[*]: expiry, date: key front",
      "strategies.term_structure.risk_flags[*]: code, text: key",
      "strategies.vol_carry.best_structures[*]: rank, number: key position",
      "strategies.vol_carry.best_structures[*].legs[*]: named by position: position",
      "strategies.vol_carry.risk_flags[*]: code, text: key",
      "strategies.surface_anomaly.best_structures[*]: rank, number: key position",
      "strategies.surface_anomaly.best_structures[*].legs[*]: named by position: position",
      "strategies.surface_anomaly.metrics.per_strike_residuals[*]: strike, number: key atm",
      "strategies.surface_anomaly.risk_flags[*]: code, text: key",
      "strategies.expiry_positioning.best_structures[*]: rank, number: key position",
      "strategies.expiry_positioning.best_structures[*].legs[*]: named by position: position",
      "strategies.expiry_positioning.risk_flags[*]: code, text: key",
    ]
  `)
})

test('answers of the declared endpoints tell moment, spot and main block as clients rely on', () => {
  const table = streamed.map((each) => {
    const operation = catalog.operation(each.id)!
    const { momentField = '-', spotField = '-', mainBlock = '-' } = operation
    return `${operation.prefix}: ${momentField} ${spotField} ${mainBlock}`
  })
  expect(table).toMatchInlineSnapshot(`
    [
      "stockquote.current: lastUpdate - -",
      "optionquote.current: lastUpdate - -",
      "stock.summary: as_of - exposure",
      "exposure.gex: as_of underlying_price -",
      "exposure.dex: as_of underlying_price -",
      "exposure.vex: as_of underlying_price -",
      "exposure.chex: as_of underlying_price -",
      "exposure.summary: as_of underlying_price exposures",
      "exposure.levels: as_of underlying_price levels",
      "exposure.zero_dte: as_of underlying_price exposures",
      "exposure.sheet: as_of underlying_price -",
      "exposure.term_structure: as_of underlying_price -",
      "exposure.oi_diff: as_of underlying_price -",
      "maxpain.current: as_of underlying_price -",
      "exposure.higher: as_of underlying_price -",
      "flow.levels: as_of underlying_price -",
      "flow.pin_risk: as_of underlying_price -",
      "flow.summary: as_of underlying_price -",
      "flow.gex: as_of underlying_price -",
      "flow.dex: as_of underlying_price -",
      "flow.dealer_risk: as_of underlying_price -",
      "flow.oi: as_of - -",
      "flow.live: as_of underlying_price -",
      "flow.hedge_flow: as_of - -",
      "flow.signals_summary: as_of underlying_price -",
      "flow.zero_dte_snapshot: as_of underlying_price exposures",
      "flow.options_summary: lastTradeUtc - -",
      "flow.options_dealer_premium: as_of - -",
      "flow.stocks_summary: lastTradeUtc - -",
      "volatility.current: as_of underlying_price -",
      "adv_volatility.current: as_of underlying_price -",
      "vrp.current: as_of underlying_price vrp",
      "volatility.realized: as_of underlying_price -",
      "volatility.forecast: as_of - -",
      "volatility.skew_term: as_of underlying_price -",
      "volatility.spot_vol_correlation: as_of - -",
      "expected_move.current: as_of underlying_price -",
      "liquidity.current: as_of underlying_price -",
      "macro.vix_state: as_of - -",
      "surface.svi: as_of underlying_price -",
      "strategies.dealer_regime: timestamp - -",
      "strategies.skew: timestamp - -",
      "strategies.tail_pricing: timestamp - -",
      "strategies.zero_dte: timestamp - -",
      "strategies.yield_enhancement: timestamp - -",
      "strategies.flow_anomaly: timestamp - -",
      "strategies.term_structure: timestamp - -",
      "strategies.vol_carry: timestamp - -",
      "strategies.surface_anomaly: timestamp - -",
      "strategies.expiry_positioning: timestamp - -",
    ]
  `)
})
