import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const pages = join(import.meta.dirname, '../../dist/dashboard')
const KB = 1000

const sizeOf = (file: string) => gzipSync(readFileSync(join(pages, file)), { level: 9 }).length
const html = readFileSync(join(pages, 'index.html'), 'utf8')
const assets = readdirSync(join(pages, 'assets')).map((file) => `assets/${file}`)
const initial = assets.filter((file) => html.includes(file))
const sum = (files: readonly string[]) => files.reduce((bytes, file) => bytes + sizeOf(file), 0)
const ending = (files: readonly string[], end: string) => files.filter((file) => file.endsWith(end))

test('the first load is at most 72 KB of scripts and 9 KB of styles, everything at most 208 KB', () => {
  const [first, styles] = [sum(ending(initial, '.js')), sum(ending(initial, '.css'))]
  console.log(
    `dashboard, gzip: ${(first / KB).toFixed(1)} KB of scripts and ${(styles / KB).toFixed(1)} KB of styles at first, ${(sum(assets) / KB).toFixed(1)} KB in all`
  )
  expect(first).toBeLessThanOrEqual(72 * KB)
  expect(styles).toBeGreaterThan(0)
  expect(styles).toBeLessThanOrEqual(9 * KB)
  expect(sum(assets)).toBeLessThanOrEqual(208 * KB)
})

test('the worker that browsers keep is at most 2.5 KB', () => {
  expect(sizeOf('worker.js')).toBeLessThanOrEqual(2.5 * KB)
})

test.each(ending(assets, '.js').filter((file) => !initial.includes(file)))('%s is at most 25 KB', (file) => {
  expect(sizeOf(file)).toBeLessThanOrEqual(25 * KB)
})

/** Minified and packed size of the modules of a folder alone, which in the pages are part of a larger file. */
async function sizeOfFolder(entries: readonly string[], folders: readonly string[]): Promise<number> {
  const source = join(import.meta.dirname, '../src')
  const bundle = await rolldown({
    input: entries.map((entry) => join(source, entry)),
    external: (id, importer) =>
      importer !== undefined && !folders.some((each) => resolve(dirname(importer), id).startsWith(join(source, each))),
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } }
  })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  return gzipSync(output.map((each) => (each.type === 'chunk' ? each.code : '')).join(''), { level: 9 }).length
}

test('the engine of the chart is at most 14 KB, with all that its screen adds at most 25 KB', async () => {
  const engine = await sizeOfFolder(['charts/time/engine.ts', 'charts/time/hands.ts'], ['charts/time'])
  const whole = await sizeOfFolder(
    ['screens/overview/chart-panel.tsx'],
    ['charts', 'state/chart', 'screens/overview/chart-', 'screens/overview/strike-tip']
  )
  console.log(`chart, gzip: engine ${(engine / KB).toFixed(1)} KB, with its screen ${(whole / KB).toFixed(1)} KB`)
  expect(engine).toBeGreaterThan(KB)
  expect(engine).toBeLessThanOrEqual(14 * KB)
  expect(whole).toBeGreaterThan(engine)
  expect(whole).toBeLessThanOrEqual(25 * KB)
})

test('the page holds no inline script and names no other origin', () => {
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/)
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
})
