import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { QUALITY_FLOOR } from '../../src/facts/quality-floor.ts'
import type { Chain } from '../../src/market/chain.ts'
import { distrustAt } from '../../src/quality/chain-assessment.ts'
import { chainQuality } from '../../src/quality/chain-quality.ts'
import { withoutInterest, withSpot, withUnknownInterest } from '../support/altered-chains.ts'
import { textOf } from '../support/asking.ts'
import { type Market, priced, syntheticMarket } from '../support/markets.ts'

const sound = await syntheticMarket('AAPL', '2026-06-12', '12:00')

/** A market whose chain is altered, with what its quality says of it. */
function altered(change: (chain: Chain) => Chain, floor = QUALITY_FLOOR): Market {
  const chain = priced(change(sound.chain))
  const { symbol, asOf, delay } = chain
  const { deducted, costliest } = chainQuality(chain, sound.prior)
  const distrust = distrustAt({ symbol, asOf, delay, pace: 1000, floor, deducted, costliest }, asOf)
  return { ...sound, chain, ...(distrust && { distrust }) }
}

const halved = altered((chain) => withSpot(chain, 0.5))
const said = /^The data contradict themselves \(check spot\): Spot lies [\d.]+% outside .* below the floor of 40\.$/

const answerOf = (id: string, market: Market) => {
  const result = textOf(endpoints.find((endpoint) => endpoint.id === id)!, market)
  return 'code' in result ? result.code : JSON.parse(result.text)
}

const signals = endpoints.filter(({ id }) => id.startsWith('strategies.')).map(({ id }) => id)

test('there are ten signals', () => expect(signals).toHaveLength(10))

describe.each(signals)('%s', (id) => {
  test('concludes nothing from a chain that contradicts itself, and names the check', () => {
    const { decision, score, confidence, why, best_structures, risk_flags, data_quality, metrics } = answerOf(
      id,
      halved
    )
    expect([decision, score, confidence]).toEqual(['insufficient_data', 0, 0])
    expect([best_structures, risk_flags]).toEqual([[], []])
    expect(why).toEqual([expect.stringMatching(said)])
    expect(data_quality.score).toBeLessThan(20)
    expect(metrics.underlying_price).toBeCloseTo(halved.chain.spot, 2)
  })

  test('says of a sound chain what it says without a floor', () => {
    expect(altered((chain) => chain, 90).distrust).toBeUndefined()
    expect(
      answerOf(
        id,
        altered((chain) => chain)
      ).data_quality.score
    ).toBeGreaterThan(40)
  })
})

test('every sentence of a narrative and an interpretation says it, and figures stay', () => {
  const { narrative } = answerOf('exposure.narrative', halved)
  const { data, ...sentences } = narrative
  expect(Object.keys(sentences)).toHaveLength(8)
  for (const sentence of Object.values(sentences)) expect(sentence).toMatch(said)
  expect(data).toEqual(answerOf('exposure.narrative', { ...halved, distrust: undefined as never }).narrative.data)
  for (const sentence of Object.values(answerOf('exposure.summary', halved).interpretation)) {
    expect(sentence).toMatch(said)
  }
  expect(answerOf('exposure.vex', halved).vex_interpretation).toMatch(said)
  expect(answerOf('exposure.chex', halved).chex_interpretation).toMatch(said)
  expect(answerOf('maxpain.current', halved).dealer_alignment.description).toMatch(said)
})

test('same-day analytics say it, and their score of the data is no better than the chain', () => {
  const { reading, greeks_note, ...rest } = answerOf('exposure.zero_dte', halved)
  expect(greeks_note).toEqual(answerOf('exposure.zero_dte', sound).greeks_note)
  expect(reading).toEqual(answerOf('exposure.zero_dte', sound).reading)
  const found = JSON.stringify(rest)
  const sentences = [...found.matchAll(/"((?:[^"\\]|\\.)* (?:[^"\\]|\\.)*)"/g)].map(([, text]) => text)
  expect(sentences.length).toBeGreaterThan(3)
  for (const sentence of sentences) expect(sentence).toMatch(said)
  expect(answerOf('exposure.zero_dte', halved).metadata.data_quality_score).toBeLessThan(20)
})

test('a pin and a cheap execution are no surer than the data', () => {
  const scoresOf = (market: Market) => {
    const { pin_risk, liquidity } = answerOf('exposure.zero_dte', market)
    return [answerOf('maxpain.current', market).pin_probability, pin_risk.pin_score, liquidity.execution_score]
  }
  for (const score of scoresOf(sound)) expect(score).toBeGreaterThan(3)
  expect(scoresOf({ ...sound, distrust: { ...halved.distrust!, score: 3 } })).toEqual([3, 3, 3])
})

/** Sentences of an answer, by what its schema declares. */
function sentencesOf(schema: TSchema, value: unknown): readonly string[] {
  const { anyOf, items, properties } = schema as Readonly<Record<string, never>>
  if (anyOf !== undefined) return (anyOf as readonly TSchema[]).flatMap((one) => sentencesOf(one, value))
  if (typeof value === 'string') return (schema as { 'x-text'?: string })['x-text'] === 'sentence' ? [value] : []
  if (Array.isArray(value)) return items === undefined ? [] : value.flatMap((item) => sentencesOf(items, item))
  return Object.entries((properties ?? {}) as Readonly<Record<string, TSchema>>).flatMap(([name, inner]) =>
    sentencesOf(inner, (value as Readonly<Record<string, unknown>> | null)?.[name])
  )
}

const concluding = endpoints.filter(({ id, needs }) => needs.includes('distrust') && id !== 'exposure.bands')

test.each(concluding.map(({ id }) => id))('each sentence that %s declares says it, and no note or name does', (id) => {
  const { response } = endpoints.find((endpoint) => endpoint.id === id)!
  const found = answerOf(id, halved)
  const sentences = sentencesOf(response, found)
  for (const sentence of sentences) expect(sentence).toMatch(said)
  const plain = answerOf(id, sound)
  if (typeof found === 'string') return expect(found).toBe(plain)
  const texts = [...JSON.stringify(found).matchAll(/"The data contradict themselves/g)]
  expect(texts).toHaveLength(sentences.length)
})

test('bands are refused with the reason', () => {
  const bands = endpoints.find(({ id }) => id === 'exposure.bands')!
  expect(textOf(bands, halved)).toEqual({ code: 'insufficient_data' })
  expect(textOf(bands, sound)).toHaveProperty('text')
})

test('scores of selling volatility are withheld', () => {
  const { net_harvest_score, strategy_scores, dealer_flow_risk } = answerOf('vrp.current', halved)
  expect([net_harvest_score, strategy_scores, dealer_flow_risk]).toEqual([null, null, null])
})

test.each([
  ['no open interest', withoutInterest, /^The data contradict themselves \(check open_interest\)/],
  ['unknown open interest', withUnknownInterest, /^The data cannot be shown to fit together \(check open_interest\)/]
])('a chain with %s is below the floor', (_, change, sentence) => {
  expect(answerOf('strategies.skew', altered(change)).why).toEqual([expect.stringMatching(sentence)])
})

test('the floor is a setting: none leaves every signal to itself', () => {
  expect(altered((chain) => withSpot(chain, 0.5), 0).distrust).toBeUndefined()
  expect(altered((chain) => withoutInterest(chain), 0).distrust).toBeUndefined()
})
