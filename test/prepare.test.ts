import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { projectRoot, temporaryFolder } from './support/started-service.ts'

// A checkout of one source, with a compiler and a bundler that do no more than to leave a file.

let checkout: string

const write = (file: string, text: string) => {
  const path = join(checkout, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const leaveBuild = `
import { mkdirSync, writeFileSync } from 'node:fs'
const folder = process.argv[process.argv.indexOf('--outDir') + 1]
mkdirSync(folder, { recursive: true })
writeFileSync(folder + '/a.js', 'built')
`

beforeEach(() => {
  checkout = temporaryFolder()
  for (const name of ['prepare', 'engine', 'npm']) {
    const script = join('scripts', `${name}.mjs`)
    cpSync(join(projectRoot, script), join(checkout, script))
  }
  for (const script of ['bundle', 'load-program']) write(`scripts/${script}.mjs`, '')
  write('package.json', '{ "type": "module" }')
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) write(file, '{ "packages": {} }')
  write('node_modules/typescript/package.json', '{ "type": "module" }')
  write('node_modules/typescript/bin/tsc', leaveBuild)
  write('src/a.ts', 'one')
})

/** What a start says while it makes the checkout ready, so many seconds from now. */
function said(later = 0): string {
  const script = pathToFileURL(join(checkout, 'scripts/prepare.mjs'))
  const code = `const now = Date.now; Date.now = () => now() + ${1000 * later}
    ;(await import('${script}')).prepare()`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stderr
}

const ready = () => join(checkout, 'dist/.ready')

describe('a checkout', () => {
  test('is built once', () => {
    expect(said()).toBe('gammawall: building\n')
    expect(said()).toBe('')
    expect(said(60)).toBe('')
    expect(readFileSync(join(checkout, 'dist/a.js'), 'utf8')).toBe('built')
  })

  test('is known to be ready by how its files look, once they have settled', () => {
    said()
    said()
    expect(existsSync(ready())).toBe(false) // they might be written again within a tick of the clock
    said(60)
    const looks = readFileSync(ready(), 'utf8')
    expect(said()).toBe('')
    expect(readFileSync(ready(), 'utf8')).toBe(looks)
  })

  test.each([
    ['a source of the same length', () => write('src/a.ts', 'two')],
    ['a source that is new', () => write('src/deep/b.ts', 'two')],
    ['a setting', () => write('tsconfig.json', '{}')]
  ])('is built again for %s', (_, change) => {
    said()
    said(60)
    expect(existsSync(ready())).toBe(true)
    change()
    expect(said()).toBe('gammawall: building\n')
    expect(said(60)).toBe('')
  })

  test('is not built again for a source that was touched and says the same', () => {
    said()
    said(60)
    const looks = readFileSync(ready(), 'utf8')
    utimesSync(join(checkout, 'src/a.ts'), 1, 1)
    expect(said(60)).toBe('')
    expect(readFileSync(ready(), 'utf8')).not.toBe(looks)
    expect(said(60)).toBe('')
  })
})
