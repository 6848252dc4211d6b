import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const pages = join(import.meta.dirname, '../../dist/dashboard')
const KB = 1000

const sizeOf = (file: string) => gzipSync(readFileSync(join(pages, file)), { level: 9 }).length
const html = readFileSync(join(pages, 'index.html'), 'utf8')
const assets = readdirSync(join(pages, 'assets')).map((file) => `assets/${file}`)
const initial = assets.filter((file) => html.includes(file))
const sum = (files: readonly string[]) => files.reduce((bytes, file) => bytes + sizeOf(file), 0)
const ending = (files: readonly string[], end: string) => files.filter((file) => file.endsWith(end))

test('the first load is at most 80 KB of scripts and 10 KB of styles, everything at most 200 KB', () => {
  const [first, styles] = [sum(ending(initial, '.js')), sum(ending(initial, '.css'))]
  console.log(
    `dashboard, gzip: ${(first / KB).toFixed(1)} KB of scripts and ${(styles / KB).toFixed(1)} KB of styles at first, ${(sum(assets) / KB).toFixed(1)} KB in all`
  )
  expect(first).toBeLessThanOrEqual(80 * KB)
  expect(styles).toBeGreaterThan(0)
  expect(styles).toBeLessThanOrEqual(10 * KB)
  expect(sum(assets)).toBeLessThanOrEqual(200 * KB)
})

test.each(ending(assets, '.js').filter((file) => !initial.includes(file)))('%s is at most 25 KB', (file) => {
  expect(sizeOf(file)).toBeLessThanOrEqual(25 * KB)
})

test('the page holds no inline script and names no other origin', () => {
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/)
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
})
