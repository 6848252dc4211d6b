import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { heapInUse } from '../../support/garbage.ts'
import { type Service, service } from '../../support/service.ts'

const levels = '/v1/exposure/levels/SPY'
const SECOND = 1000

describe('an answer that callers come back for', () => {
  let running: Service
  let base: string
  let key: string
  /** While it is there, no answer is made before it resolves, or none of one endpoint. */
  let gate: Promise<void> | undefined
  let gated: string | undefined

  beforeEach(async () => {
    gate = undefined
    gated = undefined
    running = service({
      beforeAnswer: async (endpoint) => (gated === undefined || gated === endpoint ? gate : undefined)
    })
    await running.app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}`
    key = running.keyOn('alpha')
  })
  afterEach(() => running.close())

  const get = (path: string, as = key) => fetch(base + path, { headers: { 'x-api-key': as } })
  const momentOf = async (path: string, as?: string) =>
    Date.parse(((await (await get(path, as)).json()) as { readonly as_of: string }).as_of)
  const ask = async (path: string, times: number, as?: string) => {
    for (let k = 0; k < times; k++) expect((await get(path, as)).status).toBe(200)
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
  /** A new chain comes because its time has come, not because somebody waits for it. */
  const nextChain = async (after = SECOND) => {
    running.clock.pass(after)
    running.live.poll()
    await turn()
  }
  const held = () => {
    let open = () => {}
    gate = new Promise((resolve) => (open = resolve))
    return () => {
      gate = undefined
      open()
    }
  }

  test('is made of the next chain before anybody asks', async () => {
    await ask(levels, 3)
    expect(running.computed).toHaveLength(1)
    await nextChain()
    expect(running.computed).toHaveLength(2)
    const answered = await get(levels)
    expect(Date.parse(((await answered.json()) as { as_of: string }).as_of)).toBe(running.clock.at)
    expect(answered.headers.get('x-data-quality')).not.toBeNull()
    expect(running.computed).toHaveLength(2)
  })

  test('serves on while the next one is made, a quarter of a second at most', async () => {
    await ask(levels, 3)
    const before = running.clock.at
    const open = held()
    await nextChain()
    running.clock.pass(249)
    const answered = await get(levels)
    expect(answered.headers.get('x-data-age')).toBe('1.2')
    expect(Date.parse(((await answered.json()) as { as_of: string }).as_of)).toBe(before)
    running.clock.pass(1)
    const waiting = momentOf(levels)
    await turn()
    open()
    expect(await waiting).toBe(before + SECOND)
    expect(await momentOf(levels)).toBe(before + SECOND)
    expect(running.computed).toHaveLength(2)
  })

  test('goes on being made for who comes once with every chain', async () => {
    await ask(levels, 3)
    for (let k = 2; k < 6; k++) {
      await nextChain()
      expect(running.computed).toHaveLength(k)
      await ask(levels, 1)
    }
    await nextChain()
    await nextChain() // for whom it was made the last time did not come
    await nextChain()
    expect(running.computed.length).toBeLessThanOrEqual(7)
    const made = running.computed.length
    await nextChain()
    expect(running.computed).toHaveLength(made)
  })

  test('is not made for who comes more seldom than new chains do', async () => {
    await ask(levels, 1)
    for (let minute = 0; minute < 3; minute++) {
      for (let second = 0; second < 20; second++) await nextChain()
      const made = running.computed.length
      await ask(levels, 1)
      expect(running.computed).toHaveLength(made + 1)
      await nextChain()
      expect(running.computed).toHaveLength(made + 1)
    }
  })

  test('stays with the next chain, and those that nobody comes back for are dropped', async () => {
    const paths = ['/v1/exposure/gex/SPY', '/v1/exposure/dex/SPY', '/v1/exposure/vex/SPY', '/v1/maxpain/SPY']
    for (const path of paths) await ask(path, 1)
    await ask(levels, 3)
    const bytes = running.answers.bytes
    const one = await (await get(levels)).arrayBuffer()
    await nextChain()
    expect(running.answers.bytes).toBeLessThan(bytes / 2)
    expect(running.answers.bytes).toBeGreaterThan(one.byteLength)
    const made = running.computed.length
    await ask(levels, 1)
    expect(running.computed).toHaveLength(made)
  })

  test('is made anew when a chain beside its own is replaced', async () => {
    const path = '/v1/vrp/AAPL'
    const { listing } = running.source
    // The VIX moves each time, and is published every 15 seconds; the symbol is renewed each second.
    running.source.listing = (symbol) =>
      symbol === 'VIX' ? { ...listing('VIX')!, spot: 15 + running.source.count('VIX') } : listing(symbol)
    await ask(path, 3)
    for (let second = 0; second < 40; second++) {
      await nextChain()
      const made = running.computed.length
      await ask(path, 2)
      expect(running.computed).toHaveLength(made)
    }
    expect(running.source.count('VIX')).toBeGreaterThan(2)
  })

  test('is not served though a newer one was made for somebody else', async () => {
    await ask('/v1/exposure/gex/SPY', 3)
    await ask(levels, 3)
    const before = running.clock.at
    gated = 'exposure.gex'
    const open = held()
    await nextChain()
    expect(await momentOf(levels)).toBe(before)
    expect(await momentOf(`${levels}?tz=utc`)).toBe(before + SECOND) // not known by this address, it waits for no turn
    expect(await momentOf(levels)).toBe(before + SECOND)
    open()
  })

  test('does not serve on beyond a quarter of a second though further chains come', async () => {
    await ask(levels, 3)
    const before = running.clock.at
    const open = held()
    await nextChain()
    expect(await momentOf(levels)).toBe(before)
    await nextChain()
    const waiting = momentOf(levels)
    await turn()
    open()
    expect(await waiting).toBe(before + 2 * SECOND)
  })

  test.each([
    [8, true],
    [9, false]
  ])('on %i chains: made before anybody asks is %s', async (count, isMade) => {
    const { listing } = running.source
    running.source.listing = (symbol) => listing(symbol) ?? listing('AAPL')
    const symbols = ['SPY', 'AAPL', 'MSFT', 'NVDA', 'AMZN', 'META', 'TSLA', 'AMD', 'NFLX'].slice(0, count)
    await ask(`/v1/exposure/basket?symbols=${symbols.join()}`, 3)
    const before = running.computed.length
    await nextChain()
    expect(running.computed.length > before).toBe(isMade)
  })

  test('keeps no chain that has been replaced', async () => {
    for (const path of [levels, '/v1/quality/SPY']) await ask(path, 3)
    const old = new WeakRef((await running.live.chain('SPY' as Ticker, Number.POSITIVE_INFINITY))!)
    for (let k = 0; k < 3; k++) await nextChain()
    await ask('/v1/exposure/levels/AAPL', 2)
    await heapInUse()
    expect(old.deref()).toBeUndefined()
  })

  test('does not serve on for a plan that may have newer data than who it was made for', async () => {
    const path = '/v1/exposure/levels/AAPL'
    const basic = running.keyOn('basic')
    await ask(path, 3, basic)
    const before = running.clock.at
    const open = held()
    await nextChain(15 * SECOND)
    expect(await momentOf(path, basic)).toBe(before)
    const strict = momentOf(path)
    await turn()
    open()
    expect(await strict).toBe(before + 15 * SECOND)
  })

  test('that cannot be made is asked for again by its next caller, who meets the failure', async () => {
    await ask(levels, 3)
    gate = Promise.reject(new SourceError('unavailable', 'down'))
    gate.catch(() => {})
    await nextChain()
    expect((await get(levels)).status).toBeGreaterThanOrEqual(500)
    gate = undefined
    await ask(levels, 1)
  })
})
