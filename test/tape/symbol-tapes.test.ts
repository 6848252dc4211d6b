import { describe, expect, test } from 'vitest'
import type { Print, TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import {
  ADJUSTED,
  AFTER_GAP,
  CANCEL,
  CORRECTION,
  EXTENDED,
  LARGE_PRICE_UNIT,
  MULTI_LEG,
  NO_PRICE,
  OUT_OF_SEQUENCE,
  PRICE_UNIT
} from '../../src/market/print.ts'
import { listedSeries } from '../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import {
  at,
  call,
  cancelOf,
  isCancel,
  noon,
  printed,
  put,
  quoted,
  rowsIn,
  SPY,
  session,
  stockQuoted
} from './messages.ts'

const minute = 60_000

/** Tapes that have taken some messages as they happened, and what they refused. */
function taken(messages: readonly TapeMessage[], symbol = SPY) {
  const refused: string[] = []
  const tapes = new SymbolTapes({ symbol, onRefused: (reason) => refused.push(reason) })
  for (const message of messages) tapes.take(message, undefined)
  return { tapes, refused, rows: rowsIn(tapes), stock: rowsIn(tapes, 'stock') }
}

describe('the quote of a print', () => {
  const judged = (messages: readonly TapeMessage[]) => {
    const { bid, ask, side } = taken(messages).rows[0]
    return [bid, ask, side]
  }
  const none = [NO_PRICE, NO_PRICE, 'mid']

  test('is the newest that stood when it was made', () => {
    expect(judged([quoted(noon - 2, 1, 1.1), printed({ price: 1.1 })])).toEqual([10_000, 11_000, 'buy'])
    expect(judged([quoted(noon - 2, 1, 1.1), quoted(noon - 1, 1.1, 1.2), printed({ price: 1.1 })])[2]).toBe('sell')
    expect(judged([quoted(noon, 1, 1.1), printed({ price: 1 })])[2]).toBe('sell')
    expect(judged([quoted(noon + 1, 1, 1.1), printed({ price: 1 })])).toEqual(none)
    // A quote that came before its print and is later than it does not hide the one before it.
    expect(judged([quoted(noon - 1, 1, 1.1), quoted(noon + 1, 2, 2.1), printed({ price: 1.1 })])[2]).toBe('buy')
  })

  test('is that of its contract', () => {
    expect(judged([quoted(noon - 1, 1, 1.1, put), printed({ price: 1.1 })])).toEqual(none)
    const { stock } = taken([stockQuoted(noon - 1, 630, 630.1), printed({ contract: undefined, price: 630.1 })])
    expect(stock).toMatchObject([{ bid: 6_300_000, ask: 6_301_000, side: 'buy', spot: 6_300_500 }])
  })

  test('may be a quarter of an hour old, that of a stock a minute', () => {
    expect(judged([quoted(noon - 15 * minute, 1, 1.1), printed({ price: 1.1 })])[2]).toBe('buy')
    expect(judged([quoted(noon - 15 * minute - 1, 1, 1.1), printed({ price: 1.1 })])).toEqual(none)
    const share = printed({ contract: undefined, price: 630.1 })
    const stock = (age: number) => taken([stockQuoted(noon - age, 630, 630.1), share]).stock[0].side
    expect(stock(minute)).toBe('buy')
    expect(stock(minute + 1)).toBe('mid')
  })

  test('is the one told with the print where there is one', () => {
    const quote = { bid: 1, ask: 1.1, time: noon - 5 }
    expect(judged([quoted(noon - 1, 2, 2.1), printed({ price: 1.1, quote })])).toEqual([10_000, 11_000, 'buy'])
    expect(judged([printed({ price: 1.1, quote: { ...quote, time: noon - 16 * minute } })])).toEqual(none)
  })

  test('is none where it is crossed, has no ask or is no number; a locked one leaves the side to ticks', () => {
    for (const [bid, ask] of [
      [1.2, 1.1],
      [1, 0],
      [-1, 1.1],
      [Number.NaN, 1.1],
      [1, Number.NaN]
    ] as const) {
      expect(judged([quoted(noon - 1, bid, ask), printed({ price: 1.1 })]), `${bid} ${ask}`).toEqual(none)
    }
    expect(judged([quoted(noon - 1, 0, 0.05), printed({ price: 0.05 })])).toEqual([0, 500, 'buy'])
    const locked = [
      quoted(noon - 1, 1.1, 1.1),
      printed({ price: 1.1 }),
      printed({ price: 1.11 }),
      printed({ price: 1.1 })
    ]
    expect(taken(locked).rows.map(({ side }) => side)).toEqual(['mid', 'buy', 'sell'])
  })
})

describe('the price of the underlying', () => {
  const spotOf = (messages: readonly TapeMessage[]) => taken(messages).rows.at(-1)!.spot
  test('is told with the print, else the middle of its newest quote with two sides, not older than a minute', () => {
    const share = stockQuoted
    expect(spotOf([share(noon - 1, 630, 631), printed({ spot: 640 })])).toBe(6_400_000)
    expect(spotOf([share(noon - 1, 630, 631), printed()])).toBe(6_305_000)
    expect(spotOf([share(noon - minute, 630, 631), printed()])).toBe(6_305_000)
    expect(spotOf([share(noon - minute - 1, 630, 631), printed()])).toBe(NO_PRICE)
    expect(spotOf([share(noon - 1, 0, 631), printed()])).toBe(NO_PRICE)
    expect(spotOf([share(noon - 1, 632, 631), printed()])).toBe(NO_PRICE)
    expect(spotOf([share(noon - 2, 630, 631), share(noon - 1, Number.NaN, 631), printed()])).toBe(6_305_000)
    expect(spotOf([printed({ spot: Number.NaN })])).toBe(NO_PRICE)
  })

  test('may be that of a chain, the newest of both', () => {
    const { tapes } = taken([stockQuoted(noon - 1, 630, 631)])
    tapes.noteSpot(700, noon - 2)
    tapes.noteSpot(Number.NaN, noon)
    tapes.take(printed(), undefined)
    tapes.noteSpot(650, noon)
    tapes.take(printed(), undefined)
    expect(rowsIn(tapes).map(({ spot }) => spot)).toEqual([6_305_000, 6_500_000])
  })
})

describe('a print', () => {
  test('outside the regular session of its class is flagged', () => {
    const isExtended = (print: Partial<Print>, symbol = SPY) => {
      const { tapes } = taken([printed({ symbol, ...print })], symbol)
      const [tape] = [...tapes.all()].filter(({ position }) => position > 0)
      return (tape.held.prints.flags[0] & EXTENDED) !== 0
    }
    const shares = (time: string) => isExtended({ contract: undefined, time: at(time) })
    expect(['09:29:59.999', '09:30', '16:00', '16:00:00.001'].map(shares)).toEqual([true, false, false, true])
    const fund = (time: string) => isExtended({ time: at(time) })
    expect(['09:29', '09:30', '16:00:01', '16:15', '16:15:01'].map(fund)).toEqual([true, false, false, false, true])
    const aapl = { contract: 'AAPL260821C00200000' }
    const equity = (time: string) => isExtended({ ...aapl, time: at(time) }, 'AAPL' as Ticker)
    expect(['16:00', '16:00:01'].map(equity)).toEqual([false, true])
    const half = (time: string) => isExtended({ time: Date.parse(`2026-11-27T${time}-05:00`) })
    expect(['13:15:00', '13:15:01'].map(half)).toEqual([false, true])
    expect(isExtended({ time: at('20:30') })).toBe(true)
  })

  test('goes to the session that its feed names, else to that of its time', () => {
    const next = '2026-07-30' as IsoDate
    const { tapes, rows } = taken([printed(), printed({ time: at('18:00') }), printed({ session: next })])
    expect(rows).toHaveLength(1)
    expect(rowsIn(tapes, 'option', next)).toHaveLength(2)
    tapes.dropBefore(next)
    expect([...tapes.all()].map((tape) => tape.session)).toEqual([next, next])
  })

  test('of a session that is over is refused', () => {
    const { refused, rows } = taken([printed(), printed({ session: '2026-07-28' as IsoDate })])
    expect([refused, rows.length]).toEqual([['past_session'], 1])
  })

  test('of an adjusted contract is flagged, and so is its series', () => {
    const { tapes, rows } = taken([printed({ contract: 'SPY1  260821C00630000' })])
    expect(rows[0].flags).toBe(ADJUSTED)
    const series = listedSeries(tapes.tape('option', session).series, 0)
    expect(series).toMatchObject({ root: 'SPY1', strike: 630, adjusted: true })
  })

  test('has the same series with and without the spaces of its name', () => {
    const { tapes } = taken([printed(), printed({ contract: 'SPY   260821C00630000' })])
    expect(tapes.tape('option', session).series.length).toBe(1)
  })

  test('keeps the flags of its feed, and has no side where it is marked', () => {
    const { rows } = taken([quoted(noon - 1, 1, 1.1), printed({ price: 1.1, flags: MULTI_LEG })])
    expect(rows).toMatchObject([{ flags: MULTI_LEG, side: 'mid', bid: 10_000 }])
  })

  test('with figures that cannot be is refused, and leaves no trace', () => {
    const impossible: Partial<Print>[] = [
      { price: 0 },
      { price: -1 },
      { price: Number.NaN },
      { price: Number.POSITIVE_INFINITY },
      { size: 0 },
      { size: 1.5 },
      { size: 2 ** 31 },
      { size: Number.NaN },
      { time: 0 },
      { time: Number.NaN },
      { time: Number.POSITIVE_INFINITY },
      { sequence: 1.5 },
      { sequence: 2 ** 53 },
      { exchange: 256 },
      { exchange: -1 },
      { price: 22_000_000 }
    ]
    const { refused, tapes } = taken(impossible.map((more) => printed({ contract: undefined, ...more })))
    expect(refused).toEqual(impossible.map(() => 'impossible_figures'))
    expect([...tapes.all()].map(({ position }) => position)).toEqual([0, 0])
  })

  test('of a moment that has not come yet is refused, but for a clock that is a little ahead', () => {
    const refused: string[] = []
    const tapes = new SymbolTapes({ symbol: SPY, onRefused: (reason) => refused.push(reason) })
    tapes.take(printed({ time: noon + minute }), noon)
    expect(refused).toEqual([])
    tapes.take(printed({ time: noon + minute + 1 }), noon)
    expect([refused, rowsIn(tapes).length]).toEqual([['impossible_figures'], 1])
  })

  test('of a contract that cannot be read is refused, and begins no tape', () => {
    const { refused, tapes } = taken([printed({ contract: 'SPY 2026', time: at('18:30') })])
    expect(refused).toEqual(['unreadable_contract'])
    expect([...tapes.all()].filter((tape) => tape.session !== session)).toEqual([])
  })

  test('with a large price is kept in whole cents from the first of its session on', () => {
    const share = (price: number) => printed({ contract: undefined, price, spot: price })
    const { tapes, stock, refused } = taken([share(712_345.67), share(712_345.674), share(22_000_000)])
    expect(tapes.tape('stock', session).unit).toBe(LARGE_PRICE_UNIT)
    expect(stock.map(({ price }) => price)).toEqual([71_234_567, 71_234_567])
    expect(refused).toEqual(['impossible_figures'])
    const rising = taken([share(199_999), share(210_000), share(220_000)])
    expect(rising.tapes.tape('stock', session).unit).toBe(PRICE_UNIT)
    expect(rising.stock.map(({ price }) => price)).toEqual([1_999_990_000, 2_100_000_000])
    expect(rising.refused).toEqual(['impossible_figures'])
  })

  test('has its price rounded half up to a whole number of the unit', () => {
    const prices = [1.00005, 2.12344, 2.12346].map((price) => taken([printed({ price })]).rows[0].price)
    expect(prices).toEqual([10_001, 21_234, 21_235])
  })

  test('is flagged where it is the first after a gap, of each kind', () => {
    const { tapes } = taken([printed()])
    tapes.noteGap()
    for (const contract of [call, call, undefined, undefined]) tapes.take(printed({ contract }), undefined)
    const isFirst = ({ flags }: { readonly flags: number }) => (flags & AFTER_GAP) !== 0
    expect(rowsIn(tapes).map(isFirst)).toEqual([false, true, false])
    expect(rowsIn(tapes, 'stock').map(isFirst)).toEqual([true, false])
  })
})

describe('a cancel', () => {
  const flagsOf = (messages: readonly TapeMessage[]) => taken(messages).rows.map(({ flags }) => flags)

  test('repeats the print that it takes back', () => {
    const [first, second] = [printed({ size: 3, price: 1.1 }), printed({ size: 4 })]
    const { rows } = taken([quoted(noon - 1, 1, 1.1), first, second, cancelOf(first)])
    const { known, flags, ...row } = rows[2]
    expect(rows[0]).toMatchObject(row)
    expect([known, flags]).toEqual([noon + 1000, CANCEL])
  })

  test('without a number takes back the newest like print that still stands', () => {
    const plain = { sequence: undefined }
    const [a, b, c] = [1, 2, 3].map((second) => printed({ ...plain, time: noon + 1000 * second }))
    const other = printed({ ...plain, size: 9 })
    const last = at('12:01')
    const named = cancelOf(a, { time: last })
    const { rows, refused } = taken([a, b, c, other, named, named, named, named])
    expect(rows.filter(isCancel).map(({ ts }) => ts - noon)).toEqual([3000, 2000, 1000])
    expect(refused).toEqual(['unmatched_cancel'])
  })

  test('that comes twice is applied once', () => {
    const print = printed()
    expect(flagsOf([print, cancelOf(print), cancelOf(print), print])).toEqual([0, CANCEL])
    expect(taken([print, cancelOf(print), cancelOf(print)]).refused).toEqual([])
  })

  test('of a print that never came is refused, and does not hide that it is taken back later', () => {
    const print = printed()
    const { rows, refused } = taken([cancelOf(print), print, cancelOf(print)])
    expect(refused).toEqual(['unmatched_cancel'])
    expect(rows.map(({ flags }) => flags)).toEqual([0, CANCEL])
  })

  test('with impossible figures is refused', () => {
    const print = printed()
    const { rows, refused } = taken([print, cancelOf(print, { time: Number.NaN }), cancelOf(print, { price: -1 })])
    expect([rows.length, refused]).toEqual([1, ['impossible_figures', 'impossible_figures']])
  })

  test('may bring the print that is right', () => {
    const print = printed({ size: 100 })
    const right = printed({ size: 10, time: noon })
    const message = cancelOf(print, { corrected: right.print })
    const { rows, refused } = taken([print, message, message])
    expect(rows.map(({ size, flags }) => [size, flags])).toEqual([
      [100, 0],
      [100, CANCEL],
      [10, CORRECTION]
    ])
    expect(refused).toEqual([])
    // A correction that carries the sequence number of the wrong print.
    const same = cancelOf(print, { corrected: { ...right.print, sequence: print.print.sequence } })
    expect(taken([print, same, same, print]).rows.map(({ size }) => size)).toEqual([100, 100, 10])
  })

  test('brings the right print also where the wrong one never came', () => {
    const right = printed({ size: 10 })
    const { rows, refused } = taken([cancelOf(printed(), { corrected: right.print })])
    expect([rows.map(({ flags }) => flags), refused]).toEqual([[CORRECTION], ['unmatched_cancel']])
  })

  test('does not count a print twice that is too old to be taken back', () => {
    const [old, right] = [printed({ time: at('09:31') }), printed({ time: at('09:31'), size: 2 })]
    const many = Array.from({ length: 20_000 }, (_, k) => printed({ time: at('09:31') + 60 * k }))
    const { tapes, refused } = taken([old, ...many, cancelOf(old, { corrected: right.print, time: at('12:00') })])
    expect(tapes.tape('option', session).position).toBe(20_001)
    expect(refused).toEqual(['unmatched_cancel'])
  })
})

describe('the order of a tape', () => {
  test('is that in which prints become known, which never falls', () => {
    const tapes = new SymbolTapes({ symbol: SPY })
    const times = [0, 100, 40, 90, 2000, 1600, 1400]
    const arrivals = [5, 90, 120, 110, 1990, 2010, 2020]
    times.forEach((time, k) => {
      tapes.take(printed({ time: noon + time }), noon + arrivals[k])
    })
    const rows = rowsIn(tapes)
    expect(rows.map(({ known }) => known - noon)).toEqual([5, 100, 120, 120, 2000, 2010, 2020])
    expect(rows.map(({ ts }) => ts - noon)).toEqual(times)
  })

  test('flags prints that lie more than half a second behind the newest of their series', () => {
    const prints = [0, 1000, 500, 499.999, 1000].map((time) => printed({ time: noon + time }))
    const elsewhere = [printed({ time: noon, contract: put }), printed({ time: noon, contract: undefined })]
    const { rows, stock } = taken([...prints, ...elsewhere])
    expect(rows.map(({ flags }) => flags)).toEqual([0, 0, 0, OUT_OF_SEQUENCE, 0, 0])
    expect(stock.map(({ flags }) => flags)).toEqual([0])
  })

  test('keeps whole microseconds', () => {
    const { rows } = taken([printed({ time: noon + 0.1234 })])
    expect(rows[0].ts).toBe(noon + 0.123)
  })
})
