import { expect, test } from 'vitest'
import { MarketEventBus } from '../../src/live/market-events.ts'
import { ticker } from './standing-market.ts'

test('every subscriber of a name hears of an event, in the order of subscription, and no other does', () => {
  const bus = new MarketEventBus()
  const received: string[] = []
  bus.on('sourceBack', ({ symbol }) => received.push(`first ${symbol}`))
  bus.on('sourceBack', ({ symbol }) => received.push(`second ${symbol}`))
  bus.on('daysWritten', ({ symbol }) => received.push(`days ${symbol}`))
  bus.emit('sourceBack', { symbol: ticker('SPY') })
  bus.emit('closeLearned', { symbol: ticker('SPY') } as never)
  expect(received).toEqual(['first SPY', 'second SPY'])
})
