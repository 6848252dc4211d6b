import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customerCounts, customerHealth, SettlementCheck, settlementHealth } from '../../src/app/settlement-check.ts'
import { decodeSnapshot } from '../../src/archive/codec/decode-snapshot.ts'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import { openHistory } from '../../src/archive/open.ts'
import { settlementAccuracy } from '../../src/flow/open-interest/settlement.ts'
import { type JobStore, runJob } from '../../src/jobs/run-job.ts'
import type { SessionAccuracy } from '../../src/jobs/settlement-accuracy.ts'
import { session } from '../../src/market/calendar.ts'
import { type Chain, UNKNOWN } from '../../src/market/chain.ts'
import { BUY, CANCEL, NOT_ELIGIBLE, SELL, sideOf } from '../../src/market/print.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { RECORD_VERSION } from '../../src/signals/daily-record-measures.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { madeUpAssumptions } from '../support/made-up.ts'

const KO = 'KO' as Ticker
const T = 'T' as Ticker
const DAY = 86_400_000
/** A half day, and the session after it. */
const friday = session('2026-11-27' as IsoDate)!
const monday = session('2026-11-30' as IsoDate)!
const listener = { onNote: () => {}, signal: new AbortController().signal }

describe.runIf(hasEngine)('the estimate of a backfilled session', () => {
  let store: JobStore
  let close: () => Promise<void>
  const context = () => ({ store, seed: 7, assumptions: madeUpAssumptions, now: monday.close })
  const backfilled = (until: number, tapes: readonly Ticker[]) =>
    runJob({ work: 'backfill', days: 1, symbols: [KO], every: DAY, tapes }, { ...context(), now: until }, listener)
  const compared = async (symbols: readonly Ticker[], sessions = 1) => {
    const { accuracy } = await runJob({ work: 'accuracy', symbols, sessions }, context(), listener)
    return accuracy!
  }

  beforeAll(async () => {
    const opened = await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: RECORD_VERSION })
    store = opened.store!
    close = () => opened.store!.close()
    await backfilled(friday.close, [KO])
  })
  afterAll(() => close())

  const chainOf = async (date: IsoDate) => decodeSnapshot((await store.closingSnapshot(KO, date))!)
  const nameOf = (root: string, date: string, strike: number, right: number) => `${root} ${date} ${strike} ${right}`
  function slotsByName({ expirations, strike, right }: Chain): ReadonlyMap<string, number> {
    const slots = new Map<string, number>()
    for (const { root, date, start, end } of expirations) {
      for (let slot = start; slot < end; slot++) slots.set(nameOf(root, date, strike[slot], right[slot]), slot)
    }
    return slots
  }
  /** Net eligible volume by contract, print by print. */
  async function netByName(): Promise<ReadonlyMap<string, number>> {
    const { prints, series } = decodeTape((await store.tape({ symbol: KO, kind: 'option', session: friday.date }))!)
    const net = new Map<string, number>()
    for (let row = 0; row < prints.length; row++) {
      const k = prints.instrument[row]
      const { root, date } = series.expirations[series.expiration[k]]
      const name = nameOf(root, date, series.strike[k], series.right[k])
      const side = { [BUY]: 1, [SELL]: -1 }[sideOf(prints.judged[row])] ?? 0
      const isEligible = (prints.flags[row] & NOT_ELIGIBLE & ~CANCEL) === 0
      const sign = (prints.flags[row] & CANCEL) === 0 ? side : -side
      if (isEligible) net.set(name, (net.get(name) ?? 0) + sign * prints.size[row])
    }
    return net
  }

  test('waits for what is published after it', async () => {
    const expected: SessionAccuracy = { symbol: KO, session: friday.date, reason: 'not_published' }
    expect(await compared([KO, T])).toEqual([expected, { ...expected, symbol: T, reason: 'no_tape' }])
  })

  test('finds the share of a market that was made with one', async () => {
    const chain = await chainOf(friday.date)
    const net = await netByName()
    const openInterest = chain.openInterest.slice()
    for (const [name, slot] of slotsByName(chain)) {
      const rest = ((slot * 7919) % 101) / 50 - 1 // what has nothing to do with the flow
      const made = openInterest[slot] + Math.round(0.3 * (net.get(name) ?? 0) + 20 * rest)
      if (openInterest[slot] !== UNKNOWN) openInterest[slot] = Math.max(0, made)
    }
    const asOf = monday.open + 60_000
    const quote = { ...chain.quote, time: asOf }
    await store.writeSnapshots([{ chain: { ...chain, asOf, quote, openInterest }, fidelity: 'recorded', missing: [] }])
    const [found] = await compared([KO])
    if (!('sums' in found)) throw new Error(found.reason)
    const { bestConfidence, bestConfidenceError, correlation } = settlementAccuracy(found.sums)
    expect(bestConfidenceError).toBeLessThan(0.05)
    expect(Math.abs(bestConfidence! - 0.3)).toBeLessThan(3 * bestConfidenceError!)
    expect(correlation).toBeGreaterThan(0.5)
  })

  test('is held against the made-up morning as a recomputation by names does', async () => {
    await backfilled(monday.close, [])
    const [before, after, net] = [await chainOf(friday.date), await chainOf(monday.date), await netByName()]
    const later = slotsByName(after)
    let [contracts, change, error] = [0, 0, 0]
    for (const [name, slot] of slotsByName(before)) {
      const next = later.get(name)
      const official = before.openInterest[slot]
      if (next === undefined || official < 0 || after.openInterest[next] < 0) continue
      const n = net.get(name) ?? 0
      const estimate = Math.max(0, official + Math.sign(n) * Math.round(0.43 * Math.abs(n)))
      contracts++
      change += Math.abs(after.openInterest[next] - official)
      error += Math.abs(after.openInterest[next] - estimate)
    }
    const [found] = await compared([KO])
    expect(found).toMatchObject({
      ...{ session: friday.date, source: 'synthetic', confidence: 0.43 },
      sums: { contracts, absoluteChange: change, absoluteError: error }
    })
    expect(contracts).toBeGreaterThan(300)
    expect(error).toBeLessThan(change)
  })

  test('is shown by a service once the next session has begun, and compared once', async () => {
    let now = monday.open
    let runs = 0
    const counted: typeof runJob = (...args) => {
      runs++
      return runJob(...args)
    }
    const check = new SettlementCheck({ runJob: counted, context: context(), now: () => now })
    await check.run()
    expect([runs, settlementHealth(check)]).toEqual([0, { status: 'Healthy' }])
    now = monday.close
    await Promise.all([check.run(), check.run()])
    await check.run()
    expect([runs, check.session, check.compared.map(({ symbol }) => symbol)]).toEqual([1, friday.date, [KO]])
    const { explained, bestConfidence } = check.accuracy!
    expect(settlementHealth(check).details).toEqual({
      session: friday.date,
      symbols: 1,
      explained: { KO: expect.closeTo(explained!, 4) },
      best_confidence: { KO: expect.closeTo(bestConfidence!, 4) }
    })
    const written = await store.customers(KO, friday.date, friday.date)
    const [recomputed] = await compared([KO])
    expect(written).toEqual([{ symbol: KO, session: friday.date, groups: 'groups' in recomputed && recomputed.groups }])
    const { symbols, ...verdicts } = customerCounts(check)
    expect(customerHealth(check).details).toEqual({ symbols, ...verdicts })
    expect(verdicts.fits + verdicts.contradicts + verdicts.not_shown).toBe(4)
    await check.stop()
  })
})
