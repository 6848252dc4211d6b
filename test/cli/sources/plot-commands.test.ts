import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { textsOf, xmlFault } from '../../plots/xml.ts'
import { recordedPayloads } from '../../support/cboe-payload.ts'

async function type(line: string) {
  const written = { out: [] as string[], err: [] as string[] }
  const code = await main(line.split(' '), {
    out: (text: string) => written.out.push(text),
    err: (text: string) => written.err.push(text),
    env: {}
  })
  return { code, out: written.out.join('\n'), err: written.err.join('\n') }
}

const moment = '--as-of 2026-07-29T11:00'

test('a smile goes to standard output and says that its market is made up', async () => {
  const { code, out, err } = await type(`plot smile SPY 2026-08-21 ${moment}`)
  expect([code, err, xmlFault(out)]).toEqual([0, '', undefined])
  const texts = textsOf(out)
  expect(texts).toContain('SPY smile, expiration 21 Aug 2026')
  expect(texts.some((text) => text.endsWith('2026-07-29 11:00 New York · source synthetic, made up'))).toBe(true)
})

test('a term structure goes to the file that is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'term.svg')
  expect(await type(`plot term AAPL ${moment} --out ${file}`)).toEqual({ code: 0, out: '', err: `wrote ${file}` })
  const svg = readFileSync(file, 'utf8')
  expect(xmlFault(svg)).toBeUndefined()
  expect(textsOf(svg)).toContain('AAPL at-the-money term structure')
})

test('another seed is another market', async () => {
  const [one, other] = [await type(`plot term AAPL ${moment}`), await type(`plot term AAPL ${moment} --seed 2`)]
  expect(textsOf(other.out)[0]).toBe(textsOf(one.out)[0])
  expect(textsOf(other.out)).not.toEqual(textsOf(one.out))
})

test('a weekly root is drawn from the chain of its index', async () => {
  const { code, out } = await type(`plot term SPXW ${moment}`)
  expect(code).toBe(0)
  expect(textsOf(out)).toContain('SPXW at-the-money term structure')
})

test('recorded chains are drawn as of the session they stand at', async () => {
  const folder = recordedPayloads()
  if (folder === undefined) return console.log('skipped: the recorded chains are not beside the project')
  const { code, out } = await type(`plot smile SPY 2026-08-21 --source cboe --cboe-path ${folder} --as-of 2026-07-29`)
  expect(code).toBe(0)
  expect(textsOf(out).some((text) => text.endsWith('2026-07-29 16:00 New York · source cboe-files'))).toBe(true)
})

test('a date that ended at the close is not among those that are live', async () => {
  const folder = recordedPayloads()
  if (folder === undefined) return console.log('skipped: the recorded chains are not beside the project')
  const { code, err } = await type(`plot smile SPY 2026-07-29 --source cboe --cboe-path ${folder} --as-of 2026-07-29`)
  expect(code).not.toBe(0)
  expect(err).toMatch(
    /^SPY has no live expiration on 2026-07-29: what was listed on it has ended; it lists 2026-07-30, /
  )
})

describe('one sentence says', () => {
  test.each([
    [
      'which expirations are listed',
      `plot smile SPY 2026-08-22 ${moment}`,
      /^SPY has no live expiration on 2026-08-22; it lists 2026-07-29, 2026-07-30, [\d, -]+$/
    ],
    [
      'which symbols are listed',
      `plot term NOBODY ${moment}`,
      /^synthetic knows nothing of NOBODY; it lists (\w+, )+\w+ and \d+ more$/
    ],
    ['that a symbol has no options', `plot term VVIX ${moment}`, /^no options are listed on VVIX$/],
    [
      'how a date is written',
      `plot smile SPY tomorrow ${moment}`,
      /^expiration must be a date yyyy-MM-dd; it is tomorrow$/
    ],
    [
      'what a symbol is',
      `plot term not-a-ticker ${moment}`,
      /^symbol must be a ticker such as SPY; it is not-a-ticker$/
    ],
    ['what is missing', 'plot smile SPY', /^plot smile needs <expiration>$/],
    ['what can be drawn', 'plot', /^plot is an unknown command: use plot smile, plot term, plot gamma$/],
    ['that the live feed has no past', `plot term SPY --source cboe ${moment}`, /^--as-of needs recorded data/],
    [
      'where a picture cannot be written',
      `plot term AAPL ${moment} --out nowhere/term.svg`,
      /^nowhere\/term\.svg cannot be used \(ENOENT\)$/
    ]
  ])('%s', async (_, line, sentence) => {
    const { code, out, err } = await type(line)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(sentence)
  })
})

test('the settings of the market are its settings', async () => {
  const { out } = await type('plot smile --help')
  for (const flag of [
    '--out <file>',
    '--source <names>',
    '--cboe-path <path>',
    '--as-of <moment>',
    '--seed <number>'
  ]) {
    expect(out).toContain(flag)
  }
  expect(out).not.toContain('--port')
})
