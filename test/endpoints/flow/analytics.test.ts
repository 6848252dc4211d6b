import { describe, expect, test } from 'vitest'
import { flowScopeFor } from '../../../src/endpoints/flow/flow-scope.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { endpointAt, type Query, textOf } from '../../support/asking.ts'
import { sketched } from '../../support/hand-made.ts'
import { listedAt, madeUpPositions, positionsOf, tapeHeader } from '../../support/made-up-flow.ts'
import { handMade, type Market, priced } from '../../support/markets.ts'
import type { FlowDealerRisk, FlowGex, FlowLive, FlowOi, FlowSummary } from './answers.ts'

const names = ['levels', 'pin-risk', 'summary', 'gex', 'dex', 'dealer-risk', 'oi', 'live']
const resultOf = (name: string, market: Market, query: Query = {}) =>
  textOf(endpointAt(`/v1/flow/${name}/{symbol}`), market, query)

function answered<Answer>(name: string, market: Market, query: Query = {}): Answer {
  const answer = resultOf(name, market, query)
  if ('code' in answer) throw new Error(answer.code)
  return JSON.parse(answer.text)
}

const market = handMade('several expirations on a day of expiry')
const { chain } = market
const dates = chain.expirations.map(({ date }) => date)
const untouched = positionsOf(
  tapeHeader(chain),
  [0, 5, 9].map((slot) => ({ series: listedAt(chain, slot), bought: 3, sold: 3 }))
)

describe('without flow', () => {
  test.each(names)('%s answers the same bytes with a tape as without one', (name) => {
    for (const expiry of [undefined, ...dates]) {
      const query = expiry === undefined ? {} : { expiry }
      expect(resultOf(name, { ...market, positions: untouched }, query)).toEqual(resultOf(name, market, query))
    }
  })

  test.each(names)('of an expiration %s answers as if the others had none', (name) => {
    const last = chain.expirations[chain.expirations.length - 1]
    const positions = positionsOf(tapeHeader(chain), [
      { series: listedAt(chain, last.start), bought: 900, sold: 0 },
      { series: listedAt(chain, last.end - 1), bought: 0, sold: 900 }
    ])
    for (const expiry of dates.slice(0, -1)) {
      expect(resultOf(name, { ...market, positions }, { expiry })).toEqual(resultOf(name, market, { expiry }))
    }
    expect(resultOf(name, { ...market, positions }, { expiry: last.date })).not.toEqual(
      resultOf(name, market, { expiry: last.date })
    )
  })

  test('nothing is measured twice: both books are one', () => {
    const { settled, live } = flowScopeFor(chain, untouched, undefined)
    expect(live).toBe(settled)
  })

  test('is what it is called', () => {
    const { flow_direction, contracts_with_flow, flow_gex_pct_shift } = answered<FlowSummary>('summary', market)
    expect({ flow_direction, contracts_with_flow, flow_gex_pct_shift }).toEqual({
      flow_direction: 'no_flow',
      contracts_with_flow: 0,
      flow_gex_pct_shift: 0
    })
  })
})

describe('with flow', () => {
  const traded = { ...market, positions: madeUpPositions(chain) }

  test('one scope serves all answers over the same positions', () => {
    expect(flowScopeFor(chain, traded.positions, undefined).live).toBe(
      flowScopeFor(chain, traded.positions, undefined).live
    )
  })

  test('the settled exposures stay what they are', () => {
    const settled = textOf(endpointAt('/v1/exposure/gex/{symbol}'), market)
    expect(textOf(endpointAt('/v1/exposure/gex/{symbol}'), traded)).toEqual(settled)
  })

  test('a strike whose contracts were all sold keeps its row', () => {
    const thin = priced(
      sketched({
        date: '2026-07-29',
        time: '11:00',
        spot: 100,
        series: [{ date: '2026-08-28', strikes: [95, 100, 105], oi: 10, volume: 0 }]
      })
    )
    const sold = [0, 1].map((slot) => ({ series: listedAt(thin, slot), bought: 0, sold: 100 }))
    const bare = { name: 'thin', chain: thin, prior: undefined, vix: undefined }
    const { strikes } = answered<FlowGex>('gex', { ...bare, positions: positionsOf(tapeHeader(thin), sold) })
    expect(strikes.map(({ strike, call_oi, put_oi }) => [strike, call_oi, put_oi])).toEqual([
      [95, 0, 0],
      [100, 10, 10],
      [105, 10, 10]
    ])
  })

  test('the clamp shows in the effective sum alone', () => {
    const sold = [{ series: listedAt(chain, 0), bought: 0, sold: 1_000_000 }]
    const answer = answered<FlowOi>('oi', { ...market, positions: positionsOf(tapeHeader(chain), sold) })
    const risk = answered<FlowDealerRisk>('dealer-risk', { ...market, positions: positionsOf(tapeHeader(chain), sold) })
    expect(answer.intraday_oi_delta).toBe(-430_000)
    expect(answer.simulated_oi).toBeLessThan(0)
    expect(answer.official_oi - answer.effective_oi).toBe(chain.openInterest[0])
    expect(risk.total_abs_delta_contracts).toBe(chain.openInterest[0])
  })

  test('the sentence holds the figures of its answer', () => {
    for (const expiry of dates) {
      const answer = answered<FlowDealerRisk>('dealer-risk', traded, { expiry })
      const [moved, series, share] = answer.description.match(/[\d,]+(\.\d)?/g)!.map((text) => text.replaceAll(',', ''))
      expect(Number(moved)).toBe(answer.total_abs_delta_contracts)
      expect(Number(series)).toBe(answer.contracts_with_flow)
      expect(Math.abs(Number(share) - 100 * Math.abs(answer.flow_gex_pct_shift!))).toBeLessThanOrEqual(0.0551)
    }
  })

  test('the confidence of the tape is told and used', () => {
    const bought = [{ series: listedAt(chain, 0), bought: 1000, sold: 0 }]
    const positions = positionsOf(tapeHeader(chain), bought, 0.215)
    const { oi_delta_confidence, intraday_oi_delta } = answered<FlowLive>('live', { ...market, positions })
    expect({ oi_delta_confidence, intraday_oi_delta }).toEqual({ oi_delta_confidence: 0.215, intraday_oi_delta: 215 })
  })

  test('volumes of an earlier session than that of the chain count no more', () => {
    const positions = { ...traded.positions, session: '2026-07-28' as IsoDate }
    expect(answered<FlowSummary>('summary', { ...market, positions }).flow_direction).toBe('no_flow')
  })
})

describe('the moment of an answer', () => {
  test('is the newer of the chain and the newest print', () => {
    const at = (known: number | undefined) =>
      Date.parse(answered<FlowOi>('oi', { ...market, positions: madeUpPositions(chain, 1, known) }).as_of)
    expect(at(chain.asOf - 1)).toBe(chain.asOf)
    expect(at(chain.asOf + 1234)).toBe(chain.asOf + 1234)
    expect(Date.parse(answered<FlowOi>('oi', market).as_of)).toBe(chain.asOf)
  })
})

describe('the expiration', () => {
  test.each([
    [{ expiry: dates[1] }, dates[1]],
    [{ expiration: dates[1] }, dates[1]],
    [{ expiry: '0dte' }, dates[0]],
    [{ expiration: '0dte', expiry: dates[0] }, dates[0]],
    [{}, null]
  ] as const)('of %j is echoed as its date', (query, expiry) => {
    expect(answered<FlowSummary>('summary', market, query).expiry).toBe(expiry)
  })

  test.each(names)('of %s that cannot be read or is not listed is refused', (name) => {
    for (const expiry of ['2026-13-01', 'today', '20260828']) {
      expect(resultOf(name, market, { expiry })).toEqual({ code: 'invalid_expiry' })
    }
    expect(resultOf(name, market, { expiry: dates[0], expiration: dates[1] })).toEqual({ code: 'invalid_expiry' })
    expect(resultOf(name, market, { expiry: '2026-08-29' })).toEqual({ code: 'no_data' })
  })
})
