import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNative } from '../../src/archive/codec/native.ts'
import {
  ABSENT,
  archiveOrder,
  bidLevels,
  CENTS,
  decodeBids,
  decodePrices,
  encodeBids,
  encodePrices,
  FINE,
  ODD,
  type OddPrices,
  unitOf
} from '../../src/archive/codec/prices.ts'
import { floatField, instantField, quotedText } from '../../src/archive/codec/tab-separated.ts'
import { sketched } from '../support/hand-made.ts'

const columns = fc.array(fc.tuple(fc.double(), fc.double()), { maxLength: 60 })
const cents = fc.array(fc.tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 99_999 })))
const none = (): OddPrices => ({ slot: [], price: [] })
const identity = (size: number) => Uint32Array.from({ length: size }, (_, k) => k)

/** Bids and asks written and read again; odd prices are put in as a reader does. */
function throughCodec(bid: Float64Array, ask: Float64Array, unit: number) {
  const order = identity(bid.length)
  const odd = none()
  const bends = encodeBids(bid, order, unit, odd)
  const spread = encodePrices(ask, order, unit, odd, 1, bidLevels(bends))
  const [bids, asks] = [new Float64Array(bid.length), new Float64Array(bid.length)]
  decodeBids(bends, bidLevels(bends), order, unit, bids)
  decodePrices(spread, order, unit, asks, bidLevels(bends))
  odd.slot.forEach((at, k) => {
    ;[bids, asks][Math.floor(at / bid.length)][at % bid.length] = odd.price[k]
  })
  return { bids, asks, odd }
}

describe('the codec of prices', () => {
  test('gives back any float, in either unit', () => {
    fc.assert(
      fc.property(columns, fc.constantFrom(CENTS, FINE), (rows, unit) => {
        const [bid, ask] = [0, 1].map((side) => Float64Array.from(rows, (row) => row[side]))
        const { bids, asks } = throughCodec(bid, ask, unit)
        expect(bids).toStrictEqual(bid)
        expect(asks).toStrictEqual(ask)
      })
    )
  })

  test('keeps no whole cents apart, and gives them back as the very floats that cents are', () => {
    fc.assert(
      fc.property(cents, (rows) => {
        const [bid, ask] = [0, 1].map((side) => Float64Array.from(rows, (row) => row[side] / 100))
        expect(unitOf(bid, ask)).toBe(CENTS)
        const { bids, asks, odd } = throughCodec(bid, ask, CENTS)
        expect(odd).toEqual(none())
        expect(bids).toStrictEqual(bid)
        expect(asks).toStrictEqual(ask)
      })
    )
  })

  test('writes a straight line of bids as zeros, and an absent one disturbs neither level nor slope', () => {
    const bid = Float64Array.from([5, 4.5, 4, Number.NaN, 3.5, 3])
    expect([...encodeBids(bid, identity(6), CENTS, none())]).toEqual([500, -550, 0, ABSENT, 0, 0])
  })

  test('keeps apart what is too large, not a number of units, or a negative zero', () => {
    const odd = none()
    const prices = Float64Array.from([2_684_354.55, 2_684_354.56, 0.001, -0, Number.POSITIVE_INFINITY])
    const codes = encodePrices(prices, identity(5), CENTS, odd, 2)
    expect([...codes]).toEqual([268_435_455, ODD, ODD, ODD, ODD])
    expect(odd).toEqual({ slot: [11, 12, 13, 14], price: [2_684_354.56, 0.001, -0, Number.POSITIVE_INFINITY] })
  })

  test('takes the finer unit once more than one price in 64 needs it', () => {
    const prices = new Float64Array(64).fill(1.25)
    prices[3] = 0.005
    expect(unitOf(prices)).toBe(CENTS)
    prices[4] = 0.005
    expect(unitOf(prices)).toBe(FINE)
    expect(unitOf(new Float64Array(3).fill(Number.NaN))).toBe(CENTS)
  })
})

test('the order of the archive is calls, then puts, of one expiration after the other', () => {
  const series = ['2026-08-21', '2026-09-18'].map((date) => ({ date, strikes: [90, 100] }))
  const { expirations, right } = sketched({ date: '2026-07-29', time: '12:00', spot: 100, series })
  expect([...archiveOrder(expirations, right)]).toEqual([0, 2, 1, 3, 4, 6, 5, 7])
})

describe('rows of text', () => {
  test('hold any double in digits that read as the same one', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(floatField(value))).toBe(value)
      })
    )
    expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(floatField)).toEqual([
      'nan',
      'inf',
      '-inf'
    ])
  })

  test('hold moments to the millisecond', () => {
    expect([0, 1785340800123, 1785340800007, -1].map(instantField)).toEqual([
      '0.000',
      '1785340800.123',
      '1785340800.007',
      '-0.001'
    ])
  })

  test('escape whatever would end a field', () => {
    expect(quotedText("a'b\\c\td\ne\0")).toBe("'a\\'b\\\\c\\td\\ne\\0'")
  })
})

describe('answers in the Native format', () => {
  // SELECT 1 AS a, [1, 2, 3]::Array(Int32) AS b, as the engine answers it.
  const answer = Uint8Array.from(
    '020101610555496e74380101620c417272617928496e743332290300000000000000010000000200000003000000'.match(/../g)!,
    (hex) => Number.parseInt(hex, 16)
  )

  test('are read column by column', () => {
    expect(readNative(answer)).toEqual([
      { rows: 1, columns: { a: Uint8Array.of(1), b: { ends: [3], flat: Int32Array.of(1, 2, 3) } } }
    ])
    expect(readNative(new Uint8Array(0))).toEqual([])
    const shared = new Uint8Array(new SharedArrayBuffer(answer.length))
    shared.set(answer)
    expect(readNative(shared)).toEqual(readNative(answer))
  })

  test('that end too early are refused wherever they end', () => {
    for (let length = 1; length < answer.length; length++) {
      expect(() => readNative(answer.subarray(0, length)), `${length} bytes`).toThrow()
    }
  })
})
