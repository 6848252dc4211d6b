import { describe, expect, test } from 'vitest'
import { answer } from '../../../src/api/answer.ts'
import { endpointAt, type Query, sessionAt, textOf } from '../../support/asking.ts'
import { eastern } from '../../support/hand-made.ts'
import { traded } from '../../support/made-up-flow.ts'
import { handMade, handMadeNames, type Market, syntheticMarket } from '../../support/markets.ts'
import type { FlowLive, ZeroDteSnapshot } from './answers.ts'

const path = '/v1/flow/zero-dte/snapshot/{symbol}'
const resultOf = (market: Market, query: Query = {}, of = path) => textOf(endpointAt(of), market, query)
const asked = (market: Market, query: Query = {}) => JSON.parse((resultOf(market, query) as { text: string }).text)
const market = handMade('several expirations on a day of expiry')

test.each(handMadeNames)('without flow it is the settled answer and the direction of flow in %s', (name) => {
  const { flow_direction, ...rest } = asked(handMade(name))
  if (rest.session_closed) return
  const settled = resultOf(handMade(name), {}, '/v1/exposure/zero-dte/{symbol}') as { text: string }
  expect(rest).toEqual(JSON.parse(settled.text))
  if (rest.no_zero_dte === undefined) {
    expect(flow_direction).toMatchObject({ label: 'no_flow', flow_gex_adjustment: 0, total_abs_delta_contracts: 0 })
    expect(flow_direction.settled_net_gex).toBe(rest.exposures.net_gex)
  }
})

describe('with flow', () => {
  const snapshot: ZeroDteSnapshot = asked(traded(market))

  test('every figure of open interest is that of the other flow answers', () => {
    const date = market.chain.expirations[0].date
    const live = (query: Query) =>
      JSON.parse((resultOf(traded(market), query, '/v1/flow/live/{symbol}') as { text: string }).text) as FlowLive
    expect(snapshot.exposures!.net_gex).toBe(live({ expiry: date }).live_gex)
    expect(snapshot.exposures!.total_chain_net_gex).toBe(live({}).live_gex)
    expect(snapshot.flow!.total_oi).toBe(live({ expiry: date }).effective_oi)
    expect(snapshot.pin_risk!.pin_score).toBe(live({ expiry: date }).live_pin_risk)
    const { flow_adjusted_dealer_risk: risk } = live({ expiry: date })
    expect(snapshot.flow_direction).toMatchObject({
      label: risk.flow_direction,
      settled_net_gex: risk.settled_net_gex,
      flow_gex_pct_shift: risk.flow_gex_pct_shift,
      description: risk.description
    })
  })
})

describe('the shape', () => {
  const shapeOf = ({ session_closed, no_zero_dte }: ZeroDteSnapshot) =>
    session_closed ? 'closed' : no_zero_dte ? 'none' : 'full'

  /** The shape over a chain of one moment while the market stands at another. */
  function shapeAt(of: Market, now = of.chain.asOf, query: Query = {}) {
    const { chain, vix } = of
    const params = { symbol: chain.symbol, strike_range: 0.03, ...query }
    const inputs = { chain, vix, positions: undefined, session: sessionAt(now) }
    return shapeOf(JSON.parse(answer(endpointAt(path), { params, inputs, body: undefined, caller: [] })))
  }

  test.each([
    ['several expirations on a day of expiry', 'full'],
    ['one expiration', 'none'],
    ['before the open', 'closed'],
    ['after the close', 'closed'],
    ['a Saturday', 'closed'],
    ['last five minutes of a half day', 'full']
  ])('of %s is %s', (name, shape) => expect(shapeAt(handMade(name))).toBe(shape))

  test.each([
    ['2026-06-10', '09:30', 'full'],
    ['2026-06-10', '16:00', 'full'],
    ['2026-06-10', '16:00:01', 'closed'],
    ['2026-11-27', '13:00', 'full'],
    ['2026-11-27', '13:01', 'closed']
  ])('on %s at %s is %s', async (date, time, shape) => {
    expect(shapeAt(await syntheticMarket('SPY', date, time), eastern(date, time))).toBe(shape)
  })

  test('at the instant of the close shows what just ended, with the market closed', async () => {
    const closing = asked(await syntheticMarket('SPY', '2026-06-10', '16:00'))
    expect(closing).toMatchObject({ market_open: false, expired: true, expiration: '2026-06-10' })
  })

  test('of a chain that stands still follows the clock of the market', () => {
    expect(shapeAt(market, eastern('2026-07-29', '16:00'))).toBe('full')
    expect(shapeAt(market, eastern('2026-07-29', '16:00:01'))).toBe('closed')
    expect(shapeAt(market, eastern('2026-07-30', '09:30'))).toBe('closed') // nothing is known of that session yet
  })

  test('says when the last session was, before anything else is looked at', () => {
    const saturday = asked(handMade('a Saturday'), { expiry: '2031-01-17' })
    expect(saturday).toMatchObject({ session_closed: true, last_session: '2026-07-31', market_open: false })
    expect(resultOf(market, { expiry: '2031-01-17' })).toEqual({ code: 'no_data' })
  })

  test('of another expiration than today is full, by either name', () => {
    const date = market.chain.expirations[1].date
    expect(asked(market, { expiry: date }).expiration).toBe(date)
    expect(resultOf(market, { expiration: date })).toEqual(resultOf(market, { expiry: date }))
    expect(resultOf(market, { expiry: '0dte' })).toEqual(resultOf(market))
  })
})
