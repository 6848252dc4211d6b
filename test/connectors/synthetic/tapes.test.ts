import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cancel, Print, TapeMessage } from '../../../src/connectors/port/prints/print-feed.ts'
import { printPrice } from '../../../src/connectors/synthetic/trading/session-tape.ts'
import { CALL, type Chain } from '../../../src/market/chain.ts'
import { formatOcc } from '../../../src/market/occ.ts'
import { BUY, INTERMARKET_SWEEP, LATE, MID, MULTI_LEG, SELL } from '../../../src/market/print.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { eastern, market, ticker, total } from './ask.ts'

const MINUTE = 60_000
const DATE = '2026-11-18'
const { chain, close, bars, connector } = market()

async function printed(symbol: string, from: number, to: number, of = connector): Promise<readonly TapeMessage[]> {
  const messages: TapeMessage[] = []
  const { signal } = new AbortController()
  for await (const batch of of.prints!.past!(ticker(symbol), from, to, signal)) messages.push(...batch)
  return messages
}

const at = (time: string, date = DATE) => eastern(date, time)
const timeOf = (message: TapeMessage) => ('print' in message ? message.print.time : cancelOf(message).time)
const printsOf = (messages: readonly TapeMessage[]): readonly Print[] =>
  messages.flatMap((message) => ('print' in message ? [message.print] : []))
const cancelOf = (message: TapeMessage): Cancel => (message as { readonly cancel: Cancel }).cancel
const cancelsOf = (messages: readonly TapeMessage[]): readonly Cancel[] =>
  messages.flatMap((message) => ('cancel' in message ? [message.cancel] : []))
const optionsOf = (prints: readonly Print[]) => prints.filter(({ contract }) => contract !== undefined)

/** The OCC symbol of each slot. */
function occSymbols({ expirations, strike, right }: Chain): readonly string[] {
  return expirations.flatMap(({ root, date, start, end }) =>
    Array.from({ length: end - start }, (_, n) => {
      const slot = start + n
      return formatOcc({
        root: root as Ticker,
        expiration: date,
        strike: strike[slot],
        right: right[slot] === CALL ? 'call' : 'put'
      })
    })
  )
}

/** Contracts of each slot that were printed, less those taken back. */
function contractsOf(messages: readonly TapeMessage[], slots: ReadonlyMap<string, number>): Int32Array {
  const contracts = new Int32Array(slots.size)
  for (const { contract, size } of printsOf(messages)) {
    if (contract !== undefined) contracts[slots.get(contract)!] += size
  }
  for (const { contract, size } of cancelsOf(messages)) {
    if (contract !== undefined) contracts[slots.get(contract)!] -= size
  }
  return contracts
}

const slotsOf = (of: Chain) => new Map(occSymbols(of).map((name, slot) => [name, slot]))
const plus = (a: Int32Array, b: Int32Array) => a.map((figure, slot) => figure + b[slot])

/** The side by the quote rule of the contract of flow, written out. */
function sideByQuote({ price, quote }: Pick<Print, 'price' | 'quote'>): number {
  const [p, a, b] = [price, quote!.ask, quote!.bid].map((usd) => Math.round(10_000 * usd))
  if (p >= a - 1) return BUY
  if (p <= b + 1) return SELL
  const [middle, band] = [(a + b) / 2, 0.05 * (a - b)]
  return p > middle + band ? BUY : p < middle - band ? SELL : MID
}

describe.each([
  ['SPY', '09:30', '13:17'],
  ['SPX', '11:26', '15:59'],
  ['AAPL', '10:08', '13:43']
])('the volume of %s', (symbol, ...minutes) => {
  test.each(minutes)('is what the tape adds up to at each second of %s', async (minute) => {
    const start = at(minute)
    const before = await chain(symbol, DATE, minute)
    const slots = slotsOf(before)
    const messages = await printed(symbol, start, start + MINUTE)
    expect(optionsOf(printsOf(messages)).length).toBeGreaterThan(20)
    for (let second = 1; second <= 60; second++) {
      const now = start + 1000 * second
      const then = await connector.chain(ticker(symbol), now, new AbortController().signal)
      const earlier = messages.filter((message) => timeOf(message) < now)
      const sum = plus(before.volume, contractsOf(earlier, slots))
      expect([second, then!.volume.findIndex((volume, slot) => volume !== sum[slot])]).toEqual([second, -1])
    }
  })
})

test.each([
  ['AAPL', DATE, '16:00'],
  ['KO', '2026-11-27', '13:00']
])('a session of %s on %s adds up to the volume of its close, contract by contract', async (symbol, date, end) => {
  const messages = await printed(symbol, at('00:00', date), at('23:59', date))
  const closing = await close(symbol, date)
  expect(contractsOf(messages, slotsOf(closing))).toEqual(Int32Array.from(closing.volume))
  const times = messages.map(timeOf)
  expect(times[0]).toBeGreaterThan(at('09:30', date))
  expect(times.at(-1)).toBeGreaterThan(at(end, date) - MINUTE)
  expect(times.at(-1)).toBeLessThan(at(end, date))
})

test.each([
  ['SPX', 4_870_554],
  ['SPY', 10_526_593],
  ['AAPL', 1_860_197],
  ['KO', 87_837]
])('the volume of %s at a close is what it was before there were prints', async (symbol, volume) => {
  expect(total((await close(symbol, DATE)).volume)).toBe(volume)
})

test('a cancel takes its contracts off the volume', async () => {
  const messages = await printed('AAPL', at('09:30'), at('09:50'))
  const [cancel] = cancelsOf(messages).filter(({ contract }) => contract !== undefined)
  const second = Math.floor(cancel.time / 1000) * 1000
  const before = (await connector.chain(ticker('AAPL'), second, new AbortController().signal))!
  const after = (await connector.chain(ticker('AAPL'), second + 1000, new AbortController().signal))!
  const slots = slotsOf(before)
  const slot = slots.get(cancel.contract!)!
  const between = messages.filter((message) => timeOf(message) > second && timeOf(message) < second + 1000)
  expect(after.volume[slot] - before.volume[slot]).toBe(contractsOf(between, slots)[slot])
})

test('a cancel repeats a print of the same minute, at least a second later', async () => {
  for (const symbol of ['AAPL', 'NVDA']) {
    const messages = await printed(symbol, at('09:30'), at('10:00'))
    const prints = new Map(printsOf(messages).map((print) => [`${print.exchange} ${print.sequence}`, print]))
    const cancels = cancelsOf(messages)
    expect(cancels.length).toBeGreaterThan(0)
    for (const { time, corrected, ...named } of cancels) {
      const print = prints.get(`${named.exchange} ${named.sequence}`)!
      expect(print).toMatchObject(named)
      expect(corrected).toBeUndefined()
      expect(time - print.time).toBeGreaterThanOrEqual(999.999)
      expect(Math.floor(time / MINUTE)).toBe(Math.floor(print.time / MINUTE))
    }
  }
})

test('an AM-settled series prints nothing once it has stopped trading', async () => {
  const prints = optionsOf(printsOf(await printed('SPX', at('09:30', '2026-11-20'), at('09:33', '2026-11-20'))))
  expect(prints.some(({ contract }) => contract!.startsWith('SPXW261120'))).toBe(true)
  expect(prints.some(({ contract }) => contract!.startsWith('SPX261120'))).toBe(false)
  const evening = optionsOf(printsOf(await printed('SPX', at('15:55', '2026-11-19'), at('16:00', '2026-11-19'))))
  expect(evening.some(({ contract }) => contract!.startsWith('SPX261120'))).toBe(true)
})

test('an index prints options alone, an index without options nothing', async () => {
  expect(printsOf(await printed('SPX', at('10:00'), at('10:01'))).every(({ contract }) => contract)).toBe(true)
  expect(await printed('DJI', at('10:00'), at('11:00'))).toEqual([])
  expect(await printed('NOBODY', at('10:00'), at('11:00'))).toEqual([])
})

describe.each(['SPY', 'SPX', 'AAPL', 'VIX'])('prints of %s', (symbol) => {
  test('carry the quote and the spot that the chain shows at the whole second before', async () => {
    for (const time of ['09:30:00', '12:00:07', '15:59:59']) {
      const second = at(time)
      const shown = await chain(symbol, DATE, time)
      const slots = slotsOf(shown)
      for (const { contract, quote, spot } of printsOf(await printed(symbol, second, second + 1000))) {
        const slot = slots.get(contract ?? '') ?? -1
        const { bid, ask } = contract === undefined ? shown.quote : { bid: shown.bid[slot], ask: shown.ask[slot] }
        expect({ contract, quote, spot }).toEqual({ contract, quote: { bid, ask, time: second }, spot: shown.spot })
      }
    }
  })

  test('are within their quotes, above 0, ascend, and are numbered once', async () => {
    const messages = await printed(symbol, at('10:00'), at('10:03'))
    const numbers = new Set<string>()
    let before = 0
    for (const message of messages) {
      expect(timeOf(message)).toBeGreaterThanOrEqual(before)
      expect(timeOf(message) % 1000).not.toBe(0)
      before = timeOf(message)
    }
    for (const { price, size, quote, exchange, sequence, session, symbol: of } of printsOf(messages)) {
      expect(price).toBeGreaterThan(0)
      expect(price).toBeGreaterThanOrEqual(quote!.bid - 1e-9)
      expect(price).toBeLessThanOrEqual(quote!.ask + 1e-9)
      expect(Math.abs(10_000 * price - Math.round(10_000 * price))).toBeLessThan(1e-6)
      expect(size).toBeGreaterThan(0)
      expect(exchange).toBeGreaterThanOrEqual(1)
      expect(exchange).toBeLessThanOrEqual(16)
      expect([session, of]).toEqual([DATE, symbol])
      numbers.add(`${exchange} ${sequence}`)
    }
    expect(numbers.size).toBe(printsOf(messages).length)
  })
})

test('the quote rule finds the side that a price was made for', () => {
  const cents = fc.integer({ min: 0, max: 2_000_000 })
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 5000 }), fc.constantFrom(MID, BUY, SELL), fc.boolean(), (...drawn) => {
      const [bid, width, side, inside] = drawn
      const quote = { bid: bid / 100, ask: (bid + width) / 100, time: 0 }
      expect(sideByQuote({ price: printPrice(quote, side, inside), quote })).toBe(side)
    })
  )
})

test('some prints have legs, some are swept, few are late', async () => {
  const prints = optionsOf(printsOf(await printed('SPY', at('10:00'), at('10:06'))))
  const share = (flag: number) => prints.filter(({ flags }) => (flags & flag) !== 0).length / prints.length
  expect(share(MULTI_LEG)).toBeGreaterThan(0.07)
  expect(share(MULTI_LEG)).toBeLessThan(0.16)
  expect(share(INTERMARKET_SWEEP)).toBeGreaterThan(0.03)
  expect(share(LATE)).toBeLessThan(0.003)
  const sides = [0, 0, 0]
  for (const print of prints) sides[sideByQuote(print)] += 1 / prints.length
  expect(sides[MID]).toBeGreaterThan(0.07)
  expect(sides[MID]).toBeLessThan(0.13)
})

test('the legs of a spread are two contracts of one expiration, of one size and at one time', async () => {
  const legs = optionsOf(printsOf(await printed('AAPL', at('10:00'), at('10:20')))).filter(
    ({ flags }) => (flags & MULTI_LEG) !== 0
  )
  expect(legs.length).toBeGreaterThan(200)
  const contracts = new Map<string, string[]>()
  for (const { time, size, contract } of legs) {
    const spread = `${time} ${size} ${contract!.slice(0, -9)}` // root and expiration
    contracts.set(spread, [...(contracts.get(spread) ?? []), contract!])
  }
  for (const spread of contracts.values()) expect([spread.length, new Set(spread).size]).toEqual([2, 2])
})

test('a sweep meets several exchanges within a fifth of a second', async () => {
  const swept = optionsOf(printsOf(await printed('AAPL', at('10:00'), at('10:20')))).filter(
    ({ flags }) => flags === INTERMARKET_SWEEP
  )
  expect(swept.length).toBeGreaterThan(100)
  const lonely = swept.filter(
    ({ contract, time, exchange }) =>
      !swept.some(
        (other) => other.contract === contract && other.exchange !== exchange && Math.abs(other.time - time) <= 200
      )
  )
  expect(lonely).toEqual([])
})

test('shares printed add up to the volume of the day, at prices within its range', async () => {
  for (const symbol of ['KO', 'BKNG']) {
    const bar = (await bars(symbol, DATE)).at(-1)!
    expect(bar.date).toBe(DATE)
    const messages = (await printed(symbol, at('09:30'), at('16:00'))).filter(
      (message) => ('print' in message ? message.print : cancelOf(message)).contract === undefined
    )
    const shares = (rows: readonly { readonly size: number }[]) => rows.reduce((sum, { size }) => sum + size, 0)
    expect(shares(printsOf(messages)) - shares(cancelsOf(messages))).toBe(bar.volume)
    for (const { price } of printsOf(messages)) {
      expect(price).toBeGreaterThanOrEqual(bar.low)
      expect(price).toBeLessThanOrEqual(bar.high)
    }
  }
})

test('one seed makes one tape, whatever was asked before, and another seed another', async () => {
  const [from, to] = [at('11:59'), at('12:01')]
  const known = await printed('AAPL', from, to)
  const fresh = market().connector
  await printed('AAPL', at('15:00'), at('15:02'), fresh)
  await printed('SPY', at('11:59'), at('12:00'), fresh)
  expect(await printed('AAPL', from, to, fresh)).toEqual(known)
  expect(await printed('AAPL', from, to, market(2).connector)).not.toEqual(known)
})

test('a past read in pieces is the past read at once', async () => {
  const [from, to] = [at('09:29'), at('09:34')]
  const whole = await printed('MSFT', from, to)
  const cut = fc.double({ min: from, max: to, noNaN: true })
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { maxLength: 5 }), async (cuts) => {
      const edges = [from, ...cuts.sort(), to]
      const pieces: TapeMessage[] = []
      for (let n = 1; n < edges.length; n++) pieces.push(...(await printed('MSFT', edges[n - 1], edges[n])))
      expect(pieces).toEqual(whole)
    }),
    { numRuns: 8 }
  )
})

test('a past runs over the night', async () => {
  const [from, to] = [at('15:59:30'), at('09:30:30', '2026-11-19')]
  const messages = await printed('KO', from, to)
  const parts = [
    ...(await printed('KO', from, at('20:00'))),
    ...(await printed('KO', at('20:00'), at('09:30', '2026-11-19'))),
    ...(await printed('KO', at('09:30', '2026-11-19'), to))
  ]
  expect(messages).toEqual(parts)
  expect(new Set(printsOf(messages).map(({ session }) => session))).toEqual(new Set([DATE, '2026-11-19' as IsoDate]))
})

test('who buys and who sells tells where open interest goes, not exactly', async () => {
  const asked = ['KO', 'JPM', 'GS', 'XLK', 'DIA', 'SMH', 'MSFT']
  const found: number[] = []
  for (const symbol of asked) found.push(await flowAgainstChange(symbol, DATE, '2026-11-19'))
  const mean = found.reduce((sum, correlation) => sum + correlation, 0) / found.length
  expect(mean, found.join(' ')).toBeGreaterThan(0.6)
  expect(mean, found.join(' ')).toBeLessThan(0.8)
  // A handful of contracts decides the outcome of one symbol on one day: some sides are inferred well, some badly, none
  // inverted.
  expect(Math.min(...found), found.join(' ')).toBeGreaterThan(0)
})

/** Correlation of what was bought less what was sold of each contract with its change of open interest overnight. */
async function flowAgainstChange(symbol: string, date: string, next: string): Promise<number> {
  const net = new Map<string, number>()
  for (const print of optionsOf(printsOf(await printed(symbol, at('09:30', date), at('16:00', date))))) {
    if ((print.flags & (MULTI_LEG | LATE)) !== 0) continue
    const side = sideByQuote(print)
    const signed = side === BUY ? print.size : side === SELL ? -print.size : 0
    net.set(print.contract!, (net.get(print.contract!) ?? 0) + signed)
  }
  const [today, tomorrow] = [await close(symbol, date), await close(symbol, next)]
  const held = slotsOf(today)
  const pairs = occSymbols(tomorrow).flatMap((name, slot) => {
    const before = held.get(name)
    if (before === undefined) return []
    return [[net.get(name) ?? 0, tomorrow.openInterest[slot] - today.openInterest[before]] as const]
  })
  return correlationOf(pairs)
}

function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  const mean = (n: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[n], 0) / pairs.length
  const [x, y] = [mean(0), mean(1)]
  let [xy, xx, yy] = [0, 0, 0]
  for (const [a, b] of pairs) {
    xy += (a - x) * (b - y)
    xx += (a - x) ** 2
    yy += (b - y) ** 2
  }
  return xy / Math.sqrt(xx * yy)
}

describe('a feed of prints', () => {
  /** Follows the feed while `script` moves the clock; returns the messages and states received. */
  async function followed(script: (set: (now: number) => Promise<void>) => Promise<void>, start: number) {
    let now = start
    const stop = new AbortController()
    const received: TapeMessage[] = []
    const states: number[] = []
    const sink = {
      messages: (batch: readonly TapeMessage[]) => received.push(...batch),
      state: ({ until }: { readonly until: number }) => states.push(until),
      refused: () => {},
      interrupted: () => {}
    }
    const running = connector.prints!.run(
      () => [ticker('AAPL')],
      sink,
      stop.signal,
      () => now
    )
    const seen = async () => {
      const count = states.length
      while (states.length < count + 2) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await seen()
    await script(async (moment) => {
      now = moment
      await seen()
    })
    stop.abort()
    await running
    return { received, states }
  }

  test('lets rows out as the clock of the market passes them', async () => {
    const start = at('10:00:00')
    const steps = [250, 1000, 1000, 61_500, 62_000].map((after) => start + after)
    const { received, states } = await followed(async (set) => {
      for (const step of steps) await set(step)
    }, start)
    expect(received).toEqual(await printed('AAPL', start, start + 62_000))
    expect(states.at(-1)).toBe(start + 62_000)
  })

  test('prints nothing while the market stands still, is closed, or has gone back', async () => {
    const { received } = await followed(async (set) => {
      await set(at('15:59:59'))
      await set(at('18:00'))
      await set(at('09:30'))
      await set(at('09:30:01'))
    }, at('15:59:59'))
    expect(received).toEqual([
      ...(await printed('AAPL', at('15:59:59'), at('16:00'))),
      ...(await printed('AAPL', at('09:30'), at('09:30:01')))
    ])
  })
})
