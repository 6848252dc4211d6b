import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

test('every module of WebAssembly is what its source compiles to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-assembled-'))
  try {
    execFileSync(process.execPath, [join(root, 'scripts/assemble.mjs'), folder])
    const modules = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    const products = modules.filter((name) => name.endsWith('.wasm.ts'))
    const text = (above: string, name: string) => readFileSync(join(above, 'src', name), 'utf8')
    expect(products.length).toBeGreaterThan(0)
    for (const name of products) expect(text(folder, name) === text(root, name), name).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
