import { beforeAll, describe, expect, test } from 'vitest'
import { emptyTally } from '../../src/imports/import-writer.ts'
import { importLean } from '../../src/imports/lean/import-lean.ts'
import type { Chain } from '../../src/market/chain.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import { filesInZip, recordedMinutes } from '../support/lean-files.ts'
import { iso, slotOf, type Taken, take } from './take.ts'

const folder = recordedMinutes()
const filesIn = (zip: string) => filesInZip(`${folder}/${zip}`)

describe.skipIf(folder === undefined)('GOOG on 2015-12-24, a half day', () => {
  let taken: Taken
  let chains: ReadonlyMap<string, Chain>
  beforeAll(async () => {
    taken = await take((writer) => importLean([folder!], writer))
    chains = new Map(taken.snapshots.map(({ chain }) => [iso(chain.asOf).slice(11, 16), chain]))
  })

  test('has a snapshot for each of its 210 minutes, 09:31 to 13:00, with all 2,192 series', () => {
    expect(taken.tally).toEqual({ ...emptyTally, snapshots: 210, rows: 460_320, bars: 1 })
    expect(iso(taken.snapshots[0].chain.asOf)).toBe('2015-12-24T14:31:00.000Z')
    expect(iso(taken.snapshots[209].chain.asOf)).toBe('2015-12-24T18:00:00.000Z')
    expect(new Set(taken.snapshots.map(({ chain }) => chain.size))).toEqual(new Set([2192]))
  })

  test('closed at 748.40 after 749.55, 751.35 and 746.34', () => {
    expect(taken.bars).toEqual([
      ['GOOG', { date: '2015-12-24', open: 749.55, high: 751.35, low: 746.34, close: 748.4, volume: 515_572 }]
    ])
    expect(chains.get('18:00')?.spot).toBe(748.4)
  })

  test('has the spot of the newest bar of the shares at every minute', () => {
    const bars = [...filesIn('equity/20151224_quote.zip').values()][0]
    for (const { chain } of taken.snapshots.slice(0, -1)) {
      const known = (chain.asOf - Date.UTC(2015, 11, 24, 5)) / 60_000
      const newest = bars.findLast(([time]) => Number(time) / 60_000 + 1 <= known)!
      expect(chain.spot).toBeCloseTo((Number(newest[4]) + Number(newest[9])) / 20_000, 9)
    }
  })

  test('has the newest bid and ask of every series, at the first, a middle and the last minute', () => {
    const files = filesIn('option/20151224_quote_american.zip')
    expect(files.size).toBe(2192)
    for (const [clock, known] of [
      ['14:31', 571],
      ['16:15', 675],
      ['18:00', 780]
    ] as const) {
      const chain = chains.get(clock)!
      let unquoted = 0
      for (const [name, bars] of files) {
        const [, right, strike, expiry] = /_(call|put)_(\d+)_(\d{8})\.csv$/.exec(name)!
        const date = `${expiry.slice(0, 4)}-${expiry.slice(4, 6)}-${expiry.slice(6)}`
        const slot = slotOf(chain, date, Number(strike) / 10_000, right === 'call' ? CALL : PUT)
        const past = bars.filter(([time]) => Number(time) / 60_000 + 1 <= known)
        const isQuoted = past.length > 0
        if (!isQuoted) unquoted++
        const newest = (close: number) => {
          const bar = past.findLast((each) => each[close] !== '')
          return bar && [Number(bar[close]) / 10_000, Number(bar[close + 1])]
        }
        const [bid, bidSize] = newest(4) ?? (isQuoted ? [0, 0] : [Number.NaN, -1])
        const [ask, askSize] = newest(9) ?? [Number.NaN, isQuoted ? 0 : -1]
        const found = [chain.bid[slot], chain.ask[slot], chain.bidSize[slot], chain.askSize[slot]]
        expect(found, `${name} at ${clock}`).toEqual([bid, ask, bidSize, askSize])
      }
      expect(unquoted).toBe([...chain.bid].filter(Number.isNaN).length)
    }
  })

  test('has no crossed quote: a side that its bars leave out had not moved', () => {
    let [twoSided, crossed] = [0, 0]
    for (const { spot, size, strike, bid, ask } of chains.values()) {
      for (let i = 0; i < size; i++) {
        if (Math.abs(strike[i] / spot - 1) > 0.05 || !(bid[i] > 0 && ask[i] > 0)) continue
        twoSided++
        if (bid[i] > ask[i]) crossed++
      }
    }
    expect(crossed).toBe(0)
    expect(twoSided).toBeGreaterThan(100_000)
  })

  test('has every print of the options in the volume of the close, and the open interest of the morning', () => {
    const close = chains.get('18:00')!
    let volume = 0
    for (const bars of filesIn('option/20151224_trade_american.zip').values()) {
      for (const bar of bars) volume += Number(bar[5])
    }
    expect(close.volume.reduce((sum, count) => sum + count, 0)).toBe(volume)
    let open = 0
    for (const [[, count]] of filesIn('option/20151224_openinterest_american.zip').values()) open += Number(count)
    expect(close.openInterest.reduce((sum, count) => sum + Math.max(0, count), 0)).toBe(open)
    expect([...close.openInterest].filter((count) => count < 0)).toHaveLength(2192 - 2058)
  })
})
