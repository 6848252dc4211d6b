import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatOcc, parseOcc } from '../../src/market/occ.ts'
import { dateOfEpochDay, epochDay, parseIsoDate } from '../../src/market/units.ts'

const day = (text: string) => epochDay(parseIsoDate(text)!)

describe('parseOcc', () => {
  test('reads the 21-character symbol and the one without spaces alike', () => {
    const apple = {
      root: 'AAPL',
      underlying: 'AAPL',
      expiration: '2026-01-16',
      right: 'call',
      strike: 150,
      adjusted: false
    }
    expect(parseOcc('AAPL  260116C00150000')).toEqual(apple)
    expect(parseOcc('AAPL260116C00150000')).toEqual(apple)
  })

  test('keeps fractional strikes', () => {
    expect(parseOcc('F261218P00012500')?.strike).toBe(12.5)
    expect(parseOcc('F261218P00012370')?.strike).toBe(12.37)
    expect(parseOcc('F261218P00000500')?.strike).toBe(0.5)
  })

  test('keeps a weekly root as it is', () => {
    expect(parseOcc('SPXW260729P06400000')).toMatchObject({
      root: 'SPXW',
      underlying: 'SPXW',
      adjusted: false,
      right: 'put'
    })
  })

  test('marks an adjusted contract and finds its underlying', () => {
    expect(parseOcc('AAPL1 260116C00150000')).toMatchObject({ root: 'AAPL1', underlying: 'AAPL', adjusted: true })
    expect(parseOcc('GOOGL2260116C00150000')).toMatchObject({ root: 'GOOGL2', underlying: 'GOOGL', adjusted: true })
  })

  test('lets a digit lead the root', () => {
    expect(parseOcc('2SPX  260116C06400000')).toMatchObject({ root: '2SPX', underlying: '2SPX', adjusted: false })
  })

  test.each([
    ['nothing', ''],
    ['no root', '260116C00150000'],
    ['a root of spaces', '      260116C00150000'],
    ['a space in front', ' AAPL 260116C00150000'],
    ['a space inside the root', 'AA PL 260116C00150000'],
    ['a root of seven characters', 'AAPLXYZ260116C00150000'],
    ['a root of digits', '12260116C00150000'],
    ['lower case', 'aapl260116C00150000'],
    ['a lower-case right', 'AAPL260116c00150000'],
    ['a dot in the root', 'BRK.B260116C00150000'],
    ['no such month', 'AAPL261316C00150000'],
    ['no such day', 'AAPL260230C00150000'],
    ['another right', 'AAPL260116X00150000'],
    ['a strike of nothing', 'AAPL260116C00000000'],
    ['a strike with a dot', 'AAPL260116C00150.00'],
    ['a short strike', 'AAPL260116C0015000'],
    ['a letter in the date', 'AAPL26O116C00150000'],
    ['a prefix', 'O:AAPL260116C00150000'],
    ['digits that are not ASCII', 'AAPL260116C0015000٠']
  ])('refuses %s', (_, text) => {
    expect(parseOcc(text)).toBeUndefined()
  })

  test('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 30, unit: 'binary' }), (text) => void parseOcc(text)))
  })
})

const anyOcc = fc.record({
  root: fc
    .tuple(fc.stringMatching(/^[A-Z0-9]{0,4}[A-Z]$/), fc.constantFrom('', '1', '7'))
    .map(([letters, digit]) => letters + digit),
  expiration: fc.integer({ min: day('2000-01-01'), max: day('2099-12-31') }).map(dateOfEpochDay),
  right: fc.constantFrom('call' as const, 'put' as const),
  strike: fc.integer({ min: 1, max: 99_999_999 }).map((thousandths) => thousandths / 1000)
})

describe('formatOcc', () => {
  test('writes the symbol as the exchanges do', () => {
    const spx = { root: 'SPXW', expiration: parseIsoDate('2026-07-29')!, right: 'put', strike: 6402.5 } as const
    expect(formatOcc(spx)).toBe('SPXW260729P06402500')
    expect(formatOcc(spx, { padded: true })).toBe('SPXW  260729P06402500')
  })

  test('what is written reads back as it was, padded or not', () => {
    fc.assert(
      fc.property(anyOcc, fc.boolean(), (occ, padded) => {
        const text = formatOcc(occ, { padded })
        expect(text.length).toBe(padded ? 21 : occ.root.length + 15)
        const read = parseOcc(text)!
        expect(read).toMatchObject(occ)
        expect(read.adjusted).toBe(/\d$/.test(occ.root))
        expect(read.underlying).toBe(occ.root.replace(/\d+$/, ''))
        expect(formatOcc(read, { padded })).toBe(text)
      })
    )
  })

  test.each([0, -5, 100_000, 12.3456, Number.NaN, Number.POSITIVE_INFINITY])('refuses a strike of %s', (strike) => {
    const occ = { root: 'F', expiration: parseIsoDate('2026-01-16')!, right: 'call', strike } as const
    expect(() => formatOcc(occ)).toThrow(RangeError)
  })

  test('refuses a year that the symbol cannot hold', () => {
    const occ = { root: 'F', expiration: parseIsoDate('1999-01-16')!, right: 'call', strike: 5 } as const
    expect(() => formatOcc(occ)).toThrow(RangeError)
  })
})

const recorded = '../shared/data/cboe/json/_SPX-2026-07-30.json.gz'
if (!existsSync(recorded))
  console.log('skipped: every symbol of a recorded index chain (the recorded data is not here)')
test.skipIf(!existsSync(recorded))('every symbol of a recorded index chain reads and is written back', () => {
  const payload = JSON.parse(gunzipSync(readFileSync(recorded)).toString())
  const symbols: string[] = payload.data.options.map((option: { option: string }) => option.option)
  expect(symbols.length).toBeGreaterThan(20_000)
  for (const symbol of symbols) {
    const occ = parseOcc(symbol)
    if (occ === undefined || formatOcc(occ) !== symbol) expect.fail(symbol)
    if (occ.root !== 'SPX' && occ.root !== 'SPXW') expect.fail(symbol)
  }
})
