import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PrintRows } from '../../src/archive/codec/print-rows.ts'
import { emptyPrints, NO_PRICE, type Prints, printColumns, printKinds } from '../../src/market/print.ts'

/** Any numbers that a column of prints can hold: whole ones, times and numbers of feeds of up to 53 bits. */
const prints = fc
  .array(fc.array(fc.maxSafeInteger(), { minLength: 12, maxLength: 12 }), { maxLength: 20 })
  .map((rows) => {
    const made = emptyPrints(rows.length)
    rows.forEach((row, at) => {
      printColumns.forEach((name, k) => {
        made[name][at] = printKinds[name] === Float64Array ? Math.floor(row[k] / 2) : row[k]
      })
    })
    return made
  })

/** Formats the rows with JavaScript's own number formatting. */
function plainRows(name: string, given: Prints, from: number, to: number, position: number): string {
  let rows = ''
  for (let k = from; k < to; k++) {
    const { known, ts, sequence, instrument, price, size, bid, ask, spot, flags, judged, exchange } = given
    const above = bid[k] === NO_PRICE ? 0 : 1
    const prices = [price[k] - above * bid[k], size[k], bid[k], ask[k] - above * bid[k]]
    const rest = [spot, flags, judged, exchange].map((column) => column[k])
    const times = [position + k - from, known[k], known[k] - ts[k]]
    rows += `${name}${[...times, sequence[k], instrument[k], ...prices, ...rest, above].join('\t')}\n`
  }
  return rows
}

test('rows of prints are written as text would be, one stretch after the other', () => {
  const stretch = fc.record({ prints, position: fc.nat(2 ** 31), name: fc.constantFrom('SPY\t2026-07-31\t', 'É\\t\t') })
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 4 }), fc.nat(5), (stretches, skipped) => {
      const rows = new PrintRows()
      let expected = ''
      for (const { name, prints, position } of stretches) {
        const from = Math.min(skipped, prints.length)
        rows.add(name, prints, from, prints.length, position)
        expected += plainRows(name, prints, from, prints.length, position)
      }
      expect(rows.length).toBe(Buffer.byteLength(expected))
      expect(Buffer.from(rows.take()).toString()).toBe(expected)
      expect(rows.take()).toHaveLength(0)
    })
  )
})
