import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const rows = page.split('\n').filter((line) => /^\| API\d/.test(line))
const named = [...page.matchAll(/`(test\/[\w/.-]+\.test\.ts)` "([^"]+)"/g)].map(([, file, title]) => ({ file, title }))

test('the page about security has the ten risks of OWASP 2023, each with a test', () => {
  expect(rows.map((row) => /^\| (API\d+) /.exec(row)?.[1])).toEqual(Array.from({ length: 10 }, (_, k) => `API${k + 1}`))
  expect(rows.filter((row) => !/`test\/[\w/.-]+\.test\.ts` "/.test(row.split('|')[3]))).toEqual([])
})

test.each(named)('$file has the test "$title"', ({ file, title }) => {
  expect(existsSync(join(root, file))).toBe(true)
  const titles = [...readFileSync(join(root, file), 'utf8').matchAll(/(['"`])((?:\\.|(?!\1).)+)\1, (?:async )?[({]/g)]
  expect(titles.map(([, , found]) => found.replaceAll("\\'", "'"))).toContain(title)
})

test('nobody is sent to an address that does not exist', () => {
  expect(readFileSync(join(root, 'SECURITY.md'), 'utf8')).not.toMatch(/\S+@\S+\.\w+|mailto:/)
})
