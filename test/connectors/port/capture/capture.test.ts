import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { captureInto } from '../../../../src/connectors/port/capture/capture.ts'
import { capturePlace, endOfCapture } from '../../../../src/connectors/port/capture/capture-place.ts'
import { canMount, smallDisk } from '../../../support/small-disk.ts'

const secret = 'sk-4711'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return join(made, 'case')
}

test('frames are kept in their order with when they came, bytes too, and no secret', () => {
  const into = folder()
  const { onFrame } = captureInto(capturePlace(into, [secret]), 'desk')
  const bytes = Buffer.concat([Buffer.from([0, 255, 128]), Buffer.from(secret)])
  onFrame('[{"ev":"T"}]')
  onFrame(`{"action":"auth","params":"${secret}"}`)
  onFrame(bytes)
  const [file, ...others] = readdirSync(into)
  expect([file, others]).toEqual([expect.stringMatching(/^desk-\d+-frames\.ndjson$/), []])
  const lines = readFileSync(join(into, file), 'utf8').trimEnd().split('\n')
  const frames = lines.map((line) => JSON.parse(line))
  expect(frames[0]).toEqual({ at: expect.stringMatching(/^\d{4}-.*Z$/), text: '[{"ev":"T"}]' })
  expect(frames[1].text).toBe('{"action":"auth","params":"***"}')
  expect(Buffer.from(frames[2].base64, 'base64')).toEqual(Buffer.concat([bytes.subarray(0, 3), Buffer.from('***')]))
})

test("what is kept is its owner's alone", () => {
  const into = folder()
  const { onAnswer, onFrame } = captureInto(capturePlace(into, [secret]), 'desk')
  onFrame('[]')
  onAnswer({ status: 200, headers: new Headers(), bytes: Buffer.from('{}'), address: 'https://desk.test/a' })
  const modes = readdirSync(into).map((file) => statSync(join(into, file)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
  expect(statSync(into).mode & 0o777).toBe(0o700)
})

test('a secret is masked in an address as the address writes it', () => {
  const into = folder()
  const odd = 'k+4/7=1 (x)'
  const { onAnswer } = captureInto(capturePlace(into, [odd]), 'desk')
  const answer = { status: 200, headers: new Headers(), bytes: Buffer.from('{}') }
  onAnswer({ ...answer, address: `https://desk.test/a?${new URLSearchParams({ key: odd, x: '1' })}` })
  onAnswer({ ...answer, address: `https://desk.test/${encodeURIComponent(odd)}/a` })
  const lines = readFileSync(join(into, 'answers.ndjson'), 'utf8').trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line))
  expect(entries.map(({ address }) => address)).toEqual(['https://desk.test/a?key=***&x=1', 'https://desk.test/***/a'])
  for (const { file } of entries) expect(file).not.toContain('4-7')
})

test('an answer is kept as it came where it holds no secret', () => {
  const into = folder()
  const { onAnswer } = captureInto(capturePlace(into, []), 'desk')
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, k) => k))
  onAnswer({ address: 'https://desk.test/a/b?x=1', status: 200, headers: new Headers({ etag: '"1"' }), bytes })
  const entry = JSON.parse(readFileSync(join(into, 'answers.ndjson'), 'utf8'))
  expect(entry).toMatchObject({ status: 200, address: 'https://desk.test/a/b?x=1', headers: { etag: '"1"' } })
  expect(readFileSync(join(into, entry.file))).toEqual(bytes)
})

test('a secret is masked as JSON writes it, and as an address does in small letters', () => {
  const into = folder()
  const odd = 'k/4"7\\=1'
  const { onAnswer, onFrame } = captureInto(capturePlace(into, [odd]), 'desk')
  const answer = { status: 200, headers: new Headers({ 'content-type': `a/b; ${odd}` }) }
  const small = encodeURIComponent(odd).replace(/%../g, (code) => code.toLowerCase())
  const bytes = Buffer.from(`${JSON.stringify({ key: odd })}{"key":"k\\/4\\"7\\\\=1"}`)
  onAnswer({ ...answer, address: `https://desk.test/a?key=${small}`, bytes })
  onFrame(JSON.stringify({ key: odd }))
  const kept = readdirSync(into).map((file) => `${file} ${readFileSync(join(into, file), 'utf8')}`)
  expect(kept).toHaveLength(3)
  for (const text of kept) {
    expect(text).toContain('***')
    expect(text).not.toMatch(/k(\\?\/|%2f|-)4/i)
  }
})

test('an address that is not encoded as it should be is kept', () => {
  const into = folder()
  const { onAnswer } = captureInto(capturePlace(into, [secret]), 'desk')
  onAnswer({ address: 'https://desk.test/a?x=%zz', status: 200, headers: new Headers(), bytes: Buffer.from('{}') })
  expect(JSON.parse(readFileSync(join(into, 'answers.ndjson'), 'utf8')).file).toMatch(/a-x-zz$/)
})

/** A folder that nobody can write, not even root, because a file has its name. */
function withoutFolder(): string {
  const into = folder()
  writeFileSync(into, '')
  return into
}

test('a folder that cannot be made is told before anything is asked', () => {
  const into = withoutFolder()
  expect(() => captureInto(capturePlace(into, []), 'desk')).toThrow(
    `raw answers cannot be kept in ${into}: it cannot be written (EEXIST); choose another folder with --capture`
  )
})

test('a folder that cannot be written any more ends the capture of all sources for one reason, and nothing else', () => {
  const into = folder()
  const place = capturePlace(into, [])
  const [desk, other] = ['desk', 'other'].map((name) => captureInto(place, name))
  const answer = { address: 'https://desk.test/a', status: 200, headers: new Headers(), bytes: Buffer.from('{}') }
  desk.onAnswer(answer)
  expect(endOfCapture(place)).toBeUndefined()
  rmSync(into, { recursive: true })
  writeFileSync(into, '')
  desk.onAnswer(answer)
  const sentence = `raw answers are no longer kept in ${into}: it cannot be written (ENOTDIR)`
  expect(endOfCapture(place)).toBe(sentence)
  rmSync(into)
  mkdirSync(into)
  desk.onAnswer(answer)
  other.onAnswer(answer)
  other.onFrame('x')
  expect([readdirSync(into), endOfCapture(place)]).toEqual([[], sentence])
})

test.runIf(canMount)('a disk that is full ends the capture, and leaves no part of an answer', () => {
  const disk = smallDisk(1)!
  onTestFinished(() => disk.remove())
  const place = capturePlace(join(disk.folder, 'case'), [])
  const { onAnswer, onFrame } = captureInto(place, 'desk')
  const answer = { address: 'https://desk.test/a', status: 200, headers: new Headers() }
  onAnswer({ ...answer, bytes: Buffer.from('whole') })
  onAnswer({ ...answer, bytes: Buffer.alloc(2 ** 20) })
  expect(endOfCapture(place)).toBe(`raw answers are no longer kept in ${place.folder}: the disk is full`)
  onFrame('x')
  const entries = readFileSync(join(place.folder, 'answers.ndjson'), 'utf8').trimEnd().split('\n')
  const files = entries.map((line) => JSON.parse(line).file)
  expect(readdirSync(place.folder).sort()).toEqual(['answers.ndjson', ...files])
  expect(files).toHaveLength(1)
})
