import { describe, expect, test } from 'vitest'
import type { Connector } from '../../src/connectors/port/connector.ts'
import type { SourceError } from '../../src/connectors/port/source-error.ts'
import { withFallback } from '../../src/connectors/source-fallback.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'
import { judgedChain } from '../../src/workers/tasks/judged-chain.ts'
import { held, ofSeries, series } from '../gate/candidates.ts'
import { plainConnector } from '../support/declared-connector.ts'
import { priced } from '../support/markets.ts'

const { signal } = new AbortController()
const later = { ...ofSeries(series, 100, { time: '11:01' }), symbol: 'TEST' as Ticker }
const off = (factor: number): Chain => ({ ...later, spot: factor * later.spot })
/** A source that says one thing, with or without asking first whether it is believed. */
const saying = (name: string, chain: Chain | undefined, asks = false): Connector => ({
  ...plainConnector(name, []),
  chain: async (_symbol, _now, _signal, check) => {
    if (asks && chain !== undefined) check?.(chain)
    return chain
  }
})

async function outcome(sources: readonly Connector[], before: Chain = { ...held, source: 'one' }): Promise<string> {
  const asked = { symbol: 'TEST' as Ticker, now: later.asOf, held: priced(before) }
  try {
    const { chain } = (await judgedChain(
      asked,
      withFallback(sources, () => 0),
      signal
    ))!
    return `${chain.source} ${chain.spot}`
  } catch (error) {
    const { verdict } = (error as SourceError).heldBack!
    return 'reason' in verdict ? verdict.reason : verdict.kind
  }
}

describe.each([true, false])('of two sources that ask first: %s', (asks) => {
  test('the other serves where the first is doubted', async () => {
    expect(await outcome([saying('one', off(1.1), asks), saying('other', later, asks)])).toBe('other 100')
  })

  test('a doubt about both ends where they say the same, and stays where they do not', async () => {
    expect(await outcome([saying('one', off(1.1), asks), saying('other', off(1.1), asks)])).toBe(`other ${1.1 * 100}`)
    expect(await outcome([saying('one', off(1.1), asks), saying('other', off(1.2), asks)])).toBe('spot_off_options')
  })

  test('none is evidence for itself', async () => {
    expect(await outcome([saying('one', off(1.1), asks)])).toBe('spot_off_options')
  })

  test('one that lags behind is passed over, and no fault of anybody', async () => {
    const older = { ...held, asOf: held.asOf - 60_000 }
    expect(await outcome([saying('one', older, asks), saying('other', later, asks)])).toBe('other 100')
    expect(await outcome([saying('one', older, asks), saying('other', older, asks)])).toBe('older')
  })
})

test('what both say is no evidence against the clock', async () => {
  const future = { ...later, asOf: later.asOf + 3_600_000 }
  expect(await outcome([saying('one', future), saying('other', future)])).toBe('from_the_future')
})
