import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { lockFolder } from '../../../src/accounts/folder-lock.ts'
import { openDatabase } from '../../../src/accounts/sqlite.ts'
import { tapeColumns } from '../../../src/archive/codec/encode-tape.ts'
import { type Damage, HistoryDamage } from '../../../src/archive/history-error.ts'
import type { TapeText } from '../../../src/archive/history-store.ts'
import { openHistory } from '../../../src/archive/open.ts'
import { writeSessionFile } from '../../../src/archive/session-files/session-file.ts'
import { checkData, damageLines } from '../../../src/cli/history/data-check.ts'
import { historyRepairCommand, historyVerifyCommand } from '../../../src/cli/history/repair-commands.ts'
import type { Config } from '../../../src/config/config.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { asApiError } from '../../../src/server/http/refusal.ts'
import { dataFolder, hasEngine } from '../../support/engine.ts'
import { eastern, sketched } from '../../support/hand-made.ts'

/** Days in weeks of their own, so that each lies in a part of its own. */
const days = { sound: '2026-06-03', flipped: '2026-06-10', cut: '2026-06-17', gone: '2026-06-24' } as const
const symbols = ['DULL', 'KEEN'] as const
const snapshotOf = (symbol: string, date: string) =>
  sketched({ symbol, date, time: '12:00', spot: 100, series: [{ date: '2026-08-21', strikes: [90, 100, 110] }] })
const open = (data: string, onDamage?: (damage: Damage) => void) =>
  openHistory({ data, history: 'embedded', recordVersion: 1, ...(onDamage && { onDamage }) })

async function* packed(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

/** A data folder with accounts, an archive and a session file, all of them sound. */
async function soundFolder(): Promise<string> {
  const data = dataFolder()
  openDatabase(data).close()
  const { store } = await open(data)
  for (const date of Object.values(days)) {
    const snapshots = symbols.map((symbol) => ({
      chain: snapshotOf(symbol, date),
      fidelity: 'recorded' as const,
      missing: []
    }))
    await store!.writeSnapshots(snapshots)
  }
  for (const session of [days.sound, days.cut]) await store!.writeTapes(stockTape('KEEN', session))
  await store!.close()
  mkdirSync(join(data, 'history-images/KEEN'), { recursive: true })
  const digest = 'd'.repeat(32)
  await writeSessionFile(sessionFile(data), `KEEN 2026-06-03 ${digest}`, 2, packed('first', 'second'))
  return data
}

/** A tape of one print of shares. */
function stockTape(symbol: string, session: string): TapeText {
  const row = (values: readonly (string | number)[]) => Buffer.from(`${values.join('\t')}\n`)
  const filled = (columns: readonly string[], own: Readonly<Record<string, string | number>>) =>
    row(columns.map((column) => own[column] ?? 0))
  const own = { symbol, session, kind: 'stock', source: 'live', unit: 0.01, fidelity: 'recorded' }
  return { tapes: filled(tapeColumns.tapes, own), stock_tape: filled(tapeColumns.stock_tape, own) }
}

const sessionFile = (data: string) => join(data, `history-images/KEEN/2026-06-03-${'d'.repeat(32)}.img`)

/** Folder of the only part that a table has in the week of a day. */
function partOf(data: string, table: string, day: string): string {
  const folder = join(data, 'history/data/gammawall', table)
  const monday = new Date(Date.parse(day) - 2 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  return join(folder, readdirSync(folder).find((name) => name.startsWith(monday))!)
}

/** Changes one bit in the middle of a file, or so many bytes before its end. */
function flip(path: string, fromEnd?: number): void {
  const bytes = readFileSync(path)
  bytes[fromEnd === undefined ? bytes.length >> 1 : bytes.length - fromEnd] ^= 1
  writeFileSync(path, bytes)
}

function damageParts(data: string): void {
  flip(join(partOf(data, 'option_images', days.flipped), 'data.bin'))
  truncateSync(join(partOf(data, 'option_images', days.cut), 'data.bin'), 20)
  rmSync(partOf(data, 'option_images', days.gone), { recursive: true })
}

/** Days of a symbol whose snapshot can be read, and those that are refused as damaged. */
async function readable(data: string, onDamage?: (damage: Damage) => void) {
  const { store } = await open(data, onDamage)
  const found: Record<string, string> = {}
  for (const [name, day] of Object.entries(days)) {
    const snapshot = store!.snapshot('KEEN' as Ticker, eastern(day, '13:00'))
    found[name] = await snapshot.then(
      (read) => (read === undefined ? 'none' : 'read'),
      (error) => (error instanceof HistoryDamage ? asApiError(error).code : String(error))
    )
  }
  await store!.close()
  return found
}

async function run(command: typeof historyVerifyCommand, data: string) {
  const lines: string[] = []
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line), env: {} }
  const config = { data } as Config // the commands read nothing else
  const failure = await command.run({ config, positionals: [], flags: {}, terminal }).then(
    () => undefined,
    (error: Error) => error.message
  )
  return { lines, failure }
}

describe.skipIf(!hasEngine)('a damaged archive', () => {
  let sound: string
  beforeAll(async () => {
    sound = await soundFolder()
  })
  const copy = () => {
    const data = dataFolder()
    cpSync(sound, data, { recursive: true, verbatimSymlinks: true })
    return data
  }

  test('answers every other day, refuses the damaged one with a code of its own and names the files', async () => {
    const data = copy()
    damageParts(data)
    const damage: Damage[] = []
    expect(await readable(data, (each) => damage.push(each))).toEqual({
      sound: 'read',
      flipped: 'history_damaged',
      cut: 'none',
      gone: 'none'
    })
    const paths = damage.map(({ path }) => path).join(' ')
    expect(paths).toMatch(/history\/store\/\S+\/20260608_/)
    expect(paths).toMatch(/history\/store\/\S+\/detached\/broken-on-start_20260615_/)
    expect(paths).toMatch(/history\/data\/gammawall\/option_images\/20260622_/)
  })

  test('is found by verify and set aside by repair, with what is lost, and answers afterwards', async () => {
    const data = copy()
    damageParts(data)
    flip(sessionFile(data), 1)
    const verified = await run(historyVerifyCommand, data)
    expect(verified.lines).toEqual([
      expect.stringMatching(/history-images\/KEEN\/2026-06-03-d+\.img: the checksum of snapshot 2 of 2 is wrong/),
      expect.stringMatching(/20260608_\S+: Checksum .*; of option_images, with DULL, KEEN of 2026-06-10/),
      expect.stringMatching(/20260615_\S+: the engine found it damaged.*with DULL, KEEN of 2026-06-17/),
      expect.stringMatching(/20260622_\S+: the folder is missing; .*with DULL, KEEN of 2026-06-24/)
    ])
    expect(verified.failure).toContain('4 damaged')
    const repaired = await run(historyRepairCommand, data)
    expect(repaired.failure).toBeUndefined()
    expect(repaired.lines.at(-1)).toContain('is damaged now')
    const [aside] = readdirSync(data).filter((name) => name.startsWith('damaged-'))
    const files = readdirSync(join(data, aside), { recursive: true }).map(String)
    expect(files.filter((path) => /\d{8}_[\d_]+\/data\.bin$/.test(path))).toHaveLength(2)
    expect(files.some((path) => path.endsWith('.img'))).toBe(true)
    expect(repaired.lines.join('\n')).toMatch(
      /broken-on-start_20260615_\S+ is now in .*; lost: DULL, KEEN of 2026-06-17/
    )
    const damage: Damage[] = []
    expect(await readable(data, (each) => damage.push(each))).toMatchObject({ sound: 'read', flipped: 'none' })
    expect(damage).toEqual([])
    expect((await run(historyVerifyCommand, data)).lines).toEqual([`nothing in ${data} is damaged`])
  })

  test('gets the descriptions of its tables back, with everything that was in them', async () => {
    const data = copy()
    const history = join(data, 'history')
    const table = readlinkSync(join(history, 'data/gammawall/option_images'))
    writeFileSync(join(history, 'data/gammawall', table, 'format_version.txt'), '')
    const [described] = readdirSync(join(history, 'store'), { recursive: true })
      .map(String)
      .filter((path) => path.endsWith('option_images.sql'))
    truncateSync(join(history, 'store', described), 0)
    rmSync(join(history, 'metadata/gammawall.sql'))
    const found = await open(data)
    expect([found.store, found.isDamaged]).toEqual([undefined, true])
    const lines = damageLines(await checkData(data)).join('\n')
    expect(lines).toContain('metadata/gammawall.sql: the description of the database is missing')
    expect(lines).toContain('option_images.sql: the description of a table is empty or cut')
    expect(lines).toContain('format_version.txt: the version of the format is empty or cut')
    expect((await run(historyRepairCommand, data)).failure).toBeUndefined()
    expect(await readable(data)).toEqual({ sound: 'read', flipped: 'read', cut: 'read', gone: 'read' })
  })

  test('without lists of contracts or with half a tape answers neither with a fault nor with half of the prints', async () => {
    const data = copy()
    rmSync(partOf(data, 'option_series', days.gone), { recursive: true })
    truncateSync(join(partOf(data, 'stock_tape', days.cut), 'data.bin'), 20)
    const damage: Damage[] = []
    expect(await readable(data, (each) => damage.push(each))).toMatchObject({ gone: 'history_damaged', cut: 'read' })
    expect(damage).toHaveLength(2)
    const repaired = await run(historyRepairCommand, data)
    expect(repaired.failure).toBeUndefined()
    expect(repaired.lines.join('\n')).toMatch(/tapes is now in \S+\.parquet; lost: KEEN of 2026-06-17/)
    expect(repaired.lines.join('\n')).toMatch(/option_images is now in \S+\.parquet; lost: DULL, KEEN of 2026-06-24/)
    expect(await readable(data)).toEqual({ sound: 'read', flipped: 'read', cut: 'read', gone: 'none' })
    const { store } = await open(data)
    const heads = [days.sound, days.cut].map((session) =>
      store!.tapeHead({ symbol: 'KEEN' as Ticker, kind: 'stock', session: session as IsoDate })
    )
    expect((await Promise.all(heads)).map((head) => head !== undefined)).toEqual([true, false])
    await store!.close()
  })

  test('is left alone while a service uses the folder', async () => {
    const lock = lockFolder(sound)
    const refused = [await run(historyVerifyCommand, sound), await run(historyRepairCommand, sound)]
    lock?.release()
    for (const { failure } of refused) expect(failure).toMatch(/a service uses .*: stop it before you (verify|repair)/)
    expect(existsSync(join(sound, 'service.lock'))).toBe(true)
  })
})

test('damaged accounts, plans, renames and notes of the revision are told, and what nothing hangs on is set aside', async () => {
  const data = dataFolder()
  openDatabase(data).close()
  expect((await run(historyVerifyCommand, data)).failure).toBeUndefined()
  writeFileSync(join(data, 'accounts.db'), 'no database at all, but a text that somebody saved under this name')
  writeFileSync(join(data, 'accounts.revision.json'), '{"number": 1')
  writeFileSync(join(data, 'plans.json'), '')
  writeFileSync(join(data, 'renames.csv'), 'FB,META,2022-06-09\nSQ,XYZ,soon\n')
  const { lines, failure } = await run(historyVerifyCommand, data)
  const named = ['accounts.db', 'plans.json', 'renames.csv', 'accounts.revision.json']
  expect(lines.map((line) => line.split(':')[0])).toEqual(named)
  expect(lines[2]).toMatch(/^renames\.csv: line 2: it must be an old symbol, a new one and a date.*restore a backup/)
  expect(failure).toContain('4 damaged')
  const repaired = await run(historyRepairCommand, data)
  expect(repaired.lines[0]).toMatch(/accounts\.revision\.json is now in .*damaged-.*nothing is lost/)
  expect(repaired.failure).toContain('3 damaged, which repair cannot set aside')
})
