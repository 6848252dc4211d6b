import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the script writes the table that is checked in, byte for byte', () => {
  const root = new URL('../../', import.meta.url)
  const folder = mkdtempSync(join(tmpdir(), 'erfcx-'))
  try {
    mkdirSync(join(folder, 'scripts'))
    mkdirSync(join(folder, 'src/math'), { recursive: true })
    cpSync(new URL('scripts/make-erfcx-table.mjs', root), join(folder, 'scripts/make-erfcx-table.mjs'))
    execFileSync(process.execPath, [join(folder, 'scripts/make-erfcx-table.mjs')])
    const written = readFileSync(join(folder, 'src/math/erfcx-table.ts'), 'utf8')
    expect(written === readFileSync(new URL('src/math/erfcx-table.ts', root), 'utf8')).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
