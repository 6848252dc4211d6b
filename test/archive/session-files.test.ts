import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseStore } from '../../src/archive/clickhouse/database-store.ts'
import { decodeSnapshot } from '../../src/archive/codec/decode-snapshot.ts'
import type { ChainSnapshot, StoredSnapshot } from '../../src/archive/history-store.ts'
import { openHistory } from '../../src/archive/open.ts'
import type { SessionFiles } from '../../src/archive/session-files/session-files.ts'
import { withSessionFiles } from '../../src/archive/session-files/with-session-files.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { dataFolder, hasEngine, startBridge } from '../support/engine.ts'
import { eastern, sketched } from '../support/hand-made.ts'
import { importedPayloads } from '../support/imported-days.ts'

const payloads = recordedPayloads()
const date = '2026-07-29' as IsoDate
const minute = 60_000
const MB = 2 ** 20
const ticker = (symbol: string) => symbol as Ticker
const recorded = (chain: Chain): ChainSnapshot => ({ chain, fidelity: 'recorded', missing: [] })
const restored = (snapshot: StoredSnapshot | undefined) => snapshot && decodeSnapshot(structuredClone(snapshot))

/** A small chain; `bid` distinguishes snapshots of one moment. */
function small(symbol: string, time: string, bid = 1, day: string = date): Chain {
  const series = { date: '2026-08-21', strikes: [90, 100, 110], quote: () => [bid, bid + 0.05] as const }
  return sketched({ symbol, date: day, time, spot: 100, series: [series] })
}

/** An hour after everything that the tests write was written: their sessions are over and settled. */
const afterwards = () => Math.max(Date.now(), Date.parse('2026-07-30T00:00:00Z')) + 3_600_000

describe.skipIf(!hasEngine)('session files', () => {
  let plain: DatabaseStore
  let bridge: Awaited<ReturnType<typeof startBridge>>
  const opened: SessionFiles[] = []
  beforeAll(async () => {
    bridge = await startBridge(dataFolder())
    plain = (await openHistory({ data: '', history: bridge.addressOf('files'), recordVersion: 1 })).store!
  })
  afterAll(async () => {
    for (const files of opened) await files.close()
    await plain?.close()
    await bridge?.close()
  })

  /** The archive with files in a folder of their own, or in one that is given. */
  function filed({
    folder = join(dataFolder(), 'session-files'),
    maxBytes = 100 * MB,
    shared = false,
    roomOf = () => 2 ** 40,
    now = afterwards,
    database = plain
  } = {}) {
    const failures: unknown[] = []
    const onError = (error: unknown) => failures.push(error)
    const { store, files } = withSessionFiles(database, { folder, maxBytes, shared, roomOf, now, onError })
    opened.push(files)
    /** The path of the only file of a symbol. */
    const path = (symbol: string) => {
      const all = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
      const found = all.filter((name) => name.startsWith(`${symbol}/`))
      expect(found.length).toBeLessThanOrEqual(1)
      return found.length === 0 ? undefined : join(folder, found[0])
    }
    const has = (symbol: string) => path(symbol) !== undefined
    /** Asks twice for a snapshot of a session, after which its file is there. */
    const fill = async (symbol: string, at: number) => {
      for (let k = 0; k < 2; k++) await store.snapshot(ticker(symbol), at)
      await files.settled()
    }
    const bidAt = async (symbol: string, at: number) => restored(await store.snapshot(ticker(symbol), at))?.bid[0]
    return { store, files, folder, path, has, fill, bidAt, failures }
  }

  /** Writes small chains of a symbol at these times. */
  const write = (store: DatabaseStore, symbol: string, times: readonly string[], bid = 1) =>
    store.writeSnapshots(times.map((time) => recorded(small(symbol, time, bid))))

  test('are made behind the second question, and answer from then on', async () => {
    const { store, files, has, failures } = filed()
    await write(plain, 'ASK', ['10:00', '10:01', '10:02'])
    const ask = () => store.snapshot(ticker('ASK'), eastern(date, '10:01:30'))
    await ask()
    await files.settled()
    expect(has('ASK')).toBe(false)
    await ask()
    await files.settled()
    expect(has('ASK')).toBe(true)
    expect(files.reads).toEqual({ hit: 0, miss: 2 })
    expect((await ask())?.asOf).toBe(eastern(date, '10:01'))
    expect(files.reads).toEqual({ hit: 1, miss: 2 })
    expect(files.bytes).toBeGreaterThan(500)
    expect(failures).toEqual([])
  })

  test('give the chains of the synthetic market as the database does, to the last bit', async () => {
    const { chain } = createSynthetic({ seed: 7 })
    const noon = eastern(date, '12:00')
    const symbols = ['SPX', 'KO', 'VIX'].map(ticker)
    const moments = [0, 1].map((k) => noon + k * minute)
    const chains: Chain[] = []
    for (const symbol of symbols) {
      for (const at of moments) chains.push((await chain(symbol, at, AbortSignal.timeout(60_000)))!)
    }
    await plain.writeSnapshots(chains.map(recorded))
    const { store, files, fill } = filed()
    for (const symbol of symbols) await fill(symbol, noon)
    const before = files.reads.hit
    for (const made of chains) {
      const [mine, theirs] = [
        await store.snapshot(made.symbol, made.asOf),
        await plain.snapshot(made.symbol, made.asOf)
      ]
      expect({ ...mine, packed: undefined }).toEqual({ ...theirs, packed: undefined })
      expect(restored(mine)).toStrictEqual(made)
      expect(restored(theirs)).toStrictEqual(made)
    }
    expect(files.reads.hit - before).toBe(chains.length)
  })

  test.skipIf(payloads === undefined)(
    'give recorded chains as the database does, to the last bit',
    async () => {
      const snapshots = await importedPayloads(payloads!)
      for (const snapshot of snapshots) await plain.writeSnapshots([snapshot])
      const { store, files, fill } = filed()
      for (const { chain } of snapshots) await fill(chain.symbol, chain.asOf)
      const before = files.reads.hit
      for (const { chain, fidelity } of snapshots) {
        const found = await store.snapshot(chain.symbol, chain.asOf)
        expect(found).toMatchObject({ asOf: chain.asOf, fidelity })
        expect(restored(found)).toStrictEqual(restored(await plain.snapshot(chain.symbol, chain.asOf)))
      }
      expect(files.reads.hit - before).toBe(snapshots.length)
      expect(snapshots.length).toBeGreaterThan(5)
    },
    300_000
  )

  test('have the chains of a list share its columns', async () => {
    await write(plain, 'SHARE', ['10:00', '10:01'])
    const { store, fill } = filed()
    await fill('SHARE', eastern(date, '10:01'))
    const chains = await Promise.all(
      ['10:00', '10:01'].map(async (time) =>
        decodeSnapshot((await store.snapshot(ticker('SHARE'), eastern(date, time)))!)
      )
    )
    for (const name of ['strike', 'right', 'openInterest'] as const) expect(chains[0][name]).toBe(chains[1][name])
    expect(chains[0].bid.buffer).not.toBe(chains[1].bid.buffer)
  })

  test('never hide what is written later', async () => {
    const { store, files, fill, bidAt } = filed()
    await write(store, 'LATER', ['10:00'])
    await fill('LATER', eastern(date, '10:00'))
    for (let k = 1; k < 12; k++) {
      const at = eastern(date, '10:00') + k * minute
      await store.writeSnapshots([recorded(small('LATER', `10:${String(k).padStart(2, '0')}`, 1 + k))])
      expect(await bidAt('LATER', at)).toBe(1 + k)
      expect(restored(await store.closingSnapshot(ticker('LATER'), date))?.bid[0]).toBe(1 + k)
      expect(await bidAt('LATER', at - 1)).toBe(k)
    }
    await fill('LATER', eastern(date, '16:00'))
    const before = files.reads
    expect(await bidAt('LATER', eastern(date, '16:00'))).toBe(12)
    expect(files.reads).toEqual({ hit: before.hit + 1, miss: before.miss })
  })

  test.each([
    '10:01',
    '09:59',
    '10:00:30',
    '10:03'
  ])('go when a snapshot is written into their session: %s', async (time) => {
    const symbol = `RE${time.replaceAll(':', '')}`
    const { store, files, fill, path, bidAt } = filed()
    await write(store, symbol, ['10:00', '10:01', '10:02'])
    await fill(symbol, eastern(date, '10:01'))
    const before = path(symbol)
    expect(before).toBeDefined()
    const writing = store.writeSnapshots([recorded(small(symbol, time, 9))])
    await bidAt(symbol, eastern(date, time)) // before or after the write: it is under way
    await writing
    expect(await bidAt(symbol, eastern(date, time))).toBe(9)
    await fill(symbol, eastern(date, '10:01'))
    expect([undefined, before]).not.toContain(path(symbol))
    const { hit } = files.reads
    expect(await bidAt(symbol, eastern(date, time))).toBe(9)
    expect(files.reads.hit).toBe(hit + 1)
  })

  test('are written of sessions that are over and settled', async () => {
    let now = eastern(date, '15:00')
    const { fill, has } = filed({ now: () => now })
    await write(plain, 'RUNS', ['10:00', '10:01'])
    await fill('RUNS', eastern(date, '10:01'))
    expect(has('RUNS')).toBe(false)
    now = Math.max(Date.now(), eastern(date, '16:00'))
    await fill('RUNS', eastern(date, '10:01'))
    const wasJustWritten = now < Date.now() + 60_000
    expect(has('RUNS')).toBe(!wasJustWritten)
    now = afterwards()
    await fill('RUNS', eastern(date, '10:01'))
    expect(has('RUNS')).toBe(true)
  })

  test('that are outdated while they are written are no files', async () => {
    let meanwhile = async () => {}
    const snapshotRows = async (...asked: Parameters<DatabaseStore['snapshotRows']>) => {
      const rows = await plain.snapshotRows(...asked)
      await meanwhile()
      return rows
    }
    const { store, fill, has, bidAt, failures } = filed({ database: { ...plain, snapshotRows } })
    await write(plain, 'RACE', ['10:00', '10:01'])
    meanwhile = () => write(store, 'RACE', ['10:00'], 2)
    await fill('RACE', eastern(date, '10:01'))
    expect(await bidAt('RACE', eastern(date, '10:00'))).toBe(2)
    expect(has('RACE')).toBe(false)
    meanwhile = async () => {}
    await fill('RACE', eastern(date, '10:01'))
    expect(has('RACE')).toBe(true)
    expect(await bidAt('RACE', eastern(date, '10:00'))).toBe(2)
    expect(failures).toEqual([])
  })

  test('are written once, however many questions come meanwhile', async () => {
    let written = 0
    let ask = async () => {}
    const snapshotRows = async (...asked: Parameters<DatabaseStore['snapshotRows']>) => {
      written++
      await ask()
      return plain.snapshotRows(...asked)
    }
    const { store, fill } = filed({ database: { ...plain, snapshotRows } })
    await write(plain, 'OFTEN', ['10:00', '10:01'])
    ask = async () => {
      for (let k = 0; k < 4; k++) await store.snapshot(ticker('OFTEN'), eastern(date, '10:01'))
    }
    await fill('OFTEN', eastern(date, '10:01'))
    expect(written).toBe(1)
  })

  test('go when their session is forgotten', async () => {
    const { store, fill, has } = filed()
    await write(store, 'GONE', ['10:00', '10:01', '16:00'])
    await fill('GONE', eastern(date, '10:01'))
    expect(has('GONE')).toBe(true)
    await store.deleteBefore(eastern('2026-07-30', '00:00'), { keepCloses: true })
    expect(has('GONE')).toBe(false)
    await fill('GONE', eastern(date, '10:01'))
    expect(await store.snapshot(ticker('GONE'), eastern(date, '10:01'))).toBeUndefined()
    expect((await store.closingSnapshot(ticker('GONE'), date))?.asOf).toBe(eastern(date, '16:00'))
  })

  test('stay when nothing of their session was forgotten', async () => {
    const { store, files, fill, path, bidAt } = filed({ database: { ...plain, deleteBefore: async () => {} } })
    await write(plain, 'STAY', ['10:00', '10:01'])
    await fill('STAY', eastern(date, '10:01'))
    const before = path('STAY')
    await store.deleteBefore(eastern('2026-07-30', '00:00'), { keepCloses: true })
    expect(path('STAY')).toBe(before)
    const { hit } = files.reads
    expect(await bidAt('STAY', eastern(date, '10:01'))).toBe(1)
    expect(files.reads.hit).toBe(hit + 1)
  })

  test('are not made for closes, which are one snapshot of a session', async () => {
    await write(plain, 'CLOSE', ['10:00', '16:00'])
    const { store, files, has, fill } = filed()
    for (let k = 0; k < 4; k++) await store.closingSnapshot(ticker('CLOSE'), date)
    await files.settled()
    expect(has('CLOSE')).toBe(false)
    expect(files.reads).toEqual({ hit: 0, miss: 4 })
    await fill('CLOSE', eastern(date, '10:00'))
    expect((await store.closingSnapshot(ticker('CLOSE'), date))?.asOf).toBe(eastern(date, '16:00'))
    expect(files.reads.hit).toBe(1)
  })

  test('stay where the database fails', async () => {
    let failure: Error | undefined
    const heldSnapshots = async (...asked: Parameters<DatabaseStore['heldSnapshots']>) => {
      if (failure !== undefined) throw failure
      return plain.heldSnapshots(...asked)
    }
    const { files, fill, path, bidAt, failures } = filed({ database: { ...plain, heldSnapshots }, shared: true })
    await write(plain, 'FAILS', ['10:00', '10:01'])
    await fill('FAILS', eastern(date, '10:01'))
    const before = path('FAILS')
    failure = new Error('the database is away')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const { miss } = files.reads
    expect(await bidAt('FAILS', eastern(date, '10:01'))).toBe(1)
    expect(files.reads.miss).toBe(miss + 1)
    failure = undefined
    expect(await bidAt('FAILS', eastern(date, '10:01'))).toBe(1)
    expect(files.reads.miss).toBe(miss + 1)
    expect(path('FAILS')).toBe(before)
    expect(failures).toEqual([])
  })

  test('are written later where the database failed in the midst, which is told once', async () => {
    let asked = 0
    const snapshotRows = (...given: Parameters<DatabaseStore['snapshotRows']>) =>
      ++asked < 4 && asked !== 1 ? Promise.reject(new Error('the database is away')) : plain.snapshotRows(...given)
    const { files, folder, fill, has, bidAt, failures } = filed({ database: { ...plain, snapshotRows } })
    const times = Array.from({ length: 12 }, (_, k) => `11:${10 + k}`)
    await write(plain, 'MIDST', times)
    for (let k = 0; k < 2; k++) {
      await fill('MIDST', eastern(date, '11:21'))
      expect(has('MIDST')).toBe(false)
      expect(readdirSync(join(folder, 'MIDST'))).toEqual([])
    }
    expect(failures).toHaveLength(1)
    await fill('MIDST', eastern(date, '11:21'))
    const { hit } = files.reads
    for (const time of times) expect(await bidAt('MIDST', eastern(date, time))).toBe(1)
    expect(files.reads.hit).toBe(hit + 12)
  })

  test('are made of nothing where what there was is gone meanwhile, which is no failure', async () => {
    await write(plain, 'EMPTY', ['10:00'])
    const { fill, has, failures } = filed({ database: { ...plain, snapshotRows: async () => [] } })
    await fill('EMPTY', eastern(date, '10:00'))
    expect(has('EMPTY')).toBe(false)
    expect(failures).toEqual([])
  })

  test('are read after a restart while the database is the same, and deleted otherwise', async () => {
    const { folder, fill, files } = filed()
    await write(plain, 'AGAIN', ['10:00', '10:01'])
    await fill('AGAIN', eastern(date, '10:01'))
    await files.close()

    const same = filed({ folder })
    expect(await same.bidAt('AGAIN', eastern(date, '10:01'))).toBe(1)
    expect(same.files.reads).toEqual({ hit: 1, miss: 0 })
    await same.files.close()

    for (const [time, bid] of [
      ['10:02', 3], // later than everything in the file
      ['10:01', 2] // in the place of a snapshot of the file
    ] as const) {
      await write(plain, 'AGAIN', [time], bid)
      const other = filed({ folder })
      expect(await other.bidAt('AGAIN', eastern(date, time))).toBe(bid)
      expect(other.files.reads).toEqual({ hit: 0, miss: 1 })
      expect(other.has('AGAIN')).toBe(false)
      await other.fill('AGAIN', eastern(date, time))
      expect(other.has('AGAIN')).toBe(true)
      await other.files.close()
    }
  })

  test('that others may outdate are checked against the database again within a second', async () => {
    const { fill, bidAt, files, has } = filed({ shared: true })
    await write(plain, 'OTHERS', ['10:00', '10:01'])
    await fill('OTHERS', eastern(date, '10:01'))
    expect(await bidAt('OTHERS', eastern(date, '10:01'))).toBe(1)
    await write(plain, 'OTHERS', ['10:01'], 5) // by another service
    const deadline = performance.now() + 60_000
    while ((await bidAt('OTHERS', eastern(date, '10:01'))) !== 5) expect(performance.now()).toBeLessThan(deadline)
    expect(files.reads.hit).toBeGreaterThan(0)
    expect(has('OTHERS')).toBe(false)
  })

  test('that are torn or damaged give no wrong snapshot, and are made anew', async () => {
    await write(plain, 'TORN', ['10:00', '10:01', '10:02'])
    const whole = filed()
    await whole.fill('TORN', eastern(date, '10:01'))
    await whole.files.close()
    const path = whole.path('TORN')!
    const bytes = readFileSync(path)
    for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 9)) {
      for (const damaged of [bytes.subarray(0, at), Buffer.from(bytes).fill(bytes[at] ^ 16, at, at + 1)]) {
        writeFileSync(path, damaged)
        const { store, files, fill, failures } = filed({ folder: whole.folder })
        for (let round = 0; round < 2; round++) {
          for (const time of ['10:00', '10:01', '10:02']) {
            const moment = eastern(date, time)
            expect((await store.snapshot(ticker('TORN'), moment))?.asOf).toBe(moment)
          }
          await fill('TORN', eastern(date, '10:01'))
        }
        const { miss } = files.reads
        expect((await store.snapshot(ticker('TORN'), eastern(date, '10:02')))?.asOf).toBe(eastern(date, '10:02'))
        expect(files.reads.miss).toBe(miss)
        expect(failures).toEqual([])
        await files.close()
      }
    }
  })

  test('leave the last gigabyte of a disk to what there is no copy of', async () => {
    const symbols = ['ROOMA', 'ROOMB', 'ROOMC']
    for (const symbol of symbols) await write(plain, symbol, ['10:00'])
    let room = 2 ** 31
    const { fill, has, bidAt, failures } = filed({ roomOf: () => room })
    for (const symbol of ['ROOMA', 'ROOMB']) await fill(symbol, eastern(date, '10:00'))
    room = 2 ** 29
    await fill('ROOMC', eastern(date, '10:00'))
    await fill('ROOMC', eastern(date, '10:00'))
    expect(symbols.map(has)).toEqual([false, false, false])
    expect(failures).toEqual([new Error('the disk has less than 1 GB left')])
    expect(await bidAt('ROOMA', eastern(date, '10:00'))).toBe(1)
  })

  test('may be deleted under a running service, and a folder that takes none does no harm', async () => {
    await write(plain, 'AWAY', ['10:00', '10:01'])
    const { folder, fill, bidAt, failures, files } = filed()
    await fill('AWAY', eastern(date, '10:01'))
    rmSync(folder, { recursive: true })
    await fill('AWAY', eastern(date, '10:01'))
    expect(await bidAt('AWAY', eastern(date, '10:01'))).toBe(1)
    expect(failures).toEqual([])
    await files.close()

    const blocked = join(dataFolder(), 'a-file')
    writeFileSync(blocked, '')
    const none = filed({ folder: blocked })
    for (let k = 0; k < 3; k++) await none.fill('AWAY', eastern(date, '10:01'))
    expect(await none.bidAt('AWAY', eastern(date, '10:01'))).toBe(1)
    expect(none.failures).toHaveLength(1)
  })
})
