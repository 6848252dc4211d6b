import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MULTI_LEG } from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { listening, subscribed } from './listening.ts'

// Messages of the vendor's own descriptions and of its client libraries, spoken by a server of the test.

const folder = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/massive')
const isThere = existsSync(folder)
if (!isThere) console.log('skipped: samples of Massive lie in ../shared/data, which is not there')
const soon = { interval: 5 }

describe.skipIf(!isThere)('what the vendor documents', () => {
  const lines = isThere ? readFileSync(resolve(folder, 'stream.ndjson'), 'utf8').trim().split('\n') : []
  const [connected, authenticated, confirmed, trade, quote, bar, index, refusal] = lines

  test('opens the stream, and is understood or refused for a reason, every message', async () => {
    expect(lines).toHaveLength(8)
    const { wanted, vendor, received, refused, states, ended } = await subscribed({}, (prepared) => {
      prepared.greeting = connected
      prepared.answer = ({ action }) => (action === 'auth' ? authenticated : confirmed)
    })
    wanted.push('AMC' as Ticker)
    await new Promise((go) => setTimeout(go, 300))
    expect(states).toHaveLength(1)
    for (const frame of [trade, quote, bar, index]) vendor.tell(frame)
    await expect.poll(() => refused.length, soon).toBe(2)
    expect(refused).toEqual(['the event AM, which is not used', 'the event V, which is not used'])
    expect(received).toEqual([
      {
        print: {
          symbol: 'AMC',
          contract: 'AMC210827C00037000',
          time: 1_629_820_676_333,
          price: 1.54,
          size: 1,
          exchange: 65,
          sequence: undefined,
          flags: MULTI_LEG, // 233 is a multi-leg auction
          quote: undefined,
          spot: undefined
        }
      },
      {
        quote: { symbol: 'SPY', contract: 'SPY241220P00720000', bid: 9.71, ask: 9.81, time: 1_644_506_128_351 }
      }
    ])
    vendor.tell(refusal)
    expect(await ended).toMatchObject({ fault: 'refused' })
  })

  test('refuses a key as it is documented', async () => {
    const { ended } = await listening({}, (vendor) => {
      vendor.answer = () => refusal
    })
    expect(await ended).toMatchObject({ fault: 'refused', message: expect.stringContaining('"authentication failed"') })
  })

  test('lists the contracts of a chain with their last trades', async () => {
    const snapshot = readFileSync(resolve(folder, 'chain-snapshot.json'), 'utf8')
    const { vendor, feed } = await subscribed()
    vendor.rest.set('/v3/snapshot/options/AAPL', () => ({ body: snapshot }))
    const read = async (from: number) => {
      for await (const _ of feed.past!('AAPL' as Ticker, from, from + 60_000, new AbortController().signal));
      return vendor.asked.splice(0).slice(1)
    }
    const lastTrade = 1_678_718_527_714
    expect(await read(lastTrade - 1000)).toEqual([
      `/v3/trades/O%3AAAPL230616C00150000?timestamp.gte=${lastTrade - 1000}000000&timestamp.lt=${lastTrade + 59_000}000000&order=asc&sort=timestamp&limit=50000`
    ])
    expect(await read(lastTrade + 1000)).toEqual([])
  })
})
