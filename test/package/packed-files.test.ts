import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Packed, packed } from '../support/installed-package.ts'
import { projectRoot } from '../support/started-service.ts'

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

describe('the package that would be published', () => {
  let found: Packed
  let paths: readonly string[]
  beforeAll(async () => {
    found = await packed(undefined)
    paths = found.files.map(({ path }) => path)
  })

  test('holds the program, the client with its types, the pages and the scripts of a start, and nothing else', () => {
    const kinds = [
      /^(LICENSE|README\.md|package\.json)$/,
      /^dist\/program\/.*\.js(\.map)?$/,
      /^dist\/dashboard\//,
      /^dist\/docs\//,
      /^dist\/src\/client\/client\.js(\.map)?$/,
      /^dist\/src\/.*\.d\.ts$/,
      /^scripts\/[\w-]+\.mjs$/,
      /^scripts\/pinned\/engine\//
    ]
    for (const kind of kinds) expect(paths.filter((path) => kind.test(path)).length, `${kind}`).toBeGreaterThan(0)
    expect(paths.filter((path) => !kinds.some((kind) => kind.test(path)))).toEqual([])
  })

  test('has at most 6 MB', () => {
    expect(found.size).toBeLessThanOrEqual(6e6)
  })

  test('has every script that its scripts import, and the files that it names', () => {
    const scripts = paths.filter((path) => path.startsWith('scripts/') && path.endsWith('.mjs'))
    const used = scripts.flatMap((path) =>
      [...readFileSync(join(projectRoot, path), 'utf8').matchAll(/'\.\/([\w-]+\.mjs)'|\('([\w-]+\.mjs)', import/g)].map(
        ([, imported, found]) => `scripts/${imported ?? found}`
      )
    )
    expect(used.length).toBeGreaterThan(3)
    expect(used.filter((path) => !paths.includes(path))).toEqual([])
    const { bin, exports } = manifest
    const named = [bin.gammawall, ...Object.values(exports['./client'] as Record<string, string>)]
    expect(named.map((path) => path.replace(/^\.\//, '')).filter((path) => !paths.includes(path))).toEqual([])
  })

  test('is published with its provenance, and by no mistake with another engine or as private', () => {
    expect(manifest.private).toBeUndefined()
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
    expect(manifest.engines.node).toBe('>=20.19')
  })
})
