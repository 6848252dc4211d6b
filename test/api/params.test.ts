import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/error.ts'
import { readNumber, readWhole } from '../../src/api/number-text.ts'
import {
  choice,
  date,
  expiration,
  number,
  type Parameters,
  readParameters,
  symbolInPath,
  text,
  whole
} from '../../src/api/params.ts'
import type { IsoDate } from '../../src/market/units.ts'

const reading = { today: '2026-07-29' as IsoDate }
type Sent = Readonly<Record<string, string | readonly string[]>>

const read = (parameters: Parameters, query: Sent, path: Readonly<Record<string, string>> = {}) =>
  readParameters(parameters, path, query, reading)

function refusal(parameters: Parameters, query: Sent, path: Readonly<Record<string, string>> = {}): ApiError {
  try {
    read(parameters, query, path)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`${JSON.stringify(query)} was read`)
}

const unreadable = [
  ...['', ' ', '5 ', ' 5', '0x10', '0b1', '1_000', '1,5', '--1', '+', '-', '.', 'e5', '1e', 'NaN', 'Infinity'],
  ...['-Infinity', '1e400', '-1e400', 'five', '٥', '１', '5%', '1/2', 'null', '[object Object]', '1n', '1\u0000']
]

describe('a number', () => {
  test.each(unreadable)('is not read from %j', (written) => expect(readNumber(written)).toBeUndefined())

  test('is read as a person writes it', () => {
    const written = ['0', '-0', '+1.5', '.5', '5.', '1e3', '1E-3', '-2.5e+2', '0.1']
    expect(written.map(readNumber)).toEqual([0, 0, 1.5, 0.5, 5, 1000, 0.001, -250, 0.1])
    expect(Object.is(readNumber('-0'), 0)).toBe(true)
  })

  test('comes back from its own text', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(numbers, (x) => {
        expect(readNumber(`${x}`)).toBe(x + 0)
      })
    )
  })

  test('is refused outside its range, the bounds included unless they are said to be out', () => {
    const parameters = {
      x: number({ description: 'a number', minimum: 0, maximum: 1 }),
      y: number({ description: 'a number', above: 0 })
    }
    expect(read(parameters, { x: '0', y: '1e-300' })).toEqual({ x: 0, y: 1e-300 })
    expect(read(parameters, { x: '1' })).toEqual({ x: 1, y: undefined })
    for (const query of [{ x: '-0.0001' }, { x: '1.0001' }, { y: '0' }, { y: '-0' }]) {
      expect(refusal(parameters, query).code).toBe('invalid_parameter')
    }
  })

  test('is moved to the nearest bound where it is said so, and still has to be a number', () => {
    const parameters = { x: number({ description: 'a number', minimum: 0, maximum: 1, default: 0.5, clamp: true }) }
    expect(['-5', '0.25', '7', '1e300'].map((x) => read(parameters, { x })['x'])).toEqual([0, 0.25, 1, 1])
    expect(read(parameters, {})).toEqual({ x: 0.5 })
    expect(refusal(parameters, { x: 'NaN' }).status).toBe(400)
  })
})

describe('a whole number', () => {
  test.each([...unreadable, '1.0', '1e3', '+1', '-0', '01', '9007199254740993'])('is not read from %j', (written) =>
    expect(readWhole(written)).toBeUndefined())

  test('is read to the last that a double holds', () => {
    const written = ['0', '-7', '9007199254740991', '-9007199254740991']
    expect(written.map(readWhole)).toEqual([0, -7, 9007199254740991, -9007199254740991])
  })

  test('keeps its range', () => {
    const parameters = { n: whole({ description: 'a whole number', default: 3, minimum: 1, maximum: 5 }) }
    expect([read(parameters, {}), read(parameters, { n: '5' })]).toEqual([{ n: 3 }, { n: 5 }])
    expect(refusal(parameters, { n: '6' }).message).toBe("n must be a whole number; it reads '6'")
  })
})

describe('a date', () => {
  const day = { day: date({ description: 'a date, yyyy-MM-dd', code: 'invalid_expiry' }) }

  test('is one of the calendar, written yyyy-MM-dd', () => {
    expect(read(day, { day: '2028-02-29' })).toEqual({ day: '2028-02-29' })
    for (const written of ['2026-02-29', '2026-13-01', '26-07-29', '2026/07/29', '2026-7-9', '0dte', '2026-07-29T00']) {
      expect(refusal(day, { day: written }).code).toBe('invalid_expiry')
    }
  })

  test('of an expiration may be the word 0dte, which is today', () => {
    expect(read({ expiration }, { expiration: '0dte' })).toEqual({ expiration: '2026-07-29' })
    expect(read({ expiration }, { expiration: '2026-08-21' })).toEqual({ expiration: '2026-08-21' })
    expect(read({ expiration }, {})).toEqual({ expiration: undefined })
    for (const written of ['0DTE', '1dte', 'today']) {
      expect(refusal({ expiration }, { expiration: written }).code).toBe('invalid_expiration')
    }
  })
})

describe('a choice', () => {
  const spelling = { c: 'C', call: 'C', p: 'P' } as const

  test('is one of its words, in any case', () => {
    const side = { type: choice<'C' | 'P'>({ description: 'C or P', spelling, code: 'invalid_type' }) }
    expect(['c', 'CALL', 'P'].map((type) => read(side, { type })['type'])).toEqual(['C', 'C', 'P'])
    for (const type of ['calls', '__proto__', 'constructor', 'toString', 'ℭ']) {
      expect(refusal(side, { type }).code).toBe('invalid_type')
    }
  })

  test('stands for any other word where it forgives', () => {
    const sort = {
      sort: choice<'tier' | 'symbol'>({
        description: 'tier or symbol',
        spelling: { tier: 'tier', symbol: 'symbol' },
        otherwise: 'tier',
        default: 'tier'
      })
    }
    expect(['SYMBOL', 'size', '__proto__'].map((word) => read(sort, { sort: word })['sort'])).toEqual([
      'symbol',
      'tier',
      'tier'
    ])
  })
})

describe('a symbol in the path', () => {
  test('is trimmed and upper-cased', () => {
    expect(read({ symbol: symbolInPath() }, {}, { symbol: ' brk.b ' })).toEqual({ symbol: 'BRK.B' })
  })

  test.each([
    'ELEVENCHARS',
    'AB CD',
    'ÄÖ',
    'ﬀ',
    '../etc',
    'AB/CD',
    '%ff',
    '\u0000',
    'a'.repeat(5000),
    ''
  ])('that cannot be one is answered like one nobody knows: %j', (symbol) => {
    const { code, status, message } = refusal({ symbol: symbolInPath('no_quote') }, {}, { symbol })
    expect([code, status]).toEqual(['no_quote', 404])
    expect(message).toMatch(/^symbol must be a ticker: 1 to 10 of A-Z 0-9 \. - \^ =; it /)
  })

  test('is told after a query that cannot be read: 400 comes before 404', () => {
    const parameters = { symbol: symbolInPath(), expiration }
    expect(refusal(parameters, { expiration: 'soon' }, { symbol: '?' }).status).toBe(400)
    expect(refusal(parameters, {}, { symbol: '?' }).status).toBe(404)
  })
})

describe('a refusal', () => {
  const parameters = {
    dte: number({ required: true, description: 'a number of days', code: 'invalid_input' }),
    note: text({ description: 'some text', code: 'invalid_weights', example: 'a word' })
  }

  test.each([
    [{}, 'dte must be a number of days; it is missing'],
    [{ dte: '' }, 'dte must be a number of days; it is missing'],
    [{ dte: ['1', '2'] }, 'dte must be a number of days; it is given more than once'],
    [{ dte: '9'.repeat(2001) }, 'dte must be a number of days; it is too long'],
    [{ dte: 'é\u0007<script>' }, "dte must be a number of days; it reads '??<script>'"],
    [{ dte: 'x'.repeat(50) }, `dte must be a number of days; it reads '${'x'.repeat(40)}…'`],
    [{ dte: '1', note: '' }, 'note must be some text; it is empty']
  ])('of %j says what to change', (query, message) => {
    const error = refusal(parameters, query as Sent)
    expect([error.message, error.status, error.detail['parameter']]).toEqual([
      message,
      400,
      message.slice(0, message.indexOf(' '))
    ])
  })

  test('does not come from parameters nobody declared', () => {
    const sent = { dte: '1', other: 'x', constructor: 'y', toString: 'z' }
    expect(read(parameters, sent)).toEqual({ dte: 1, note: undefined })
  })
})
