import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { TapeWriter } from '../../src/archive/codec/encode-tape.ts'
import type { SourceSettings } from '../../src/connectors/port/declaration.ts'
import type { PrintWindow } from '../../src/flow/tape-views.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import type { Tapes } from '../../src/tape/tape-port.ts'
import { inlineTapes, threadTapes } from '../../src/tape/thread/create-tapes.ts'
import { createPool } from '../../src/workers/pool.ts'
import { eastern } from '../support/hand-made.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { MemoryTapes } from '../support/memory-tapes.ts'
import { builtThread } from '../support/started-service.ts'
import { plain, printed } from '../tape/messages.ts'
import { mortalWorker } from './mortal-worker.ts'

const tapeThread = await builtThread('tape/thread/tape-thread')

const KO = 'KO' as Ticker
const session = '2026-07-29' as IsoDate
const source: SourceSettings = {
  sources: { chains: 'synthetic', bars: 'synthetic', prints: 'synthetic' },
  values: { seed: 7 },
  asOf: undefined
}

describe('the thread of tapes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  const mortal = mortalWorker(folder, tapeThread)
  const opened: Tapes[] = []
  afterAll(async () => {
    await Promise.all(opened.map((tapes) => tapes.close()))
    mortal.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Tapes of the made-up market at one moment, recorded in memory. */
  async function tapes(archive: MemoryTapes, program: URL) {
    const crashes: Error[] = []
    const options = {
      source,
      clock: eastern(session, '09:40'),
      confidence: 0.43,
      maxSymbols: 5,
      maxBytes: Number.MAX_SAFE_INTEGER,
      recorded: 'all' as const,
      read: async (id: Parameters<MemoryTapes['stored']>[0]) => archive.stored(id),
      write: async (text: Parameters<MemoryTapes['write']>[0]) => archive.write(text),
      onMoved: () => {},
      onTrouble: () => {}
    }
    const thread = threadTapes({ ...options, program, onCrash: (error) => crashes.push(error) })
    const inline = await inlineTapes({ ...options, recorded: 'none' })
    opened.push(thread, inline)
    await thread.ready
    return { thread, inline, crashes }
  }

  test('shows what the serving thread would, in memory that both can read', async () => {
    const { thread, inline } = await tapes(new MemoryTapes(), tapeThread)
    for (const each of [thread, inline]) each.keep(KO)
    for (const view of ['positions', 'totals', 'minutes', 'prints', 'blocks'] as const) {
      const request = { symbol: KO, kind: 'option', view } as const
      const [there, here] = await Promise.all([thread.view(request), inline.view(request)])
      expect(plain(there), view).toEqual(plain(here))
      const columns = Object.values({ ...there, ...('prints' in there! ? there.prints : {}) }).filter(
        ArrayBuffer.isView
      )
      expect(columns.length).toBeGreaterThan(0)
      for (const { buffer } of columns) expect(buffer).toBeInstanceOf(SharedArrayBuffer)
    }
    const from = eastern(session, '09:30')
    expect((await thread.windowTotals('option', from))!.totals).toEqual(
      (await inline.windowTotals('option', from))!.totals
    )
  })

  test('that dies is replaced by one that keeps the same symbols, and refuses what it is asked meanwhile', async () => {
    const archive = new MemoryTapes()
    const { thread, crashes } = await tapes(archive, mortal.program)
    thread.keep(KO)
    const request = { symbol: KO, kind: 'option', view: 'prints' } as const
    const before = (await thread.view(request))!
    await expect.poll(() => archive.symbols('option', session)).toEqual(['KO'])
    mortal.die()
    await expect.poll(() => crashes.length, { interval: 5 }).toBe(1)
    expect(crashes[0].message).toBe('killed by the test')
    await expect(thread.view(request)).rejects.toThrow('killed by the test')
    thread.keep(KO)
    const again = () => thread.view(request).catch(() => undefined)
    let after: PrintWindow | undefined
    await expect.poll(async () => (after = await again())?.prints.length, { interval: 50 }).toBe(before.prints.length)
    expect(plain(after)).toEqual(plain(before))
    expect(after!.version).toBeGreaterThan(before.version)
  })

  test('does not start where its source cannot', async () => {
    const nothing = { read: async () => undefined, write: async () => {}, onMoved: () => {}, onTrouble: () => {} }
    const settings = {
      clock: 'wall',
      confidence: undefined,
      maxSymbols: 5,
      maxBytes: 2 ** 30,
      recorded: 'none'
    } as const
    const crashes: Error[] = []
    const { ready } = threadTapes({
      ...nothing,
      ...settings,
      source: {
        ...source,
        sources: { chains: 'cboe', bars: 'cboe', prints: 'cboe' },
        values: { 'cboe-path': join(folder, 'nowhere') }
      },
      program: tapeThread,
      onCrash: (error) => crashes.push(error)
    })
    await expect(ready).rejects.toThrow(/nowhere/)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(crashes.length).toBeLessThan(2) // it is not begun again and again
  })
})

test('a worker restores a tape and shows it at any row, in memory that both threads can read', async () => {
  const program = await builtThread('workers/engine-thread')
  const settings = { source, assumptions: madeUpAssumptions, features: [] }
  const engine = await createPool({ workers: 1, program, onCrash: () => {}, ...settings })
  try {
    const symbol = 'SPY' as Ticker
    const tapes = new SymbolTapes({ symbol })
    for (let k = 1; k <= 50; k++) tapes.take(printed({ size: k }), undefined)
    const archive = new MemoryTapes()
    const writer = new TapeWriter()
    const held = tapes.tape('option', session)
    const { series, unit } = held
    const rows = held.rowsFrom(0)
    const id = { symbol, kind: 'option', session } as const
    writer.add({ ...id, ...rows, source: 'recorded', unit, position: 0, withHead: true, series, firstSeries: 0 })
    archive.write(writer.take())
    const tape = await engine.run('restoreTape', { stored: archive.stored(id)! })
    expect(tape.prints.size.buffer).toBeInstanceOf(SharedArrayBuffer)
    const header = { ...id, source: 'recorded', unit, known: undefined, version: 1, silent: false } as const
    const moment = { ...header, now: 0, confidence: 0.43 }
    for (const count of [0, 50, 20, 1]) {
      const asked = { name: 'SPY option', tape, rows: count, view: 'prints', moment } as const
      const shown = (await engine.run('viewTape', asked)) as PrintWindow
      expect([...shown.prints.size]).toEqual(Array.from({ length: count }, (_, k) => k + 1))
      expect(shown.prints.size.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  } finally {
    await engine.close()
  }
})
