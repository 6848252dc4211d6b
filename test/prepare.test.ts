import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { launch, projectRoot, temporaryFolder } from './support/started-service.ts'

// A checkout of one source, with a build that does no more than to leave a file.

let checkout: string

const write = (file: string, text: string) => {
  const path = join(checkout, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const leaveBuild = `
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync(process.argv[2], { recursive: true })
writeFileSync(process.argv[2] + '/a.js', 'built')
`

beforeEach(() => {
  checkout = temporaryFolder()
  for (const name of ['prepare', 'engine', 'pinned', 'npm']) {
    const script = join('scripts', `${name}.mjs`)
    cpSync(join(projectRoot, script), join(checkout, script))
  }
  write('scripts/build.mjs', leaveBuild)
  write('package.json', '{ "type": "module" }')
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) write(file, '{ "packages": {} }')
  write('src/a.ts', 'one')
})

/** Makes the checkout ready, as a start does. */
function prepared() {
  const script = pathToFileURL(join(checkout, 'scripts/prepare.mjs'))
  const code = `(await import('${script}')).prepare()`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
}

/** Output of a start that makes the checkout ready. */
function outputOf(): string {
  const { stderr, status } = prepared()
  expect(status, stderr).toBe(0)
  return stderr
}

describe('a checkout', () => {
  test('is built once', () => {
    expect(outputOf()).toBe('gammawall: building\n')
    expect(outputOf()).toBe('')
    expect(readFileSync(join(checkout, 'dist/a.js'), 'utf8')).toBe('built')
  })

  test.each([
    ['a source of another length', () => write('src/a.ts', 'three')],
    ['a source of another time', () => utimesSync(join(checkout, 'src/a.ts'), 1, 1)],
    ['a source that is new', () => write('src/deep/b.ts', 'two')],
    ['a source that is gone', () => rmSync(join(checkout, 'src/a.ts'))],
    ['a page of the dashboard', () => write('dashboard/src/a.tsx', 'one')],
    ['a setting', () => write('tsconfig.json', '{}')]
  ])('is built again for %s', (_, change) => {
    outputOf()
    change()
    expect(outputOf()).toBe('gammawall: building\n')
    expect(outputOf()).toBe('')
  })

  test('is built by one of two starts, and by the next where a start was killed in the middle', async () => {
    const script = pathToFileURL(join(checkout, 'scripts/prepare.mjs'))
    const start = () => launch(process.execPath, ['--input-type=module', '-e', `(await import('${script}')).prepare()`])
    const [one, other] = await Promise.all([start().ended, start().ended])
    expect([one.stderr, other.stderr].sort()).toEqual(['', 'gammawall: building\n'])
    write('.preparing', '2147483646') // no process has this id
    write('src/a.ts', 'three')
    expect(outputOf()).toBe('gammawall: building\n')
  })

  test('keeps its old build where the new one fails', () => {
    outputOf()
    write('scripts/build.mjs', 'process.exit(1)')
    const { status, stderr } = prepared()
    expect(status).not.toBe(0)
    expect(stderr).toContain('the sources could not be built: see the output above')
    expect(readFileSync(join(checkout, 'dist/a.js'), 'utf8')).toBe('built')
  })
})
