import { expect, test } from 'vitest'
import { MarketEventBus } from '../../src/live/market-events.ts'
import { ticker } from './standing-market.ts'

test('every subscriber of a name hears of an event, in the order of subscription, and no other does', () => {
  const bus = new MarketEventBus()
  const heard: string[] = []
  bus.on('sourceBack', ({ symbol }) => heard.push(`first ${symbol}`))
  bus.on('sourceBack', ({ symbol }) => heard.push(`second ${symbol}`))
  bus.on('daysWritten', ({ symbol }) => heard.push(`days ${symbol}`))
  bus.emit('sourceBack', { symbol: ticker('SPY') })
  bus.emit('closeLearned', { symbol: ticker('SPY') } as never)
  expect(heard).toEqual(['first SPY', 'second SPY'])
})
