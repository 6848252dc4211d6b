import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SessionFolder, type SessionFolderOptions } from '../../src/archive/session-files/session-folder.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

const root = mkdtempSync(join(tmpdir(), 'gammawall-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const folderOf = (options: Partial<SessionFolderOptions> = {}) =>
  new SessionFolder({ folder: join(root, String(folders++)), maxBytes: 2 ** 40, roomOf: () => 2 ** 40, ...options })
const session = '2026-07-29' as IsoDate
const idOf = (symbol: string) => ({ symbol: symbol as Ticker, session })

/** Makes a complete file with one snapshot of so many bytes. */
async function make(folder: SessionFolder, symbol: string, bytes: number): Promise<void> {
  const file = await folder.create(idOf(symbol))
  await file.append(1, Buffer.alloc(bytes))
  await file.markComplete(1)
  folder.settle(idOf(symbol), file)
}

const held = (folder: SessionFolder) => folder.sessions().map(({ symbol }) => symbol)

test('a pinned file stays open, however many others are', async () => {
  const folder = folderOf()
  folder.pin(idOf('PINNED'))
  const file = await folder.create(idOf('PINNED'))
  for (let k = 0; k < 70; k++) await make(folder, `S${k}`, 10)
  await file.append(1, Buffer.alloc(10))
  await file.markComplete(1)
  expect(await folder.file(idOf('PINNED'))).toBe(file)
  folder.pin(undefined)
  await folder.close()
})

test('no more files are deleted than the disk lacks, though it tells of their room only later', async () => {
  let room = 2 ** 31
  const folder = folderOf({ roomOf: () => room })
  for (const symbol of ['A', 'B', 'C']) await make(folder, symbol, 1000)
  room = 2 ** 30 - 500
  await make(folder, 'D', 1000)
  expect(held(folder)).toEqual(['B', 'C', 'D'])
  room = 2 ** 30 - 500
  await make(folder, 'B', 1000) // what takes its own place needs no other one
  expect(held(folder)).toEqual(['C', 'D', 'B'])
  await folder.close()
})

test('the bytes of a file that is cut where it is opened are those that are left', async () => {
  const path = join(root, 'cut')
  const first = folderOf({ folder: path })
  await make(first, 'CUT', 1000)
  await first.close()
  truncateSync(join(path, 'CUT', `${session}.img`), 900)
  const folder = folderOf({ folder: path })
  expect(folder.bytes).toBe(900)
  await folder.file(idOf('CUT'))
  expect(folder.bytes).toBe(statSync(join(path, 'CUT', `${session}.img`)).size)
  expect(folder.bytes).toBe(16)
  await folder.close()
})

test('a look at a file is no use of it', async () => {
  const folder = folderOf()
  for (const symbol of ['A', 'B']) await make(folder, symbol, 10)
  await folder.unused(idOf('A'))
  expect(held(folder)).toEqual(['A', 'B'])
  await folder.file(idOf('A'))
  expect(held(folder)).toEqual(['B', 'A'])
  await folder.close()
})
