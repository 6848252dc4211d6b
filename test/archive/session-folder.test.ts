import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SessionFolder, type SessionFolderOptions } from '../../src/archive/session-files/session-folder.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

const root = mkdtempSync(join(tmpdir(), 'gammawall-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const freshPath = () => join(root, String(folders++))
const folderOf = (options: Partial<SessionFolderOptions> = {}) =>
  new SessionFolder({ folder: freshPath(), maxBytes: 2 ** 40, roomOf: () => 2 ** 40, ...options })
const session = '2026-07-29' as IsoDate
const idOf = (symbol: string) => ({ symbol: symbol as Ticker, session })
const digestOf = (digit: number) => String(digit).repeat(32)
const contentOf = (digit = 1) => ({ digest: digestOf(digit), count: 1 })

async function* bytesOf(bytes: number) {
  yield Buffer.alloc(bytes)
}
const write = (folder: SessionFolder, symbol: string, bytes = 1000, content = contentOf()) =>
  folder.write(idOf(symbol), content, bytesOf(bytes))
const held = (folder: SessionFolder) => folder.sessions().map(({ symbol }) => symbol)

test('a file is found under its content, and any other of its session is deleted', async () => {
  const path = freshPath()
  const folder = folderOf({ folder: path })
  await write(folder, 'BRK.B')
  expect(readdirSync(path, { recursive: true })).toEqual(['BRK.B', `BRK.B/${session}-${digestOf(1)}.img`])
  expect(await (await folder.file(idOf('BRK.B'), contentOf()))?.read(0)).toEqual(Buffer.alloc(1000))
  await write(folder, 'BRK.B', 500, contentOf(2))
  expect(readdirSync(join(path, 'BRK.B'))).toEqual([`${session}-${digestOf(2)}.img`])
  expect(await folder.file(idOf('BRK.B'), contentOf(3))).toBeUndefined()
  expect(readdirSync(join(path, 'BRK.B'))).toEqual([])
  expect(folder.bytes).toBe(0)
  await folder.close()
})

test('what a killed process and earlier versions left is deleted at the start, and nothing else', async () => {
  const path = freshPath()
  const first = folderOf({ folder: path })
  for (const symbol of ['A', 'B']) await write(first, symbol)
  await first.close()
  const garbage = [`${session}-${digestOf(2)}.img.new`, `${session}.img`]
  for (const name of [...garbage, 'notes.txt']) writeFileSync(join(path, 'A', name), 'half a file')
  writeFileSync(join(path, 'B', `${session}-${digestOf(4)}.img`), 'a second file of the session')
  const folder = folderOf({ folder: path })
  expect(readdirSync(join(path, 'A')).sort()).toEqual([`${session}-${digestOf(1)}.img`, 'notes.txt'])
  expect(readdirSync(join(path, 'B'))).toHaveLength(1)
  expect(await folder.file(idOf('A'), contentOf())).toBeDefined()
  await folder.close()
})

test('a write that fails leaves nothing, and the file that was there goes', async () => {
  const path = freshPath()
  const folder = folderOf({ folder: path })
  await write(folder, 'A')
  // biome-ignore lint/correctness/useYield: it fails before anything comes
  async function* failing(): AsyncGenerator<Uint8Array> {
    throw new Error('no more')
  }
  await expect(folder.write(idOf('A'), contentOf(2), failing())).rejects.toThrow('no more')
  expect(readdirSync(join(path, 'A'))).toEqual([])
  await folder.close()
})

test('any number of files may be in use, though few are open at a time', async () => {
  const folder = folderOf()
  for (let k = 0; k < 70; k++) await write(folder, `S${k}`)
  for (let k = 0; k < 70; k++) expect(await (await folder.file(idOf(`S${k}`), contentOf()))?.read(0)).toHaveLength(1000)
  await folder.close()
})

test('past the bound the files that were unused longest go, also after a restart', async () => {
  const path = freshPath()
  const folder = folderOf({ folder: path, maxBytes: 2500 })
  for (const symbol of ['A', 'B']) await write(folder, symbol)
  await folder.file(idOf('A'), contentOf())
  await write(folder, 'C')
  expect(held(folder)).toEqual(['A', 'C'])
  await folder.file(idOf('A'), contentOf())
  await folder.close()
  expect(held(folderOf({ folder: path, maxBytes: 2500 })).sort()).toEqual(['A', 'C'])
})

test('no more files are deleted than the disk lacks, though it tells of their room only later', async () => {
  let room = 2 ** 31
  const folder = folderOf({ roomOf: () => room })
  for (const symbol of ['A', 'B', 'C']) await write(folder, symbol)
  room = 2 ** 30 - 500
  await write(folder, 'D')
  expect(held(folder)).toEqual(['B', 'C', 'D'])
  room = 2 ** 30 - 500
  await write(folder, 'B', 1000, contentOf(2)) // what takes its own place needs no other one
  expect(held(folder)).toEqual(['C', 'D', 'B'])
  room = 0
  await expect(write(folder, 'E')).rejects.toThrow('the disk has less than 1 GB left')
  await folder.close()
})

test('a file that is gone or cannot be read is forgotten', async () => {
  const path = freshPath()
  const folder = folderOf({ folder: path })
  await write(folder, 'A')
  rmSync(join(path, 'A'), { recursive: true })
  expect(await folder.file(idOf('A'), contentOf())).toBeUndefined()
  expect(folder.has(idOf('A'))).toBe(false)
  mkdirSync(join(path, 'A'))
  await write(folder, 'A')
  expect(folder.has(idOf('A'))).toBe(true)
  await folder.close()
})

test('a symbol that is no name of a folder has no file', async () => {
  await expect(write(folderOf(), '..')).rejects.toThrow('cannot be the name of a folder')
})
