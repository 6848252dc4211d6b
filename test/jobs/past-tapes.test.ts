import { Value } from 'typebox/value'
import { beforeAll, expect, test } from 'vitest'
import { readsTapes } from '../../src/api/inputs/inputs.ts'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { runJob } from '../../src/jobs/run-job.ts'
import { session } from '../../src/market/calendar.ts'
import { CANCEL, type TapeKind } from '../../src/market/print.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { SAMPLE_STEP } from '../../src/market/zero-dte-sample.ts'
import { jobStore } from '../support/job-store.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'
import { replayService } from '../support/replay.ts'
import { messagesOf, SampledDay } from '../support/sampled-day.ts'

const KO = 'KO' as Ticker
/** A half day, after Thanksgiving, on which options of KO expire. */
const friday = session('2026-11-27' as IsoDate)!
const HOUR = 3_600_000

type Listener = Parameters<typeof runJob>[2]

function backfilled(
  memory: ReturnType<typeof memoryStore>,
  { tapes = [KO], ...listener }: Partial<Listener> & { readonly tapes?: readonly Ticker[] } = {}
) {
  return runJob(
    { work: 'backfill', days: 1, symbols: [KO], every: HOUR, tapes },
    { store: jobStore(memory), seed: 7, assumptions: madeUpAssumptions, now: friday.close + 1 },
    { onNote: () => {}, signal: new AbortController().signal, ...listener }
  )
}

const store = memoryStore()
const nothingYet = { missing: [] as readonly string[], hasTape: true }
let written: Awaited<ReturnType<typeof runJob>>
beforeAll(async () => {
  await backfilled(store, { tapes: [] })
  Object.assign(nothingYet, (await store.coverage(KO))!.days[0])
  written = await backfilled(store)
})

const idOf = (kind: TapeKind) => ({ symbol: KO, kind, session: friday.date })
const tapeIn = async (held: typeof store, kind: TapeKind) => decodeTape((await held.tape(idOf(kind)))!)

test.each(['option', 'stock'] as const)('every %s print is on the tape, known at its own time', async (kind) => {
  const messages = (await messagesOf(KO, friday.date)).map((message) => {
    if ('quote' in message) throw new Error('the made-up market tells no quotes')
    const isCancel = 'cancel' in message
    return { isCancel, ...(isCancel ? message.cancel : message.print) }
  })
  const expected = messages.filter(({ contract }) => (contract === undefined) === (kind === 'stock'))
  const { prints } = await tapeIn(store, kind)
  expect(expected.length).toBeGreaterThan(1000)
  expect(Array.from(prints.known)).toEqual(expected.map(({ time }) => Math.round(1000 * time)))
  expect(Array.from(prints.size)).toEqual(expected.map(({ size }) => size))
  expect(Array.from(prints.price)).toEqual(expected.map(({ price }) => Math.round(1e4 * price)))
  expect(Array.from(prints.sequence)).toEqual(expected.map(({ sequence }) => sequence))
  expect(Array.from(prints.flags, (flags) => (flags & CANCEL) !== 0)).toEqual(expected.map(({ isCancel }) => isCancel))
  expect(await store.tapeHead(idOf(kind))).toMatchObject({ source: 'synthetic', unit: 1e-4 })
})

test('tapes alone are added to a day without them, which then lacks nothing', async () => {
  expect([nothingYet.hasTape, nothingYet.missing]).toEqual([false, ['trade_tape']])
  const [day] = (await store.coverage(KO))!.days
  expect([day.hasTape, day.missing, day.snapshots]).toEqual([true, [], 5])
  const rows = await Promise.all([tapeIn(store, 'option'), tapeIn(store, 'stock')])
  const prints = rows.reduce((sum, tape) => sum + tape.prints.length, 0)
  expect(written).toMatchObject({ complete: true, tally: { prints, tapes: 2, snapshots: 0, leftOut: 5 } })
  expect((await backfilled(store)).tally).toMatchObject({ snapshots: 0, tapes: 0, prints: 0 })
})

test('raw bars of what expires on the day are those that a live sampler takes, to the last bit', async () => {
  const rows = await store.zeroDteSamples(KO, friday.date, friday.close)
  expect(rows.map(({ t }) => t)).toEqual(Array.from({ length: 420 }, (_, k) => friday.open + k * SAMPLE_STEP))
  const until = friday.open + 10 * 60_000
  const live = new SampledDay(KO, friday.date, await messagesOf(KO, friday.date), friday.open)
  await live.run(friday.open, until)
  expect(live.rows.length).toBe(20)
  expect(rows.slice(0, 20)).toEqual(live.rows.map(({ sample }) => sample))
  expect(rows[19].hedgeCalls).not.toBe(0)
  const minutes = live.rows.flatMap(({ minute }) => minute ?? [])
  expect((await store.zeroDteMinutes(KO, friday.date, until)).slice(0, 10)).toEqual(minutes)
})

test('of a tape that was stopped half way nobody finds anything, and no snapshot stands for its day', async () => {
  const other = memoryStore()
  const stopping = new AbortController()
  const first = await backfilled(other, {
    signal: stopping.signal,
    onNote: (note) => {
      if (note.kind === 'progress' && note.what.endsWith(' prints')) stopping.abort()
    }
  })
  expect([first.complete, await other.tapeHead(idOf('option')), await other.symbols()]).toEqual([false, undefined, []])
})

const ofTapes = endpoints.filter(({ replay, needs }) => replay && readsTapes(needs))

test('the historical host answers every route of flow about the day, in the shape that it declares', async () => {
  const { past, close } = replayService({ history: store })
  for (const { path, response } of ofTapes) {
    const needed = path.endsWith('/bars') ? '&resolution=5m' : ''
    const answer = await past(`${path.replace(/\{\w+\}/, 'KO')}?at=${friday.date}T12:30:00${needed}`)
    expect([answer.statusCode, answer.headers['x-flow-source']], path).toEqual([200, 'synthetic'])
    expect([...Value.Errors(response, answer.json())], path).toEqual([])
  }
  expect(ofTapes.length).toBeGreaterThan(30)
  await close()
})
