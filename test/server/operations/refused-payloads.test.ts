import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RefusedPayloads } from '../../../src/server/operations/refused-payloads.ts'

let folder: string
const errors: Error[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gammawall-refused-'))
  errors.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = Date.parse('2026-07-29T15:00:00Z')
const of = (k: number, symbol = 'SPY') => ({
  symbol,
  reason: 'malformed',
  at: at + 1000 * k,
  payload: gzipSync(`payload ${k}`)
})

test('the newest 20 refused payloads are kept as they came, named by moment, symbol and reason', async () => {
  const refused = join(folder, 'refused')
  const kept = new RefusedPayloads(refused, (error) => errors.push(error))
  for (let k = 0; k < 25; k++) kept.keep(of(k))
  await kept.written()
  const names = readdirSync(refused).sort()
  expect(names).toHaveLength(20)
  expect([names[0], names.at(-1)]).toEqual([
    '2026-07-29T150005.000Z SPY malformed.json.gz',
    '2026-07-29T150024.000Z SPY malformed.json.gz'
  ])
  expect(String(gunzipSync(readFileSync(join(refused, names[0]))))).toBe('payload 5')
  expect(statSync(join(refused, names[0])).mode & 0o077).toBe(0)
  expect(errors).toEqual([])
})

test('a payload that comes again is kept once, files of the operator stay, and no symbol leaves the folder', async () => {
  const kept = new RefusedPayloads(folder, (error) => errors.push(error))
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  for (let k = 0; k < 5; k++) kept.keep({ ...of(1, '../../etc/^X'), at: at + k })
  await kept.written()
  expect(readdirSync(folder).sort()).toEqual(['2026-07-29T150000.000Z .._.._etc__X malformed.json.gz', 'notes.txt'])
})

test('a disk that takes no file loses the copy and says so', async () => {
  writeFileSync(join(folder, 'refused'), 'a file stands in the way')
  const kept = new RefusedPayloads(join(folder, 'refused'), (error) => errors.push(error))
  kept.keep(of(1))
  kept.keep(of(2))
  await kept.written()
  expect(errors).toHaveLength(2)
})
