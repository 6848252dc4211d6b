import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import type { TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import { CANCEL, slicePrints } from '../../src/market/print.ts'
import type { Instant } from '../../src/market/units.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import { TapeRecorder } from '../../src/tape/tape-recorder.ts'
import { MemoryTapes } from '../support/memory-tapes.ts'
import { runSteps } from '../support/run-steps.ts'
import { holdClocks, keeping, RefusingArchive, views } from './keeping.ts'
import { at, cancelOf, heldRows, noon, plain, printed, put, quoted, rowsOf, SPY, session } from './messages.ts'
import { ScriptedFeed } from './scripted-feed.ts'

beforeEach(holdClocks)
afterEach(() => void vi.useRealTimers())

const id = { symbol: SPY, kind: 'option', session } as const

/** Messages of some seconds in a row: quotes, prints of two series and of the stock, cancels by number. */
function seconds(count: number, begins: Instant): readonly (readonly TapeMessage[])[] {
  const prints: ReturnType<typeof printed>[] = []
  return Array.from({ length: count }, (_, k) => {
    const time = begins + 1000 * k
    const bid = 1 + ((k * 7) % 13) / 20
    const print = printed({ time: time + 200, price: bid + (k % 3) / 20, size: 1 + ((k * 37) % 130), spot: 630 })
    const other = printed({ time: time + 300, contract: put, price: bid, size: 5, spot: 630 })
    const share = printed({ time: time + 400, contract: undefined, price: 630 + bid })
    prints.push(print)
    const cancels = k % 9 === 8 ? [cancelOf(prints[k - (k % 7)], { time: time + 500 })] : []
    return [quoted(time + 100, bid, bid + 0.1), print, other, share, ...cancels]
  })
}

/** Tapes that took some messages, and a recorder of them into an archive that may refuse. */
function recording() {
  const archive = new RefusingArchive()
  const lost: number[] = []
  const recorder = new TapeRecorder({ write: archive.write, onLost: (rows) => lost.push(rows) })
  const tapes = new SymbolTapes({ symbol: SPY })
  const take = (messages: readonly TapeMessage[]) => {
    for (const message of messages) tapes.take(message, undefined)
    for (const tape of tapes.all()) recorder.add(SPY, 'recorded', tape)
  }
  const read = () => {
    const { prints } = decodeTape(archive.tapes.stored(id)!)
    return rowsOf(prints, 0, prints.length)
  }
  return { archive, lost, recorder, tapes, take, read }
}

test('an archive that refuses for a while gets everything in its order once it takes rows again', async () => {
  const { archive, lost, recorder, tapes, take, read } = recording()
  archive.fault = new Error('disk full')
  for (const messages of seconds(60, noon)) {
    take(messages)
    void recorder.flush()
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(archive.writes).toBeLessThan(10)
  expect(archive.tapes.stored(id)).toBeUndefined()
  archive.fault = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read()).toEqual(heldRows(tapes.tape('option', session)))
  const { writes } = archive
  await recorder.flush()
  expect([archive.writes, lost]).toEqual([writes, []])
})

test('what is refused when the service ends is tried once more, and its rows are counted as lost', async () => {
  const { archive, lost, recorder, take } = recording()
  archive.fault = new Error('disk full')
  const [first, second] = seconds(2, noon)
  take(first)
  void recorder.flush()
  await vi.advanceTimersByTimeAsync(100)
  take(second)
  await recorder.close()
  expect([archive.writes, lost]).toEqual([2, [3, 3]])
})

test('rows that are given up leave a hole after which the tape can be read', async () => {
  const { archive, lost, recorder, tapes, take, read } = recording()
  const all = seconds(52, at('10:00'))
  archive.fault = new Error('disk full')
  for (const messages of all.slice(0, 50)) take(messages)
  void recorder.flush()
  await vi.advanceTimersByTimeAsync(10)
  await recorder.close()
  expect(lost).toHaveLength(1)
  archive.fault = undefined
  const cancelOfLost = cancelOf(all[49][1] as ReturnType<typeof printed>, { time: at('10:01') })
  take([...all[50], cancelOfLost, ...all[51]])
  await recorder.flush()
  const tape = tapes.tape('option', session)
  const stored = archive.tapes.stored(id)!
  const { end, series } = decodeTape(stored)
  expect([end, series.length]).toEqual([tape.position, 2])
  const kept = heldRows(tape).slice(-5)
  expect(read()).toEqual(kept.filter(({ flags }) => (flags & CANCEL) === 0))
})

test('rows that were written twice are there once', async () => {
  const { recorder, tapes, take, archive } = recording()
  for (const messages of seconds(20, noon)) take(messages)
  await recorder.flush()
  const { tapes: memory } = archive
  const twice = new MemoryTapes()
  const again = new TapeRecorder({
    write: async (text) => void [twice.write(text), twice.write(text)],
    onLost: () => {}
  })
  again.add(SPY, 'recorded', tapes.tape('option', session))
  await again.flush()
  const [one, other] = [decodeTape(memory.stored(id)!), decodeTape(twice.stored(id)!)]
  expect(rowsOf(other.prints, 0, other.prints.length)).toEqual(rowsOf(one.prints, 0, one.prints.length))
  expect(other.series).toEqual(one.series)
  expect(other.end).toBe(one.prints.length)
})

test('a tape that is restored is written on where it ended', async () => {
  const { archive, recorder, tapes, take, read } = recording()
  const all = seconds(40, noon)
  for (const messages of all.slice(0, 20)) take(messages)
  await recorder.flush()
  const later = new TapeRecorder({ write: archive.write, onLost: () => {} })
  const restored = new SymbolTapes({ symbol: SPY })
  for (const kind of ['option', 'stock'] as const)
    later.skip(runSteps(restored.restore(archive.tapes.stored({ ...id, kind })!, noon + 60_000)))
  for (const message of all.slice(20).flat()) restored.take(message, undefined)
  for (const tape of restored.all()) later.add(SPY, 'recorded', tape)
  await later.flush()
  for (const messages of all.slice(20)) for (const message of messages) tapes.take(message, undefined)
  expect(read()).toEqual(heldRows(tapes.tape('option', session)))
})

test('a service that is killed at any print shows afterwards what one shows that was not', async () => {
  const all = seconds(240, at('09:30'))
  const run = async (kills: ReadonlySet<number>, numbered: boolean) => {
    const feed = new ScriptedFeed()
    const archive = new RefusingArchive()
    let kept = keeping(feed, { archive })
    kept.clock.shift += at('09:30') - noon
    kept.keeper.keep(SPY)
    for (const [k, messages] of all.entries()) {
      const sent = numbered ? messages : messages.map(withoutNumber)
      feed.tell(...sent.slice(0, 2))
      if (kills.has(k)) {
        // Rows that were not written yet are lost with the recorder, which writes no more.
        archive.fault = new Error('killed')
        void kept.keeper.close()
        await vi.advanceTimersByTimeAsync(0)
        archive.fault = undefined
        const { shift } = kept.clock
        kept = keeping(feed, { archive })
        kept.clock.shift = shift
        kept.keeper.keep(SPY)
      }
      feed.tell(...sent.slice(2))
      await kept.pass(1000)
    }
    await kept.pass(3000)
    const shown = await Promise.all(
      (['option', 'stock'] as const).flatMap((kind) => views.map((view) => kept.shown(view, SPY, kind)))
    )
    await kept.keeper.close()
    const stored = decodeTape(archive.tapes.stored(id)!)
    const rows = rowsOf(slicePrints(stored.prints, 0, stored.prints.length), 0, stored.prints.length)
    return { shown: shown.map((view) => plain(withoutKnown(view))), rows: rows.map(({ known, ...row }) => row) }
  }
  for (const numbered of [true, false]) {
    const whole = await run(new Set(), numbered)
    for (const kills of [[1], [100], [17, 18, 19, 90, 200, 238]]) {
      expect(await run(new Set(kills), numbered), `${kills}, numbered: ${numbered}`).toEqual(whole)
    }
  }
})

/** Removes the `known` times: prints read from the past become known at their own time, live ones at their arrival. */
function withoutKnown(view: object | undefined): object | undefined {
  if (view === undefined) return undefined
  const fields = Object.entries(view).filter(([name]) => name !== 'known')
  return Object.fromEntries(fields.map(([name, field]) => [name, name === 'prints' ? withoutKnown(field) : field]))
}

/** Removes the sequence number, as in a feed that has none. */
function withoutNumber(message: TapeMessage): TapeMessage {
  if ('print' in message) return { print: { ...message.print, sequence: undefined } }
  if ('cancel' in message) return { cancel: { ...message.cancel, sequence: undefined } }
  return message
}
