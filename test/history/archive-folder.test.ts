import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveFolder, type MarketKind, rememberKind } from '../../src/history/archive-folder.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'gammawall-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const folderOf = (kind: MarketKind) => archiveFolder(data, kind)

test('real answers never rest on the days that a demonstration recorded in the same data folder', () => {
  expect([folderOf('synthetic'), folderOf('real')]).toEqual([join(data, 'history'), join(data, 'history')])
  mkdirSync(join(data, 'history'))
  rememberKind(folderOf('synthetic'), 'synthetic')
  expect([folderOf('synthetic'), folderOf('real')]).toEqual([join(data, 'history'), join(data, 'history-real')])
})

test('a demonstration adds nothing to real days', () => {
  mkdirSync(join(data, 'history'))
  rememberKind(folderOf('real'), 'real')
  expect([folderOf('synthetic'), folderOf('real')]).toEqual([join(data, 'history-synthetic'), join(data, 'history')])
})
