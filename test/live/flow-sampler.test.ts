import { beforeAll, describe, expect, test } from 'vitest'
import { effectiveOpenInterest } from '../../src/flow/open-interest/effective-open-interest.ts'
import type { Positions } from '../../src/flow/tape-views.ts'
import { session } from '../../src/market/calendar.ts'
import { CALL } from '../../src/market/chain.ts'
import {
  cellsWhere,
  PRESSURE_CELLS,
  type PressureRight,
  pressureClasses,
  pressureSum
} from '../../src/market/hedge-pressure.ts'
import { BUY, MID, NO_PRICE, sideOf } from '../../src/market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { NO_SIGMA } from '../../src/pricing/sources.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import { memoryStore } from '../support/memory-store.ts'
import { chainAt, messagesOf, SampledDay, timeOf } from '../support/sampled-day.ts'
import { slowCharm } from '../support/slow-charm.ts'

const KO = 'KO' as Ticker
const friday = '2026-07-31' as IsoDate
const { open, close } = session(friday)!
const minutes = (count: number) => count * 60_000

let day: SampledDay
beforeAll(async () => {
  day = new SampledDay(KO, friday, await messagesOf(KO, friday), open)
  await day.run(open, open + minutes(12))
  await day.run(close - minutes(3), close)
})

/** Every option print of the first stretch with what the rule of hedge flow says of it, by nothing but loops. */
async function slowFlow() {
  const tapes = new SymbolTapes({ symbol: KO })
  for (const message of await messagesOf(KO, friday)) {
    if (timeOf(message) < open + minutes(12)) tapes.take(message, undefined)
  }
  const tape = tapes.tape('option', friday)
  const { prints, from, to } = tape.rowsFrom(0)
  const found: { ts: number; strike: number; isCall: boolean; delta: number; gamma: number; size: number }[] = []
  for (let at = from; at < to; at++) {
    const k = prints.instrument[at]
    const { series } = tape
    if (series.expirations[series.expiration[k]].date !== friday) continue
    const ts = prints.ts[at] / 1000
    // Images were taken at each whole minute, and hold for what is printed after them.
    const image = await imageBefore(ts)
    const spot = prints.spot[at] === NO_PRICE ? Number.NaN : prints.spot[at] * tape.unit
    const side = sideOf(prints.judged[at])
    const q =
      side === MID || (prints.flags[at] & (1 | 2 | 4 | 8 | 16 | 32 | 64 | 256)) !== 0 ? 0 : side === BUY ? 1 : -1
    const { delta = Number.NaN, gamma = Number.NaN } =
      image === undefined ? {} : greeks(image, series.strike[k], series.right[k])
    const cents = (dollars: number) => Math.sign(dollars) * Math.round(Math.abs(100 * dollars)) || 0
    found.push({
      ts,
      strike: series.strike[k],
      isCall: series.right[k] === CALL,
      size: (prints.flags[at] & 256) !== 0 ? -prints.size[at] : prints.size[at],
      delta: cents(q * delta * prints.size[at] * 100 * spot),
      gamma: cents(q * gamma * prints.size[at] * 100 * spot ** 2 * 0.01)
    })
  }
  return found
}

async function imageBefore(ts: number) {
  const taken = Array.from({ length: 13 }, (_, k) => open + minutes(k)).filter((at) => at < ts)
  return taken.length === 0 ? undefined : chainAt(KO, taken[taken.length - 1])
}

function greeks(chain: Awaited<ReturnType<typeof chainAt>>, strike: number, right: number) {
  const listed = chain.expirations.find(({ date }) => date === friday)!
  for (let i = listed.start; i < listed.end; i++) {
    if (chain.strike[i] === strike && chain.right[i] === right) return { delta: chain.delta[i], gamma: chain.gamma[i] }
  }
  throw new Error(`no ${strike}`)
}

describe('the raw bars of a day', () => {
  test('are there for each half minute that was sampled, and strikes for each whole minute', () => {
    const starts = day.rows.map(({ sample }) => sample.t)
    const stretch = (from: Instant, count: number) => Array.from({ length: count }, (_, k) => from + 30_000 * k)
    expect(starts).toEqual([...stretch(open, 24), ...stretch(close - minutes(3), 6)])
    const whole = day.rows.flatMap(({ minute }) => (minute === undefined ? [] : [minute.t]))
    expect(whole).toEqual(starts.filter((t) => t % 60_000 === 0))
  })

  test('add up the hedge flow of their prints to the cent, legs and strikes', async () => {
    const flow = await slowFlow()
    const cancelled = flow.some(({ size }) => size < 0)
    expect(cancelled || flow.length > 200).toBe(true)
    expect(day.rows[23].sample.hedgeCalls * day.rows[23].sample.hedgePuts).not.toBe(0)
    for (const { sample, minute } of day.rows.slice(0, 24)) {
      const before = flow.filter(({ ts, size }) => ts < sample.t + 30_000 && size > 0)
      const sum = (isCall: boolean) =>
        before.reduce((all, print) => all + (print.isCall === isCall ? print.delta : 0), 0)
      expect([sample.hedgeCalls, sample.hedgePuts]).toEqual([sum(true), sum(false)])
      if (minute === undefined) continue
      const inside = before.filter(({ ts }) => ts >= minute.t)
      minute.strike.forEach((strike, k) => {
        const here = inside.filter((print) => print.strike === strike)
        const total = (figure: 'delta' | 'gamma' | 'size') => here.reduce((all, print) => all + print[figure], 0)
        expect([minute.signedDelta[k], minute.signedGamma[k], minute.contracts[k]]).toEqual([
          total('delta'),
          total('gamma'),
          total('size')
        ])
      })
    }
  })

  test('show the state at their end on effective open interest', async () => {
    for (const { sample } of [day.rows[3], day.rows[20], day.rows[24], day.rows[29]]) {
      const end = sample.t + 30_000
      const chain = await chainAt(KO, end - 500)
      const positions = await positionsAt(end)
      const { openInterest } = effectiveOpenInterest(chain, positions)
      const { start, end: last } = chain.expirations.find(({ date }) => date === friday)!
      let [gex, dex, chex] = [0, 0, 0]
      for (let i = start; i < last; i++) {
        if (chain.sigmaSource[i] === NO_SIGMA) continue
        const sign = chain.right[i] === CALL ? 1 : -1
        gex += sign * chain.gamma[i] * openInterest[i] * 100 * chain.spot ** 2 * 0.01
        dex += chain.delta[i] * openInterest[i] * 100 * chain.spot
        chex += sign * slowCharm(chain, i) * openInterest[i] * 100 * chain.spot
      }
      expect(sample.spot).toBe(chain.spot)
      expect(sample.netGex).toBeCloseTo(gex, 3)
      expect(sample.netDex).toBeCloseTo(dex, 3)
      expect(sample.charmPerHour).toBeCloseTo((chex * 3_600_000) / Math.max(close - chain.asOf, 60_000), 3)
      if (sample.magnet === undefined || sample.atmIv === undefined) {
        expect(sample.pinProbability).toBeUndefined()
        continue
      }
      const left = Math.max((close - chain.asOf) / (close - open), 1 / 390) / 252
      const within = probabilityWithin(chain.spot, sample.magnet, sample.atmIv * Math.sqrt(left))
      expect(sample.pinProbability).toBeCloseTo(within, 2)
    }
  })

  test('of the last half minute of the session are those of what is still alive', () => {
    const { sample, minute } = day.rows.at(-1)!
    expect(sample.t).toBe(close - 30_000)
    expect(sample.netDex).not.toBe(0)
    expect(minute!.oi.some((oi) => oi > 0)).toBe(true)
  })
})

describe('hedging pressure of a day', () => {
  test('is there for each half minute that was sampled, and that of the day is the hedge flow of its raw bars', () => {
    expect(day.pressure.map(({ t }) => t)).toEqual(day.rows.map(({ sample }) => sample.t))
    for (const [row, { cells }] of day.pressure.entries()) {
      const ofDay = (right: PressureRight) =>
        pressureSum(
          cells,
          cellsWhere((of) => of.expiry === '0dte' && of.measure === 'delta' && of.right === right)
        )
      const { hedgeCalls, hedgePuts } = day.rows[row].sample
      expect([ofDay('calls'), ofDay('puts')]).toEqual([hedgeCalls, hedgePuts])
    }
  })

  test('covers every expiration: each print by its class, by nothing but loops', async () => {
    const prints = await slowPressure()
    expect(prints.some(({ cell }) => pressureClasses[cell].expiry === 'rest')).toBe(true)
    for (const { t, next, cells } of day.pressure.slice(0, 24)) {
      const expected = pressureClasses.map(() => 0)
      for (const { ts, cell, cents } of prints) if (ts < t + 30_000) expected[cell] += cents
      expect([...cells]).toEqual(expected)
      expect(next).toBe(nextListed)
    }
  })

  test('goes on from what is recorded when the service begins anew', async () => {
    const stop = open + minutes(6)
    const messages = await messagesOf(KO, friday)
    const archive = memoryStore({ snapshots: [], bars: [], records: [], pressure: day.pressure }).cut(stop)
    const again = new SampledDay(KO, friday, messages, stop, archive)
    await again.run(stop, open + minutes(12))
    expect(again.pressure).toEqual(day.pressure.slice(12, 24))
    const { t, cells } = (await again.inputs()).pressure!
    expect([...t]).toEqual(day.pressure.slice(0, 24).map((row) => row.t))
    expect(cells.slice(-PRESSURE_CELLS)).toEqual(day.pressure[23].cells)
  })

  test('is there on a day on which nothing expires', async () => {
    const wednesday = '2026-07-29' as IsoDate
    const hours = session(wednesday)!
    const other = new SampledDay(KO, wednesday, await messagesOf(KO, wednesday), hours.open)
    await other.run(hours.open, hours.open + minutes(3))
    expect(other.rows).toEqual([])
    expect(other.pressure.map(({ t }) => t)).toEqual([0, 1, 2, 3, 4, 5].map((k) => hours.open + 30_000 * k))
    expect(other.pressure.at(-1)!.cells.some((cents) => cents !== 0)).toBe(true)
  })
})

const nextListed = '2026-08-07'

/** What each print of the first stretch adds to which cell, with the greeks of the image before its time. */
async function slowPressure() {
  const tapes = new SymbolTapes({ symbol: KO })
  for (const message of await messagesOf(KO, friday))
    if (timeOf(message) < open + minutes(12)) tapes.take(message, undefined)
  const tape = tapes.tape('option', friday)
  const { prints, from, to } = tape.rowsFrom(0)
  const found: { readonly ts: number; readonly cell: number; readonly cents: number }[] = []
  for (let at = from; at < to; at++) {
    const { expirations, expiration, strike, right } = tape.series
    const k = prints.instrument[at]
    const ts = prints.ts[at] / 1000
    const image = await imageBefore(ts)
    const side = sideOf(prints.judged[at])
    const marked = (prints.flags[at] & (1 | 2 | 4 | 8 | 16 | 32 | 64)) !== 0
    if (image === undefined || side === MID || marked || prints.spot[at] === NO_PRICE) continue
    const taken = (prints.flags[at] & 256) !== 0 ? -1 : 1
    const q = side === BUY ? 1 : -1
    const spot = prints.spot[at] * tape.unit
    const { date } = expirations[expiration[k]]
    const { start, end } = image.expirations.find((listed) => listed.date === date)!
    const slots = Array.from({ length: end - start }, (_, i) => start + i)
    const slot = slots.find((i) => image.strike[i] === strike[k] && image.right[i] === right[k])!
    const size = prints.size[at]
    const greek = (column: Float64Array) => (date === friday ? column[slot] : Math.fround(column[slot]))
    const dollars = {
      delta: q * greek(image.delta) * size * 100 * spot,
      gamma: q * greek(image.gamma) * size * 100 * spot ** 2 * 0.01,
      vega: q * greek(image.vega) * size * 100
    }
    for (const [cell, of] of pressureClasses.entries()) {
      const isOf =
        of.expiry === (date === friday ? '0dte' : date === nextListed ? 'next' : 'rest') &&
        of.right === (right[k] === CALL ? 'calls' : 'puts') &&
        of.size === (size <= 10 ? 'small' : size <= 99 ? 'medium' : 'large')
      if (!isOf) continue
      const value = dollars[of.measure]
      found.push({ ts, cell, cents: taken * (Math.sign(value) * Math.round(Math.abs(100 * value)) || 0) })
    }
  }
  return found
}

async function positionsAt(end: Instant): Promise<Positions> {
  const tapes = new SymbolTapes({ symbol: KO })
  for (const message of await messagesOf(KO, friday)) {
    if (timeOf(message) < end) tapes.take(message, undefined)
  }
  const moment = { symbol: KO, source: 'synthetic', silent: false, now: end, confidence: 0.43 } as const
  return tapes.tape('option', friday).view('positions', moment)!
}

/** P(|S / K - 1| <= 0.0025) of a lognormal S, percent, by adding up its density. */
function probabilityWithin(spot: number, strike: number, s: number): number {
  const [low, high] = [Math.log((0.9975 * strike) / spot), Math.log((1.0025 * strike) / spot)]
  const steps = 20_000
  let sum = 0
  for (let k = 0; k < steps; k++) {
    const x = low + ((high - low) * (k + 0.5)) / steps
    sum += Math.exp(-((x + s ** 2 / 2) ** 2) / (2 * s ** 2)) / (s * Math.sqrt(2 * Math.PI))
  }
  return (100 * sum * (high - low)) / steps
}

test('a service that begins anew goes on from its recorded bars as if it had never stopped', async () => {
  const messages = await messagesOf(KO, friday)
  const stop = open + minutes(6)
  const archive = memoryStore({ snapshots: [], bars: [], records: [], zeroDte: day.rows }).cut(stop)
  const again = new SampledDay(KO, friday, messages, stop, archive)
  await again.run(stop, open + minutes(12))
  expect(again.rows.length).toBe(12)
  expect(again.rows).toEqual(day.rows.slice(12, 24))
  const { samples, strikeMinutes } = await again.inputs()
  expect(samples!.samples).toEqual(day.rows.slice(0, 24).map(({ sample }) => sample))
  expect(strikeMinutes!.minutes.length).toBe(12)
})

test('a symbol of which nothing expires on the day has no bars', async () => {
  const wednesday = '2026-07-29' as IsoDate
  const { open } = session(wednesday)!
  const none = new SampledDay(KO, wednesday, [], open)
  await none.run(open, open + minutes(2))
  expect(none.rows).toEqual([])
  expect((await none.inputs()).samples!.samples).toEqual([])
})

test('a half day ends at its close', async () => {
  const half = '2026-11-27' as IsoDate
  const { close } = session(half)!
  const short = new SampledDay(KO, half, [], close - minutes(1))
  await short.run(close - minutes(1), close)
  expect(short.rows.map(({ sample }) => sample.t)).toEqual([close - 60_000, close - 30_000])
  expect(short.rows.at(-1)!.sample.netDex).not.toBe(0)
})
