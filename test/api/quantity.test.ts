import { describe, expect, test } from 'vitest'
import * as quantities from '../../src/api/quantity.ts'
import { textSerializerOf } from '../../src/api/serializer.ts'

/** Unit and rounding that `x-conventions.numbers` of the interface documents for each kind of figure. */
const rounded = {
  Usd: ['usd', '123.46'],
  Notional: ['usd-notional', '123.46'],
  Price: ['price', '123.4568'],
  Level: ['price', '123.46'],
  Percent: ['percent', '123.4568'],
  Ratio: ['ratio', '123.4568'],
  Share: ['fraction', '123.4568'],
  Volatility: ['fraction', '123.456789'],
  Greek: ['greek', '123.45679'],
  Hours: ['hours', '123.4568'],
  Seconds: ['seconds', '123.5'],
  Sigmas: ['sigmas', '123.4568'],
  IndexPoints: ['index-points', '123.4568'],
  Variance: ['total-variance', '123.456789012'],
  LogMoneyness: ['log-moneyness', '123.456789012'],
  YearFraction: ['years', '123.456789012'],
  Contracts: ['contracts', '123'],
  Shares: ['shares', '123'],
  Count: ['count', '123'],
  Days: ['days', '123'],
  Score: ['score-0-100', '123']
} as const

describe('a quantity', () => {
  const kinds = Object.entries(quantities).filter(([name]) => name in rounded)

  test.each(kinds)('%s prints its unit and rounds by it', (name, kind) => {
    const [unit, text] = rounded[name as keyof typeof rounded]
    const make = kind as typeof quantities.Usd
    const schema = make('what it is')
    expect(schema).toMatchObject({ 'x-unit': unit, description: 'what it is' })
    expect(make()).not.toHaveProperty('description')
    expect(textSerializerOf(schema)(123.456789012)).toBe(text)
  })

  test('states its own decimals or digits where no kind fits', () => {
    expect(textSerializerOf(quantities.Decimal(3, 'x'))(1.0005)).toBe('1.001')
    expect(textSerializerOf(quantities.Digits(3, 'x'))(1234.5)).toBe('1230')
    expect(quantities.Decimal(3, 'x', 'why', { minimum: 0, maximum: 1 })).toMatchObject({ minimum: 0, maximum: 1 })
  })

  test('is one of the kinds that are listed here', () => {
    const others = 'Decimal Digits Echo Timestamp Day DataScore Sentence Note Name textKinds Words Nullable'.split(' ')
    expect(Object.keys(quantities).sort()).toEqual([...Object.keys(rounded), ...others].sort())
  })
})
