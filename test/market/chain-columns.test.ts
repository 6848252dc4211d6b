import { expect, test } from 'vitest'
import { snapshotOf } from '../../src/archive/observed-snapshot.ts'
import {
  BYTES_PER_CONTRACT,
  buildChain,
  type Chain,
  type ContractRow,
  contractColumns
} from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'

const names = Object.keys(contractColumns(1)) as (keyof ReturnType<typeof contractColumns>)[]

/** Another number in every column of both rows; a right is 0 or 1. */
const figure = (name: (typeof names)[number], k: number) => (name === 'right' ? k : 10 * names.indexOf(name) + k + 1)

/** A chain of two contracts with another number in every column. */
function figured(): Chain {
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
  return buildChain(header, [row(0), row(1)])
}

test.each([
  ['a chain holds what its rows say', figured],
  ['a snapshot to record holds what its chain holds', () => snapshotOf(figured()).chain]
])('%s, in every column that contracts have', (_, make) => {
  const chain = make()
  for (const name of names) expect([...chain[name]], name).toEqual([figure(name, 0), figure(name, 1)])
})

test('the bytes of a contract are those of its columns', () => {
  const bytes = names.reduce((sum, name) => sum + contractColumns(1)[name].BYTES_PER_ELEMENT, 0)
  expect(BYTES_PER_CONTRACT).toBe(bytes)
})
