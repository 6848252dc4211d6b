import { expect, test } from 'vitest'
import { walls } from '../../../../src/exposure/levels/walls.ts'
import { liveScope } from '../../../../src/exposure/scope.ts'
import { CALL, type Chain, PUT } from '../../../../src/market/chain.ts'
import { priceChain } from '../../../../src/pricing/price-chain.ts'
import { madeUpAssumptions } from '../../../support/made-up.ts'
import { market } from '../ask.ts'

const symbols = [
  'SPY',
  'SPX',
  'QQQ',
  'AAPL',
  'NVDA',
  'TSLA',
  'MSFT',
  'AMZN',
  'META',
  'GOOGL',
  'IWM',
  'AMD',
  'JPM',
  'KO'
]
const moments = [
  [1, '2026-07-29', '11:00'],
  [7, '2026-11-20', '13:00']
] as const

test.each(
  moments
)('call wall and put wall are different strikes on nine of ten symbols, seed %i on %s', async (...at) => {
  const [seed, date, time] = at
  const { chain } = market(seed)
  const found: string[] = []
  let apart = 0
  let around = 0
  for (const symbol of symbols) {
    const priced = priceChain(await chain(symbol, date, time), madeUpAssumptions)
    const { call, put } = walls(liveScope(priced))
    found.push(`${symbol} at ${priced.spot}: call wall ${call!.strike}, put wall ${put!.strike}`)
    if (call!.strike !== put!.strike) apart++
    if (call!.strike > priced.spot && put!.strike < priced.spot) around++
  }
  expect(apart, found.join('\n')).toBeGreaterThanOrEqual(Math.ceil(0.9 * symbols.length))
  expect(around, found.join('\n')).toBeGreaterThanOrEqual(0.7 * symbols.length)
})

/** Contracts held of one right at strikes from one share of the spot to another. */
function held({ strike, right, openInterest, spot }: Chain, of: number, from: number, to: number): number {
  let sum = 0
  for (let i = 0; i < strike.length; i++) {
    if (right[i] === of && strike[i] >= from * spot && strike[i] < to * spot) sum += openInterest[i]
  }
  return sum
}

test('calls gather above the spot, puts below, and hedges of the index far below', async () => {
  const { close } = market()
  for (const symbol of ['SPY', 'SPX', 'QQQ', 'NVDA', 'IWM']) {
    const chain = await close(symbol, '2026-11-17')
    expect(held(chain, CALL, 1, 9) / held(chain, CALL, 0, 9), symbol).toBeGreaterThan(2 / 3)
    expect(held(chain, PUT, 0, 1) / held(chain, PUT, 0, 9), symbol).toBeGreaterThan(2 / 3)
    // In the money there is something of both.
    expect(held(chain, CALL, 0, 0.98), symbol).toBeGreaterThan(0.01 * held(chain, CALL, 0, 9))
    expect(held(chain, PUT, 1.02, 9), symbol).toBeGreaterThan(0.01 * held(chain, PUT, 0, 9))
  }
  const spx = await close('SPX', '2026-11-17')
  expect(held(spx, PUT, 0, 0.85)).toBeGreaterThan(0.3 * held(spx, PUT, 0, 9))
  expect(held(spx, PUT, 0, 9)).toBeGreaterThan(1.3 * held(spx, CALL, 0, 9))
})
