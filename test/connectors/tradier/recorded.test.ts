import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mapTradierChain } from '../../../src/connectors/tradier/tradier-chain.ts'
import { readContracts, readExpirations } from '../../../src/connectors/tradier/tradier-contracts.ts'
import { readQuote } from '../../../src/connectors/tradier/tradier-quote.ts'
import type { Chain } from '../../../src/market/chain.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'

// An answer of the vendor's sandbox of 2024-06-28, 12:04 New York, with four contracts of PLTR.

const folder = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/tradier')
const isThere = existsSync(folder)
if (!isThere) console.log('skipped: samples of Tradier lie in ../shared/data, which is not there')
const sample = (name: string) => (isThere ? readFileSync(resolve(folder, name)) : Buffer.from('{}'))
const PLTR = 'PLTR' as Ticker
const fetched = Date.parse('2024-06-28T16:04:00Z')

const columnsOf = ({
  size,
  expirations,
  strike,
  right,
  bid,
  ask,
  last,
  bidSize,
  askSize,
  volume,
  openInterest
}: Chain) => ({
  size,
  expirations,
  columns: [strike, right, bid, ask, last, bidSize, askSize, volume, openInterest].map((column) => [...column])
})

const chainOf = (quoted: Uint8Array, listed: Uint8Array) =>
  mapTradierChain({ symbol: PLTR, quote: readQuote(quoted, PLTR)!, contracts: readContracts(listed), fetched }).chain

describe.skipIf(!isThere)('what the sandbox answered', () => {
  test('is a chain at the newest quote, thirteen minutes old', () => {
    const chain = chainOf(sample('quote.json'), sample('chain.json'))
    expect(chain).toMatchObject({ symbol: 'PLTR', size: 4, delay: 778.304, asOf: 1719589861696 })
    expect(chain.spot).toBeCloseTo(25.495, 12)
    expect(chain.quote).toEqual({ bid: 25.49, ask: 25.5, last: 25.5, time: 1719589861696 })
    expect(chain.expirations).toEqual([{ date: '2026-06-18', root: 'PLTR', settlement: 'pm', start: 0, end: 4 }])
    // By strike, call before put. The last put was traded the day before, so its volume of 3 is not of this session.
    expect(columnsOf(chain).columns).toEqual([
      [13, 13, 15, 15],
      [0, 1, 0, 1],
      [14.75, 0, 13.55, 1.32],
      [15.25, 1.41, 15.6, 1.95],
      [Number.NaN, 1.31, 13.66, 1.95],
      [87, 0, 39, 43],
      [6, 44, 324, 13],
      [0, 1, 5, 0],
      [0, 10, 0, 3]
    ])
  })

  test('of one contract comes without a list, of none as null', () => {
    expect(readContracts(sample('chain-one-contract.json'))).toHaveLength(1)
    expect(readContracts(sample('chain-none.json'))).toEqual([])
    expect(readExpirations(sample('expirations.json'))).toEqual([
      '2024-06-28',
      '2024-07-05',
      '2024-07-12',
      '2024-07-19',
      '2024-09-20',
      '2026-06-18'
    ])
  })

  test('of a symbol that it does not know is nothing', () => {
    expect(readQuote(sample('quotes-unmatched.json'), 'NOSUCH' as Ticker)).toBeUndefined()
    expect(() => readQuote(sample('quote.json'), 'SPY' as Ticker)).toThrow(/symbol is PLTR where SPY/)
  })
})

describe.skipIf(!isThere)('a mutated answer is the same figures or a fault with the name of the field', () => {
  const quote = sample('quote.json')
  const listed = sample('chain.json')

  test('of contracts', () => {
    const figures = (text: string) => columnsOf(chainOf(quote, Buffer.from(text)))
    expectSameOrNamed(jsonMutations(String(listed)), figures(String(listed)), figures)
  })

  test('of the underlying', () => {
    const figures = (text: string) => {
      const { spot, quote, asOf, delay } = chainOf(Buffer.from(text), listed)
      return { spot, quote, asOf, delay }
    }
    expectSameOrNamed(jsonMutations(String(quote)), figures(String(quote)), figures)
  })

  test('of expirations', () => {
    const figures = (text: string) => readExpirations(Buffer.from(text))
    const text = String(sample('expirations.json'))
    expectSameOrNamed([...jsonMutations(text)], figures(text), figures)
  })
})
