import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { hasEngine } from '../support/engine.ts'

interface Script {
  needsEngine(argv: readonly string[], env: Readonly<Record<string, string>>): boolean
  isEngineThere(root: string): boolean
  isEngineMadeForHere(): boolean
  fetchEngine(root: string, say: (text: string) => void): void
}

const root = resolve(import.meta.dirname, '../..')
const script: Script = await import(pathToFileURL(join(root, 'scripts/engine.mjs')).href)

test.each([
  [['serve'], {}, true],
  [['serve', '--history', 'embedded'], {}, true],
  [['serve', '--history', 'off'], {}, false],
  [['serve', '--history=https://a.b:8443/c'], {}, false],
  [['serve', '--help'], {}, false],
  [['import', 'daily', 'x.csv'], { GAMMAWALL_HISTORY: 'off' }, false],
  [['import', 'daily', 'x.csv', '--history', 'embedded'], { GAMMAWALL_HISTORY: 'off' }, true],
  [['export', '--symbol', 'SPY'], { GAMMAWALL_HISTORY: '' }, true],
  [['history', 'accuracy'], {}, true],
  [['history', 'schema', '--cluster', 'main'], {}, false],
  [['keys', 'list'], {}, false],
  [[], {}, false]
])('%j with %j: the engine is fetched: %s', (argv, env, needed) => {
  expect(script.needsEngine(argv, env)).toBe(needed)
})

test.skipIf(!hasEngine)('the engine that is there is the one asked for, and made for this machine', () => {
  expect(script.isEngineThere(root)).toBe(true)
  expect(script.isEngineMadeForHere()).toBe(true)
})

test('without a network one sentence is said, and nothing is left behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-engine-'))
  const before = process.env['npm_config_registry']
  process.env['npm_config_registry'] = 'http://127.0.0.1:9'
  try {
    const logged: string[] = []
    script.fetchEngine(folder, (text) => logged.push(text))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('going on without history')
    expect(readdirSync(folder)).toEqual([])
    expect(script.isEngineThere(folder)).toBe(false)
  } finally {
    if (before === undefined) delete process.env['npm_config_registry']
    else process.env['npm_config_registry'] = before
    rmSync(folder, { recursive: true, force: true })
  }
})
