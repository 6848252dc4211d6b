import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/archive/clickhouse/embedded.ts'
import { clusterStatements } from '../../src/archive/clickhouse/schema/cluster.ts'
import { schemaMigrations, schemaVersion } from '../../src/archive/clickhouse/schema/migrations.ts'
import { decodeTape } from '../../src/archive/codec/decode-tape.ts'
import { TapeWriter } from '../../src/archive/codec/encode-tape.ts'
import { rowsOf } from '../../src/archive/codec/native-rows.ts'
import { enginePath, openHistory } from '../../src/archive/open.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { eastern, sketched } from '../support/hand-made.ts'

const open = (data: string) => openHistory({ data, history: 'embedded', recordVersion: 1 })
const chain = sketched({
  symbol: 'OPEN',
  date: '2026-07-29',
  time: '12:00',
  spot: 100,
  series: [{ date: '2026-08-21', strikes: [100] }]
})

test('switched off, there is no archive and a sentence says so', async () => {
  const data = dataFolder()
  const { store, reason } = await openHistory({ data, history: 'off', recordVersion: 1 })
  expect(store).toBeUndefined()
  expect(reason).toContain('--history embedded')
  expect(existsSync(join(data, 'history'))).toBe(false)
})

test('a server that does not answer is an error, without the password of its address', async () => {
  const history = 'http://somebody:secret@127.0.0.1:9/history'
  const refusal = await openHistory({ data: dataFolder(), history, recordVersion: 1 }).catch((error: Error) => error)
  expect((refusal as Error).message).toContain('the history on 127.0.0.1:9 cannot be opened')
  expect(`${(refusal as Error).message} ${(refusal as Error).stack}`).not.toContain('secret')
})

describe.skipIf(!hasEngine)('an archive in the data folder', () => {
  test('is there again when it is opened again', async () => {
    const data = dataFolder()
    const first = await open(data)
    await first.store!.writeSnapshots([{ chain, fidelity: 'recorded', missing: [] }])
    await first.store!.close()
    const second = await open(data)
    expect(await second.store!.symbols()).toEqual(['OPEN'])
    expect((await second.store!.snapshot('OPEN' as Ticker, eastern('2026-07-29', '12:00')))?.asOf).toBe(chain.asOf)
    await second.store!.close()
  })

  test('answers questions that come all at once, and refuses those that come after it was closed', async () => {
    const { store } = await open(dataFolder())
    await store!.writeSnapshots([{ chain, fidelity: 'recorded', missing: [] }])
    const snapshots = await Promise.all(Array.from({ length: 40 }, () => store!.snapshot('OPEN' as Ticker, chain.asOf)))
    expect(new Set(snapshots.map((snapshot) => snapshot?.asOf))).toEqual(new Set([chain.asOf]))
    const last = store!.writeSnapshots([{ chain, fidelity: 'recorded', missing: [] }])
    const closing = store!.close()
    await expect(last).resolves.toBeUndefined()
    await closing
    await expect(store!.symbols()).rejects.toThrow('closed')
  })

  test('belongs to one process, and another one is told which', async () => {
    const data = dataFolder()
    await (await open(data)).store!.close()
    const program = `
      const { Session } = require(${JSON.stringify(join(enginePath, 'node_modules/chdb'))})
      new Session(${JSON.stringify(join(data, 'history'))})
      console.log('open')
      setInterval(() => {}, 1000)`
    const owner = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(owner, 'close')
    await once(owner.stdout, 'data')
    await expect(open(data)).rejects.toThrow(`is in use by process ${owner.pid}:`)
    owner.kill('SIGKILL')
    await ended
    const { store } = await open(data)
    await store!.close()
  })

  test('of a newer program is refused and left alone', async () => {
    const data = dataFolder()
    await (await open(data)).store!.close()
    const connection = await openEmbedded(join(data, 'history'), enginePath)
    await connection.run(`INSERT INTO schema_versions (version) VALUES (${schemaVersion + 1})`)
    await connection.close()
    await expect(open(data)).rejects.toThrow(
      `newer program (version ${schemaVersion + 1}; this one knows ${schemaVersion})`
    )
  })

  test('of an older program gets the tables it lacks, and keeps what it holds', async () => {
    const data = dataFolder()
    const { store: older } = await open(data)
    const noon = Date.parse('2026-07-29T16:00:00Z')
    await older!.writeGap({ symbol: 'OPEN' as Ticker, from: noon, to: noon + 1000, reason: 'kept' })
    await older!.close()
    const connection = await openEmbedded(join(data, 'history'), enginePath)
    await connection.run('DROP TABLE dividends SYNC')
    await connection.run('TRUNCATE TABLE schema_versions SYNC')
    await connection.run('INSERT INTO schema_versions (version) VALUES (1)')
    await connection.close()
    const { store } = await open(data)
    expect(await store!.dividends('OPEN' as Ticker, 0)).toEqual([])
    expect(await store!.gaps('OPEN' as Ticker, noon, noon + 1)).toHaveLength(1)
    await store!.close()
  })

  test('of a program that knew no tapes gets their tables', async () => {
    const data = dataFolder()
    const { store: older } = await open(data)
    await older!.writeSnapshots([{ chain, fidelity: 'recorded', missing: [] }])
    await older!.close()
    const connection = await openEmbedded(join(data, 'history'), enginePath)
    await connection.run('DROP VIEW option_trades SYNC')
    for (const table of ['option_tape', 'stock_tape', 'tape_series', 'tapes']) {
      await connection.run(`DROP TABLE ${table} SYNC`)
    }
    await connection.run('TRUNCATE TABLE schema_versions SYNC')
    await connection.run('INSERT INTO schema_versions (version) VALUES (1), (2)')
    await connection.close()
    const { store } = await open(data)
    expect(await store!.tapedSymbols('option', '2026-07-29' as IsoDate)).toEqual([])
    expect((await store!.coverage('OPEN' as Ticker))?.days).toMatchObject([{ snapshots: 1, hasTape: false }])
    await store!.close()
  })

  test('shows option prints as plain rows, prices in USD', async () => {
    const data = dataFolder()
    const { store } = await open(data)
    const symbol = 'SPY' as Ticker
    const session = '2026-07-29' as IsoDate
    const tapes = new SymbolTapes({ symbol })
    const noon = eastern(session, '12:00')
    const usual = { symbol, contract: 'SPY260821C00630000', exchange: 7, flags: 0, spot: undefined, time: noon + 0.25 }
    const quote = { bid: 1.05, ask: 1.1, time: noon }
    tapes.take({ print: { ...usual, price: 1.1, size: 3, sequence: 41, quote, spot: 630.125 } }, noon + 2)
    tapes.take({ print: { ...usual, price: 1.05, size: 1, sequence: 42, quote: undefined } }, noon + 2)
    const writer = new TapeWriter()
    const tape = tapes.tape('option', session)
    const { series, unit, kind } = tape
    const stretch = {
      symbol,
      kind,
      session,
      source: 'recorded',
      unit,
      position: 0,
      withHead: true,
      firstSeries: 0
    } as const
    writer.add({ ...stretch, ...tape.rowsFrom(0), series })
    await store!.writeTapes(writer.take())
    await store!.close()
    const connection = await openEmbedded(join(data, 'history'), enginePath)
    const found = rowsOf(
      await connection.read(`SELECT toString(ts) AS ts, toString(known_at) AS known, toString(expiration) AS expiration,
  CAST(root AS String) AS root, strike, type, round(price, 6) AS price, size, round(ifNull(bid, -1), 6) AS bid,
  round(ifNull(ask, -1), 6) AS ask, round(ifNull(underlying, -1), 6) AS underlying, side, exchange, toFloat64(sequence) AS sequence
FROM option_trades WHERE symbol = 'SPY' AND session = '2026-07-29' ORDER BY position`)
    )
    const listed = { expiration: '2026-08-21', root: 'SPY', strike: 630, type: 'C', exchange: 7 }
    const times = { ts: '2026-07-29 16:00:00.000250', known: '2026-07-29 16:00:00.002000' }
    const first = { price: 1.1, size: 3, bid: 1.05, ask: 1.1, underlying: 630.125, side: 'buy', sequence: 41 }
    const second = { price: 1.05, size: 1, bid: -1, ask: -1, underlying: -1, side: 'sell', sequence: 42 }
    expect(found).toEqual([
      { ...listed, ...times, ...first },
      { ...listed, ...times, ...second }
    ])
    await connection.close()
  })

  test('of a program that wrote prices by themselves shows them as they were, beside prices above the bid', async () => {
    const data = dataFolder()
    await (await open(data)).store!.close()
    const connection = await openEmbedded(join(data, 'history'), enginePath)
    for (const table of ['option_tape', 'stock_tape']) await connection.run(`ALTER TABLE ${table} DROP COLUMN above`)
    await connection.run('TRUNCATE TABLE schema_versions SYNC')
    await connection.run('INSERT INTO schema_versions (version) VALUES (1), (2), (3), (4), (5)')
    const tape = "'SPY', '2026-07-29'"
    await connection.run(
      `INSERT INTO tapes (symbol, session, kind, source, unit, fidelity) VALUES (${tape}, 'option', 'recorded', 1e-4, 'recorded')`
    )
    await connection.run(`INSERT INTO tape_series (symbol, session, instrument, expiration, root, settlement, strike,
      \`right\`, adjusted) VALUES (${tape}, 0, '2026-08-21', 'SPY', 'pm', 630, 0, 0)`)
    await connection.run(`INSERT INTO option_tape (symbol, session, position, known, behind, sequence, instrument, price,
      size, bid, ask, spot, flags, judged, exchange) VALUES (${tape}, 0, 1785340800000000, 0, 1, 0, 10600, 3, 10500, 11000,
      6301250, 0, 32, 7), (${tape}, 1, 1785340800000001, 0, 2, 0, 10700, 3, -1, -1, 6301250, 0, 32, 7)`)
    await connection.close()

    const { store } = await open(data)
    const id = { symbol: 'SPY' as Ticker, kind: 'option', session: '2026-07-29' as IsoDate } as const
    const { prints: older, series } = decodeTape((await store!.tape(id))!)
    expect([[...older.price], [...older.bid], [...older.ask]]).toEqual([
      [10_600, 10_700],
      [10_500, -1],
      [11_000, -1]
    ])
    const writer = new TapeWriter()
    const head = { source: 'recorded', unit: 1e-4, withHead: false, firstSeries: 1 } as const
    for (const position of [2, 4]) writer.add({ ...id, ...head, series, prints: older, from: 0, to: 2, position })
    await store!.writeTapes(writer.take())
    const { prints } = decodeTape((await store!.tape(id))!)
    for (const name of ['price', 'bid', 'ask'] as const) {
      expect([...prints[name]], name).toEqual([...older[name], ...older[name], ...older[name]])
    }
    await store!.close()
    const again = await openEmbedded(join(data, 'history'), enginePath)
    const shown = rowsOf(
      await again.read(`SELECT round(price, 6) AS price, round(ifNull(bid, -1), 6) AS bid, round(ifNull(ask, -1), 6) AS ask
FROM option_trades ORDER BY position`)
    )
    const both = [
      { price: 1.06, bid: 1.05, ask: 1.1 },
      { price: 1.07, bid: -1, ask: -1 }
    ]
    expect(shown).toEqual([...both, ...both, ...both])
    await again.close()
  })

  test('whose first start died half-way is completed by the next', async () => {
    const data = dataFolder()
    await (await open(data)).store!.close()
    const connection = await openEmbedded(join(data, 'history'), enginePath)
    for (const table of ['schema_versions', 'gaps', 'daily_records']) await connection.run(`DROP TABLE ${table} SYNC`)
    await connection.run('DROP VIEW option_quotes SYNC')
    await connection.close()
    const { store } = await open(data)
    expect(await store!.gaps('OPEN' as Ticker, 0, 1)).toEqual([])
    await store!.close()
  })

  test('has statements for a cluster that the database understands', async () => {
    const statements = clusterStatements('main')
    const connection = await openEmbedded(join(dataFolder(), 'history'), enginePath)
    for (const statement of statements) {
      await expect(connection.read(`EXPLAIN AST ${statement}`), statement).resolves.toBeDefined()
    }
    await connection.close()
    const tables = schemaMigrations
      .flatMap((migration) => [...migration.tables, ...migration.views])
      .map(({ name }) => name)
    for (const name of tables) {
      const made = statements.filter((statement) =>
        new RegExp(`^CREATE \\w+ IF NOT EXISTS ${name}(_local)? `).test(statement)
      )
      expect(made, name).toHaveLength(2)
    }
    for (const statement of statements) expect(statement).toMatch(/ON CLUSTER 'main'|^INSERT INTO schema_versions/)
    expect(clusterStatements('main', schemaVersion)).toHaveLength(2)
  })
})
