import fc from 'fast-check'
import Type, { type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import {
  Contracts,
  Day,
  Decimal,
  Digits,
  Echo,
  Greek,
  Nullable,
  Percent,
  Price,
  Timestamp,
  Usd
} from '../../src/api/quantity.ts'
import { roundTo, roundToSignificant } from '../../src/api/rounding.ts'
import { textSerializerOf } from '../../src/api/serializer.ts'

/**
 * A decimal as whole digits and a power of ten: 12.5 is 125 and -1. Read from the shortest text of the number, which is
 * the figure a person sees; everything after is whole-number arithmetic.
 */
function decimalOf(x: number): { readonly digits: bigint; readonly power: number } {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(`${x}`)!
  return { digits: BigInt(`${sign}${whole}${fraction}`), power: Number(exponent) - fraction.length }
}

/** Half away from zero at 10^-decimals, by division of whole numbers. */
function referenceRounding(x: number, decimals: number): number {
  const { digits, power } = decimalOf(x)
  const drop = -decimals - power
  if (drop <= 0) return x + 0
  const unit = 10n ** BigInt(drop)
  const size = digits < 0n ? -digits : digits
  const rounded = Number(`${digits < 0n ? '-' : ''}${(2n * size + unit) / (2n * unit)}e${-decimals}`) + 0
  return Number.isFinite(rounded) ? rounded : x
}

function referenceSignificant(x: number, digits: number): number {
  if (x === 0) return 0
  const { digits: all, power } = decimalOf(x)
  const count = `${all < 0n ? -all : all}`.replace(/^0+/, '').length
  return referenceRounding(x, digits - count - power)
}

const figures = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.double({ min: -1e-6, max: 1e-6, noNaN: true }),
  // Halves and their neighbours, where rounding goes wrong if it does.
  fc
    .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 10 }), fc.integer({ min: -2, max: 2 }))
    .map(([units, decimals, steps]) => nudged(Number(`${units}5e${-decimals - 1}`), steps))
)

/** A number some steps of its last place away. */
function nudged(x: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  view.setBigUint64(0, view.getBigUint64(0) + BigInt(steps))
  const moved = view.getFloat64(0)
  return x !== 0 && Number.isFinite(moved) ? moved : x
}

const decimalsOf = (x: number) => Math.max(0, -decimalOf(x).power)

describe('rounding', () => {
  test('to decimals is half away from zero, as whole-number arithmetic has it', () => {
    fc.assert(
      fc.property(figures, fc.integer({ min: 0, max: 10 }), (x, decimals) => {
        expect(roundTo(x, decimals)).toBe(referenceRounding(x, decimals))
      }),
      { numRuns: 5000 }
    )
  })

  test('to significant digits is half away from zero, as whole-number arithmetic has it', () => {
    fc.assert(
      fc.property(figures, fc.integer({ min: 1, max: 15 }), (x, digits) => {
        expect(roundToSignificant(x, digits)).toBe(referenceSignificant(x, digits))
      }),
      { numRuns: 5000 }
    )
  })

  test('leaves no more decimals than declared, and does nothing the second time', () => {
    fc.assert(
      fc.property(figures, fc.integer({ min: 0, max: 10 }), (x, decimals) => {
        const once = roundTo(x, decimals)
        expect(decimalsOf(once)).toBeLessThanOrEqual(decimals)
        expect(roundTo(once, decimals)).toBe(once)
      }),
      { numRuns: 2000 }
    )
  })

  test.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [1.115, 2, 1.12],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [0.49999999999999994, 0, 0],
    [5e-9, 8, 1e-8],
    [4.9e-9, 8, 0],
    [-0.004, 2, 0],
    [8.345, 2, 8.35],
    [123456789.125, 2, 123456789.13],
    [45035996273704.97, 1, 45035996273705],
    [1e21, 2, 1e21],
    [1.7976931348623157e308, 4, 1.7976931348623157e308],
    [5e-324, 10, 0]
  ])('%d to %i decimals is %d', (x, decimals, expected) => expect(roundTo(x, decimals)).toBe(expected))

  test.each([
    [123456789012, 8, 123456790000],
    [999999999, 8, 1e9],
    [0.000012345678949, 8, 0.000012345679],
    [0.00001234567895, 8, 0.000012345679],
    [1.5e-20, 1, 2e-20],
    [-2.5e30, 1, -3e30],
    [5e-324, 8, 5e-324],
    [-0, 8, 0]
  ])('%d to %i significant digits is wired as the text a person would write', (x, digits, expected) => {
    expect(roundToSignificant(x, digits)).toBe(expected)
  })

  test('a mid of two cents quotes as the half it is', () => {
    const write = textSerializerOf(Usd() as TSchema)
    for (let cents = 1; cents < 2000; cents++) {
      const mid = (cents / 100 + (cents + 1) / 100) / 2
      if (decimalsOf(mid) > 3) continue
      expect(write(mid)).toBe(`${(cents + 1) / 100}`)
    }
  })
})

describe('a serialised figure', () => {
  const everyKind = [Usd(), Price(), Percent(), Greek(), Contracts(), Echo('x'), Decimal(6, 'x'), Digits(15, 'x')]

  test('is always JSON, and never a negative zero', () => {
    const values = fc.oneof(fc.double(), figures, fc.constantFrom(-0, 0, 1e21, -1e-7, 5e-324, 1.7976931348623157e308))
    fc.assert(
      fc.property(values, fc.constantFrom(...everyKind), (x, kind) => {
        const text = textSerializerOf(kind)(x)
        const read: unknown = JSON.parse(text)
        expect(Number.isFinite(x) ? typeof read : read).toBe(Number.isFinite(x) ? 'number' : null)
        expect(Object.is(read, -0)).toBe(false)
        expect(text).not.toMatch(/^-0(\.0*)?$/)
      }),
      { numRuns: 3000 }
    )
  })

  test.each(everyKind)('that does not exist is null: NaN, infinite and undefined', (kind) => {
    const write = textSerializerOf(kind)
    for (const absent of [Number.NaN, Infinity, -Infinity, undefined]) expect(write(absent)).toBe('null')
  })

  test('is written as the rounded number reads, to decimals and to significant digits', () => {
    const whole = fc.tuple(fc.maxSafeNat(), fc.integer({ min: 0, max: 22 })).map(([all, power]) => all / 10 ** power)
    fc.assert(
      fc.property(fc.oneof(figures, whole), fc.integer({ min: 0, max: 15 }), (x, digits) => {
        expect(textSerializerOf(Decimal(digits, 'x'))(x)).toBe(`${roundTo(x, digits)}`)
        expect(textSerializerOf(Digits(digits + 1, 'x'))(x)).toBe(`${roundToSignificant(x, digits + 1)}`)
      }),
      { numRuns: 20_000 }
    )
  })

  test('of the request is repeated as it came', () => {
    const write = textSerializerOf(Echo('usd'))
    expect([0.1 + 0.2, 1e21, -0, 1e-7].map(write)).toEqual(['0.30000000000000004', '1e+21', '0', '1e-7'])
  })

  test('of contracts is whole', () => {
    expect([2.5, -2.5, 1e21, 0.4].map(textSerializerOf(Contracts()))).toEqual(['3', '-3', '1e+21', '0'])
  })
})

describe('a serialised answer', () => {
  const row = Type.Object({ strike: Price(), iv: Nullable(Percent()), note: Type.Optional(Type.String()) })

  test('holds the declared fields in declared order and no others', () => {
    const write = textSerializerOf(Type.Object({ b: Price(), a: Type.Array(row) }))
    const value = { secret: 1, a: [{ iv: 1.00005, strike: 10, hidden: true }], b: 2 }
    expect(write(value)).toBe('{"b":2,"a":[{"strike":10,"iv":1.0001}]}')
  })

  test('says null for undefined, leaves out what is optional and absent, and keeps it where it is present', () => {
    const write = textSerializerOf(Type.Array(row))
    expect(
      write([
        { strike: 1, iv: undefined },
        { strike: 2, note: '"é\u2028\ud800' }
      ])
    ).toBe('[{"strike":1,"iv":null},{"strike":2,"iv":null,"note":"\\"é\u2028\\ud800"}]')
  })

  test('takes the shape of a union that the value has', () => {
    const write = textSerializerOf(
      Type.Union([
        Type.Object({ price: Price(), size: Contracts() }),
        Type.Object({ message: Type.String() }),
        Type.Array(Price()),
        Contracts(),
        Type.Boolean(),
        Type.Null()
      ])
    )
    const values = [{ price: 1.00005, size: 2 }, { message: 'x' }, [1.00005], 2.5, true, null, undefined]
    expect(values.map(write)).toEqual([
      '{"price":1.0001,"size":2}',
      '{"message":"x"}',
      '[1.0001]',
      '3',
      'true',
      'null',
      'null'
    ])
    expect(() => write('text')).toThrow('none of the shapes')
  })

  test('may be of any length, whatever was written before it', () => {
    const write = textSerializerOf(Type.Array(Type.Object({ text: Type.String(), price: Price() })))
    const rows = Array.from({ length: 60_000 }, (_, k) => ({
      text: k % 7 === 0 ? 'é"\n'.repeat(40) : 'plain',
      price: k / 8
    }))
    for (const count of [1, 60_000, 2]) expect(JSON.parse(write(rows.slice(0, count)))).toEqual(rows.slice(0, count))
    expect(() => write([{ text: 'x', price: 1 }, undefined])).toThrow()
    expect(write([])).toBe('[]')
  })

  test('prints what stands behind an open schema untouched, NaN as null', () => {
    const write = textSerializerOf(Type.Object({ legs: Type.Array(Type.Unsafe<unknown>({ allOf: [] })) }))
    expect(write({ legs: [{ a: 1.23456789, b: [Number.NaN], c: 'x' }] })).toBe(
      '{"legs":[{"a":1.23456789,"b":[null],"c":"x"}]}'
    )
  })

  test('is the JSON that any other writer would make of the same figures', () => {
    const schema = Type.Object({
      name: Type.String(),
      open: Type.Boolean(),
      rows: Type.Array(Type.Object({ echo: Echo('x'), maybe: Nullable(Type.String()) }))
    })
    const values = fc.record({
      name: fc.string({ unit: 'binary' }),
      open: fc.boolean(),
      rows: fc.array(
        fc.record({
          echo: fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
          maybe: fc.option(fc.string())
        })
      )
    })
    const write = textSerializerOf(schema)
    fc.assert(
      fc.property(values, (value) => {
        expect(write(value)).toBe(JSON.stringify(value))
      })
    )
  })
})

describe('times', () => {
  const schema = Type.Object({
    as_of: Timestamp(),
    day: Day(),
    last: Nullable(Timestamp()),
    text: Type.String(),
    rows: Type.Array(Type.Object({ at: Timestamp(), next: Type.Optional(Timestamp()) }))
  })
  const value = {
    as_of: '2026-07-29T19:30:00.000Z',
    day: '2026-07-29',
    last: undefined,
    text: '2026-07-29T19:30:00.000Z',
    rows: [{ at: '2026-01-15T14:31:07.250Z' }, { at: '2026-07-30T03:59:59.000Z', next: '2026-11-01T05:30:00Z' }]
  }

  test('stay as they are on the clock of UTC', () => {
    expect(textSerializerOf(schema, 'utc')(value)).toBe(textSerializerOf(schema)(value))
    expect(JSON.parse(textSerializerOf(schema)(value))).toEqual({ ...value, last: null })
  })

  test('are those of New York, without a zone, where they are declared as moments; dates and texts stay', () => {
    expect(JSON.parse(textSerializerOf(schema, 'et')(value))).toEqual({
      as_of: '2026-07-29T15:30:00',
      day: '2026-07-29',
      last: null,
      text: '2026-07-29T19:30:00.000Z',
      rows: [{ at: '2026-01-15T09:31:07.250' }, { at: '2026-07-29T23:59:59', next: '2026-11-01T01:30:00' }]
    })
  })

  test('that are none become null', () => {
    const write = textSerializerOf(Type.Object({ at: Timestamp() }), 'et')
    expect([write({ at: undefined }), write({ at: 'soon' }), write({ at: 7 })]).toEqual(Array(3).fill('{"at":null}'))
  })
})
