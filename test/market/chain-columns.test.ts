import { expect, test } from 'vitest'
import { buildChain, type ContractRow, contractColumns } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'

const names = Object.keys(contractColumns(1)) as (keyof ReturnType<typeof contractColumns>)[]

/** Another number in every column of both rows; a right is 0 or 1. */
const figure = (name: (typeof names)[number], k: number) => (name === 'right' ? k : 10 * names.indexOf(name) + k + 1)

test('a chain holds what its rows say, in every column that contracts have', () => {
  const asOf = eastern('2026-07-29', '11:00') as never
  const header = {
    symbol: 'TEST' as Ticker,
    asOf,
    delay: 0,
    spot: 100,
    quote: { bid: 99, ask: 101, last: 100, time: asOf }
  }
  const row = (k: number) =>
    ({
      root: 'TEST',
      expiration: '2026-08-21' as IsoDate,
      settlement: 'pm',
      ...Object.fromEntries(names.map((name) => [name, figure(name, k)]))
    }) as unknown as ContractRow
  const chain = buildChain(header, [row(0), row(1)])
  for (const name of names) expect([...chain[name]], name).toEqual([figure(name, 0), figure(name, 1)])
})
