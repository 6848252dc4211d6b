import { expect, test } from 'vitest'
import { readByJson } from '../../../src/connectors/cboe/json-chain.ts'

const contract = (root: string, bid: unknown, k = 90) => ({
  option: `${root}260731C${String(1000 * k).padStart(8, '0')}`,
  bid,
  bid_size: 10,
  ask: typeof bid === 'string' ? '10.05' : 10.05,
  ask_size: 10,
  open_interest: typeof bid === 'string' ? '1000' : 1000,
  volume: 5,
  last_trade_price: 10,
  last_trade_time: '2026-07-29T15:59:00'
})

const payload = (options: readonly unknown[]) =>
  JSON.stringify({
    timestamp: '2026-07-29 21:30:00',
    symbol: 'XOM',
    data: {
      options,
      symbol: 'XOM',
      current_price: 100,
      close: 100,
      bid: 99.9,
      ask: 100.1,
      last_trade_time: '2026-07-29T16:00:00'
    }
  })

const read = (text: string) => readByJson(Buffer.from(text))

test('numbers that come as text are said to, and are not a chain without options', () => {
  expect(() => read(payload([contract('XOM', '10.0'), contract('XOM', '5.0', 95)]))).toThrow(
    'its numbers come as text: bid is "10.0"'
  )
})

test('contracts of another name than the symbol name both', () => {
  expect(() => read(payload([contract('PEP', 10), contract('PEP', 5, 95)]))).toThrow(
    'its contracts are of the root PEP, and its symbol is XOM'
  )
})

test.each(['NaN', 'Infinity', '-Infinity', 'None'])('%s in JSON names the field and the line', (word) => {
  const text = payload([contract('XOM', 10)]).replace('"open_interest":1000', `\n"open_interest": ${word}`)
  expect(() => read(text)).toThrow(`open_interest is ${word} in line 2, which JSON does not know: write null`)
})
