import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/endpoints/index.ts'
import { grouped, level, money, percent } from '../src/wording/format.ts'
import type { Narrative, NoZeroDte, ZeroDte } from './endpoints/answers.ts'
import { asked, type Query, textOf } from './support/asking.ts'
import { allMarkets, handMade, type Market } from './support/markets.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = await allMarkets()
})

interface Found {
  readonly numbers: number[]
  readonly texts: string[]
}

/** Every number and every text of an answer, wherever it stands. */
function contentsOf(value: unknown, found: Found = { numbers: [], texts: [] }): Found {
  if (typeof value === 'number') found.numbers.push(value)
  else if (typeof value === 'string') found.texts.push(value)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) contentsOf(item, found)
  return found
}

const quoted = /[+-]?\$?(\d[\d,]*)(\.\d+)?( billion| million|%)?/g
const scales: Readonly<Record<string, readonly [scale: number, slack: number]>> = {
  ' billion': [1e9, 0.005e9],
  ' million': [1e6, 0.05e6],
  '%': [1, 0.005]
}

/** Figures of a sentence that stand nowhere in its answer, at the precision a sentence is written with. */
function strangersIn(text: string, { numbers, texts }: Found): readonly string[] {
  // Dates and symbols are quoted whole.
  const words = texts.filter((other) => other !== text && /^[A-Z0-9.:-]{1,24}$/.test(other) && /\d/.test(other))
  const plain = words.reduce((left, word) => left.replaceAll(word, ''), text)
  return [...plain.matchAll(quoted)]
    .filter(([figure, whole, decimals = '', unit = '']) => {
      const [scale, slack] = scales[unit] ?? [1, figure.includes('$') ? 0.5 : 0.005]
      const size = Number(whole.replaceAll(',', '') + decimals) * scale
      const negative = figure.startsWith('-')
      return !numbers.some(
        (number) => Math.abs(Math.abs(number) - size) <= slack * 1.0001 + 1e-9 * size && (!negative || number <= 0)
      )
    })
    .map(([figure]) => figure)
}

// Texts of flow contain fractions written as percentages; endpoints/flow/analytics.test.ts checks those.
const spoken = endpoints.filter(
  ({ path }) =>
    !path.startsWith('/v1/flow/') &&
    ['vex', 'chex', 'summary', 'narrative', 'zero-dte', 'maxpain'].some((name) => path.includes(`/${name}/`))
)

describe('every figure of a sentence stands in the same answer, and no text is empty', () => {
  test.each(spoken.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (_, endpoint) => {
    let sentences = 0
    for (const market of markets) {
      const last = market.chain.expirations[market.chain.expirations.length - 1].date
      const queries: readonly Query[] = [
        {},
        ...['expiration', 'expiry'].filter((name) => name in endpoint.params).map((name) => ({ [name]: last }))
      ]
      for (const query of queries) {
        const result = textOf(endpoint, market, query)
        if ('code' in result) continue
        const contents = contentsOf(JSON.parse(result.text))
        for (const text of contents.texts) {
          expect(text.trim()).not.toBe('')
          if (!text.includes(' ')) continue
          sentences++
          expect(text).not.toMatch(/undefined|NaN|Infinity|null| {2}/)
          expect(text).toMatch(/[.]$/)
          expect(strangersIn(text, contents), `${market.name}: ${text}`).toEqual([])
        }
      }
    }
    expect(sentences).toBeGreaterThan(30)
  })
})

test('the check finds figures that an answer does not hold', () => {
  const answer = contentsOf({ gex: -1_844_000_000, flip: 751.02, symbol: 'BRK.B', date: '2026-07-30', oi: 12_345 })
  expect(strangersIn('Net gamma of -$1.84 billion, flip at 751.02 on 2026-07-30, 12,345 calls.', answer)).toEqual([])
  expect(strangersIn('Net gamma of $1.84 billion, flip at 751.', answer)).toEqual(['751'])
  expect(strangersIn('Up 3.5% to -751.02, +12,346 calls, -$1.85 billion.', answer)).toEqual([
    '3.5%',
    '-751.02',
    '+12,346',
    '-$1.85 billion'
  ])
})

test('figures are written as a desk writes them', () => {
  expect([1_840_000_000, -320_000_000, 45_210.4, -0.3, 0, -12_345.6].map(money)).toEqual([
    '$1.84 billion',
    '-$320 million',
    '$45,210',
    '$0',
    '$0',
    '-$12,346'
  ])
  expect([751.02, 750, 0.125].map(level)).toEqual(['751.02', '750', '0.13'])
  expect(percent(-99.684)).toBe('-99.68%')
  expect(grouped(1_234_567)).toBe('1,234,567')
})

test('a narrative says that there is nothing to compare with, and that nothing expires today', () => {
  const { narrative } = asked<Narrative>('/v1/exposure/narrative/{symbol}', handMade('one expiration'))!
  expect(narrative.gex_change).toContain('no previous close to compare')
  expect(narrative.zero_dte).toContain('expires today: same-day gamma plays no part')
  expect(narrative.data.vix).toBeNull()
  expect(narrative.outlook).not.toContain('VIX')
})

// Known difference from the contract: its conventions.hedge_reading, and the rules of vex_interpretation,
// chex_interpretation and interpretation, have dealers buy where net vanna or charm is above 0. That contradicts the book of
// gamma, so sentences state the opposite; only codes keep the contract's reading.
test('sentences follow the signs of what they tell', () => {
  for (const market of markets) {
    const answer = asked<Narrative>('/v1/exposure/narrative/{symbol}', market)
    const summary = asked<{ exposures: { net_vex: number; net_chex: number }; interpretation: Record<string, string> }>(
      '/v1/exposure/summary/{symbol}',
      market
    )
    if (answer === undefined || summary === undefined) continue
    const { exposures, interpretation } = summary
    const { narrative } = answer
    // What is unknown is said to be so, and printed as 0 by the contract.
    const word = (text: string, net: number, gained: string, lost: string) => {
      if (net === 0) return text.includes('unknown') ? 'unknown' : 'balanced'
      return net > 0 ? gained : lost
    }
    for (const text of [interpretation.vanna, narrative.vanna]) {
      expect(text).toContain(
        word(text, exposures.net_vex, 'rising volatility makes dealers sell', 'rising volatility makes dealers buy')
      )
    }
    for (const text of [interpretation.charm, narrative.charm]) {
      expect(text).toContain(word(text, exposures.net_chex, 'time makes dealers sell', 'time makes dealers buy'))
    }
    expect(interpretation.gamma).toBe(narrative.regime)
    const regime = {
      positive_gamma: 'Positive gamma',
      negative_gamma: 'Negative gamma',
      undetermined: 'No gamma regime'
    }
    expect(narrative.regime).toContain(regime[narrative.data.regime as keyof typeof regime])
    const { net_gex, net_gex_prior: prior } = narrative.data
    if (!prior) continue
    const verb = net_gex > prior ? 'rose' : net_gex < prior ? 'fell' : 'held'
    const turn = net_gex > 0 ? 'turned positive: ' : 'turned negative: '
    expect(narrative.gex_change).toContain(net_gex * prior < 0 ? turn : verb)
    // No percentage of a figure with the other sign.
    if (net_gex * prior < 0) expect(narrative.gex_change).not.toContain('%')
  }
})

test('a day without expiration names the symbol, the weekday and the next expiration', () => {
  const answer = asked<NoZeroDte>('/v1/exposure/zero-dte/{symbol}', handMade('a Saturday'))!
  expect(answer.message).toBe('TEST has no expiration today (Saturday). The next expiration is 2026-08-05.')
})

test('the last five minutes warn that greeks are unstable, and no other time does', () => {
  const warned = ['last five minutes', 'last five minutes of a half day']
  for (const name of [...warned, 'several expirations on a day of expiry', 'after the close', 'before the open']) {
    const { warnings } = asked<ZeroDte>('/v1/exposure/zero-dte/{symbol}', handMade(name))!
    if (warned.includes(name)) expect(warnings?.[0]).toContain('unstable')
    else expect(warnings).toBeUndefined()
  }
})
