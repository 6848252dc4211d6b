import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'

let data: string

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  await type('users create --email a@b.c --plan free')
  return () => rmSync(data, { recursive: true, force: true })
})

async function type(line: string) {
  const written = { out: [] as string[], err: [] as string[] }
  const out = (text: string) => written.out.push(text)
  const err = (text: string) => written.err.push(text)
  const code = await main(line.split(' '), { out, err, env: { GAMMAWALL_DATA: data } })
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

test('a bundle is granted, listed and revoked', async () => {
  const granted = await type('bundles grant A@b.c --blocks 2 --until 2027-01-31')
  expect(granted).toEqual({
    code: 0,
    out: 'a@b.c may stream: 1,000 subscriptions until 2027-02-01T00:00:00.000Z',
    err: ''
  })
  const [row] = JSON.parse((await type('bundles list --json')).out)
  expect(row).toMatchObject({ email: 'a@b.c', blocks: 2, ends_at: '2027-02-01T00:00:00.000Z' })
  expect((await type('bundles list')).out.split('\n')).toHaveLength(2)
  expect((await type('bundles revoke a@b.c')).out).toBe('a@b.c may not stream any more')
  expect(JSON.parse((await type('bundles list --json')).out)).toEqual([])
})

test('without terms a bundle has one block and no end', async () => {
  expect((await type('bundles grant a@b.c')).out).toBe('a@b.c may stream: 500 subscriptions')
  expect(JSON.parse((await type('bundles grant a@b.c --json')).out)).toMatchObject({ blocks: 1, ends_at: null })
})

test.each([
  ['bundles grant nobody@b.c', 'there is no user nobody@b.c'],
  ['bundles grant a@b.c --blocks 0', 'a whole number of blocks from 1 to 1000'],
  ['bundles grant a@b.c --blocks two', '--blocks must be a whole number'],
  ['bundles grant a@b.c --until tomorrow', 'must be a date, yyyy-MM-dd'],
  ['bundles revoke a@b.c', 'a@b.c has no streaming bundle'],
  ['bundles grant', 'bundles grant needs <email or id>']
])('"%s" fails with a sentence', async (line, sentence) => {
  const { code, out, err } = await type(line)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(sentence)
})
