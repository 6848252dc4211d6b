import { describe, expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { priceChain } from '../../src/pricing/price-chain.ts'
import { chainParts, packChain, shelvedBytes, unpackChain } from '../../src/shelf/chain-bytes.ts'
import { unpackList } from '../../src/shelf/list-bytes.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'
import { scriptedSource, wednesday } from '../support/scripted-source.ts'

const noon = Date.parse('2026-07-29T16:00:00Z')
const never = new AbortController().signal
const made = createSynthetic({ seed: 1 })
const scripted = scriptedSource()

const chains: readonly (readonly [string, () => Promise<Chain | undefined>])[] = [
  ['SPX, made up', () => made.chain('SPX' as Ticker, noon, never)],
  ['AAPL, made up', () => made.chain('AAPL' as Ticker, noon, never)],
  ['an index of two roots', () => scripted.chain('SPX' as Ticker, wednesday, never)],
  ['a symbol without options', () => scripted.chain('VIX' as Ticker, wednesday, never)]
]

describe.each(chains)('the bytes of %s', (_, load) => {
  test('give the same chain, and the same prices of it', async () => {
    const chain = { ...(await load())!, source: 'one of two' }
    const found = unpackChain(chainParts(await packChain(chain, 17)))
    expect({ ...found, observedAt: undefined }).toEqual({ ...chain, observedAt: undefined, dividends: undefined })
    expect(found.observedAt).toBe(17)
    const price = (of: Chain) => ({ ...priceChain(of, defaultAssumptions, fittedSmile), observedAt: 0 })
    expect(price(found)).toEqual(price(chain))
  })

  test('give it from a list that lies apart too', async () => {
    const chain = (await load())!
    const parts = chainParts(await packChain(chain))
    const apart = chainParts(shelvedBytes({ ...parts, list: new Uint8Array(0) }))
    expect(apart.list).toHaveLength(0)
    const found = unpackChain(apart, unpackList(parts.list))
    expect(found.bid).toEqual(chain.bid)
    expect(found.expirations).toEqual(chain.expirations)
  })
})

test('chains of one list name one list, and those of another do not', async () => {
  const at = async (now: number) =>
    chainParts(await packChain((await made.chain('AAPL' as Ticker, now, never))!)).head.list
  expect(await at(noon)).toBe(await at(noon + 60_000))
  expect(await at(noon)).not.toBe(await at(noon + 86_400_000))
})
