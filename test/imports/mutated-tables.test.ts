import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { chainColumnsFrom } from '../../src/imports/chains/vendor-table.ts'
import type { Ticker } from '../../src/market/units.ts'
import { csvMutations, type Mutation } from '../support/mutations.ts'
import { folderWith, noParquet, take } from './take.ts'

// End-of-day files with one column that is dropped, renamed or holds something else, and files that break off: what is written
// has the same figures, or none in their place, and what is not is told by the name of its field.

const folder = resolve(import.meta.dirname, '../../../shared/data/vendor-samples')
const isThere = existsSync(folder)
if (!isThere) console.log('skipped: rows of end-of-day files lie in ../shared/data, which is not there')
const sample = (path: string) => (isThere ? readFileSync(join(folder, path), 'utf8').replaceAll(', ', ',') : '')

const plain = `day,under,expires,k,cp,b,a,oi,px
2024-01-05,SPY,2024-02-16,470,C,5,5.2,11,467.92
2024-01-05,SPY,2024-02-16,470,P,6,6.2,12,467.92
`
const columnMap =
  'day=date,under=symbol,expires=expiration,k=strike,cp=right,b=bid,a=ask,oi=open_interest,px=underlying_price'

function imported(text: string, map: string) {
  const options = { ...chainColumnsFrom(map), symbol: map === 'optionsdx' ? ('SPY' as Ticker) : undefined }
  const archive = { bars: async () => [], writeTableText: noParquet }
  return take((writer) => importChains([folderWith({ 'a.csv': text })], { ...options, archive }, writer))
}

/** The figures of every contract of a snapshot, by its name; with the spot, which is of all of them. */
function contractsOf({ chain }: ChainSnapshot): readonly (readonly [string, readonly number[]])[] {
  const { symbol, asOf, spot, bid, ask, last, bidSize, askSize, volume, openInterest } = chain
  const columns = [bid, ask, last, bidSize, askSize, volume, openInterest]
  return chain.expirations.flatMap(({ root, date, start, end }) =>
    Array.from({ length: end - start }, (_, k) => start + k).map((i) => {
      const name = [symbol, asOf, root, date, chain.strike[i], chain.right[i]].join(' ')
      return [name, [spot, ...columns.map((column) => column[i])]] as const
    })
  )
}

/** How the fields that a column fills are called in sentences. */
function namesOf(column: string, map: string): RegExp {
  const { vendor, columns } = chainColumnsFrom(map)
  const ofVendor = Object.entries(vendor?.columns ?? {}).filter(([, names]) =>
    names.some((name) => name.toLowerCase() === column.toLowerCase())
  )
  // A missing vendor column is reported by its newest name.
  const fields = [...ofVendor.flatMap(([field, names]) => [field, ...names]), columns?.get(column)?.field ?? '']
  // A price of the underlying that is made of a bid and an ask is missing as a whole.
  const words = fields.map((field) => field.replace(/^(call|put)_/, '').replace(/^underlying_.*/, 'underlying'))
  return new RegExp([column.replaceAll(/[[\]]/g, '\\$&'), ...words.filter((word) => word !== '')].join('|'), 'i')
}

describe.each([
  ['Cboe DataShop', 'datashop', sample('cboe-datashop/eod-with-calcs.csv')],
  ['Cboe DataShop at 15:45', 'datashop-1545', sample('cboe-datashop/eod.csv')],
  ['historicaloptiondata', 'historicaloptiondata', sample('historicaloptiondata/spx.csv')],
  ['optionsdx', 'optionsdx', sample('optionsdx/spy-15min.txt')],
  ['a map', columnMap, plain]
])('a table of %s', (name, map, text) => {
  test.skipIf(text === '')('has the same figures, or none and says which field', async () => {
    const whole = await imported(text, map)
    expect(whole.rejections).toEqual([])
    const known = new Map(whole.snapshots.flatMap(contractsOf))
    expect(known.size).toBeGreaterThan(0)
    // Another word in the place of a symbol is another symbol, 0x1 are two sizes, and 12:30 is another time.
    const isOther = ({ label }: Mutation) =>
      /^(under|underlying|.*symbol) as "(text|true|0x1)"|SIZE\] as "0x1"|UNIXTIME\] as "12:30"/i.test(label)
    // Many files do not end their last line, so a file cut off within the last cell of a row cannot be recognized.
    const isWhole = (row: string) => row !== '' && row.split(',').length === text.split('\n')[0].split(',').length
    for (const mutation of csvMutations(text)) {
      if (isOther(mutation)) continue
      if (mutation.field === undefined && isWhole(mutation.text.split('\n').at(-1)!)) continue
      const { label, field, text: changed } = mutation
      const { snapshots, rejections, tally } = await imported(changed, map)
      const found = snapshots.flatMap(contractsOf)
      for (const [contract, figures] of found) {
        const expected = known.get(contract)
        expect(expected, `${name}: ${label}: ${contract}`).toBeDefined()
        const same = figures.map((figure, k) => (Number.isNaN(figure) || figure === -1 ? expected![k] : figure))
        expect(same, `${name}: ${label}: ${contract}`).toEqual(expected)
      }
      if (found.length === known.size) continue
      if (!changed.includes('\n')) continue // it broke off before its first row
      expect(rejections.length + tally.leftOut, `${name}: ${label}`).toBeGreaterThan(0)
      for (const { reason } of rejections) {
        if (field !== undefined && !/breaks off/.test(reason)) expect(reason, label).toMatch(namesOf(field, map))
      }
    }
  })
})
