import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveFolder, type MarketKind, originOf, rememberSource } from '../../src/archive/archive-folder.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gammawall-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const folderOf = (kind: MarketKind) => archiveFolder(data, kind)

test('real answers never rest on the days that a demonstration recorded in the same data folder', () => {
  expect([folderOf('synthetic'), folderOf('real')]).toEqual([join(data, 'history'), join(data, 'history')])
  mkdirSync(join(data, 'history'))
  rememberSource(folderOf('synthetic'), 'synthetic', 'synthetic')
  expect([folderOf('synthetic'), folderOf('real')]).toEqual([join(data, 'history'), join(data, 'history-real')])
})

test('a demonstration adds nothing to real days', () => {
  mkdirSync(join(data, 'history'))
  rememberSource(folderOf('real'), 'real', 'cboe')
  expect([folderOf('synthetic'), folderOf('real')]).toEqual([join(data, 'history-synthetic'), join(data, 'history')])
})

test('an archive is named after every source that recorded it, once each', () => {
  const folder = join(data, 'history')
  mkdirSync(folder)
  expect(originOf(folder)).toBe('imported')
  for (const source of ['cboe-files', 'cboe', 'cboe-files']) rememberSource(folder, 'real', source)
  expect(originOf(folder)).toBe('cboe-files, cboe')
  expect([folderOf('real'), folderOf('synthetic')]).toEqual([folder, join(data, 'history-synthetic')])
})

test('an archive that was begun before sources were remembered is known by its kind', () => {
  const folder = join(data, 'history')
  mkdirSync(folder)
  writeFileSync(join(folder, 'market'), 'synthetic\n')
  expect([originOf(folder), folderOf('real')]).toEqual(['synthetic', join(data, 'history-real')])
  writeFileSync(join(folder, 'market'), 'real\n')
  expect(originOf(folder)).toBe('recorded')
})

test('the word of a folder is never written over in place, and not at all by a source it names', () => {
  const folder = join(data, 'history')
  mkdirSync(folder)
  const [word, seen] = [join(folder, 'market'), join(data, 'seen')]
  rememberSource(folder, 'real', 'cboe')
  linkSync(word, seen)
  rememberSource(folder, 'real', 'cboe')
  expect(statSync(word).ino).toBe(statSync(seen).ino)
  rememberSource(folder, 'real', 'cboe-files')
  expect([readFileSync(seen, 'utf8'), originOf(folder)]).toEqual(['real\ncboe\n', 'cboe, cboe-files'])
  expect(readdirSync(folder)).toEqual(['market'])
})
