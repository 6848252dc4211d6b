import { afterAll, describe, expect, test } from 'vitest'
import { bookOfModel, type ChainModel, chainModels } from '../src/exposure/dealer-models.ts'
import { CALL } from '../src/market/chain.ts'
import { alteredMarket } from './support/altered-markets.ts'
import { endpointAt, type Query, textOf } from './support/asking.ts'
import { claims, type Facts, faultsOfClaims, faultsOfForm, met } from './support/claims.ts'
import type { Market } from './support/markets.ts'
import { normal } from './support/scalar.ts'

// Sentences over a thousand small markets that are altered at random: each claim is derived from the figures of the same
// answer by code that shares nothing with the sentences.

/** Answers with sentences about exposures. All markets are asked for the first group, every fourth one for the second. */
const always = [
  '/v1/exposure/narrative/{symbol}',
  '/v1/exposure/summary/{symbol}',
  '/v1/exposure/vex/{symbol}',
  '/v1/exposure/chex/{symbol}',
  '/v1/exposure/zero-dte/{symbol}',
  '/v1/maxpain/{symbol}',
  '/v1/vrp/{symbol}'
]
const inTurn = [
  '/v1/stock/{symbol}/summary',
  '/v1/quality/{symbol}',
  '/v1/strategies/dealer-regime/{symbol}',
  '/v1/strategies/expiry-positioning/{symbol}',
  '/v1/strategies/zero-dte/{symbol}',
  '/v1/strategies/flow-anomaly/{symbol}',
  '/v1/strategies/skew/{symbol}',
  '/v1/strategies/tail-pricing/{symbol}',
  '/v1/strategies/term-structure/{symbol}',
  '/v1/strategies/vol-carry/{symbol}',
  '/v1/strategies/surface-anomaly/{symbol}',
  '/v1/strategies/yield-enhancement/{symbol}',
  '/v1/volatility/spot-vol-correlation/{symbol}'
]
const CHAINS = 1000

/** Every text of an answer with the name of its field; lists keep the name of their field. */
function textsOf(value: unknown, field = ''): readonly (readonly [field: string, text: string])[] {
  if (typeof value === 'string') return value.includes(' ') && field !== 'source' ? [[field, value]] : []
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, field))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, name))
}

/** Parts of an answer that hold net exposures, the own part of the answer first. */
function factsOf(answer: Facts['answer'], { chain: { spot } }: Market, summary: Facts['answer']): Facts {
  const own = answer.exposures ?? answer.exposure ?? answer.narrative?.data ?? answer
  const whole = summary?.exposures ?? {}
  const netVex = own.net_vex ?? (own.net_vex_per_point === undefined ? whole.net_vex : own.net_vex_per_point)
  return { spot, netGex: own.net_gex ?? whole.net_gex, netVex, netChex: own.net_chex ?? whole.net_chex, answer }
}

/** Checks every sentence of an answer and returns what is wrong, beside their number. */
function checkSentences(market: Market, path: string, query: Query, summary: unknown) {
  const endpoint = endpointAt(path)
  const result = textOf(endpoint, market, query, endpoint.varies)
  if ('code' in result) return { count: 0, faults: [] }
  const answer = JSON.parse(result.text)
  const facts = factsOf(answer, market, summary)
  const texts = textsOf(answer)
  const faults = texts.flatMap(([field, text]) => {
    // Conditions, flags and warnings speak of what may come; notes and the quality of data compare nothing of the market.
    const isCondition = ['avoid_if', 'message', 'note', 'text', 'warnings'].includes(field)
    return [...faultsOfForm(text), ...faultsOfClaims(text, facts, isCondition)]
  })
  return { count: texts.length, faults }
}

test('no sentence over a thousand altered chains states a false inequality, a level on the wrong side or a share above 100 %', () => {
  let sentences = 0
  const wrong: string[] = []
  for (let seed = 1; seed <= CHAINS && wrong.length < 40; seed++) {
    const market = alteredMarket(seed)
    const summary = textOf(endpointAt('/v1/exposure/summary/{symbol}'), market)
    const known = 'text' in summary ? JSON.parse(summary.text) : undefined
    const check = (path: string, query: Query = {}, whole = known) => {
      const { count, faults } = checkSentences(market, path, query, whole)
      sentences += count
      wrong.push(...faults.map((fault) => `chain ${seed} ${path}: ${fault}`))
    }
    for (const path of always) check(path)
    check('/v1/exposure/zero-dte/{symbol}', { expiry: market.chain.expirations.at(-1)!.date })
    const model = (['all_short', 'index_overwriting'] as const)[seed % 2]
    check('/v1/exposure/summary/{symbol}', { dealer_model: model }, undefined)
    check('/v1/exposure/zero-dte/{symbol}', { dealer_model: model }, undefined)
    if (seed % 4 === 0) for (const path of inTurn) check(path)
  }
  expect(wrong).toEqual([])
  expect(sentences).toBeGreaterThan(20 * CHAINS)
})

afterAll(() => {
  // A claim that no sentence makes any more is checked by nothing.
  expect(claims.map(({ name }) => name).filter((name) => (met.get(name) ?? 0) < 5)).toEqual([])
})

/** Delta of what dealers hold under a model, in USD, at another spot, volatility and time, all contracts at their forward. */
function deltaHeld(
  { chain }: Market,
  model: ChainModel,
  move: { spot?: number; points?: number; days?: number }
): number {
  const { position } = bookOfModel(chain, model)
  let sum = 0
  chain.expirations.forEach(({ start, end }, at) => {
    const { forward, discount, t } = chain.carries[at]
    const [rate, yieldRate] = [-Math.log(discount) / t, -Math.log((discount * forward) / chain.spot) / t]
    const spot = chain.spot * (1 + (move.spot ?? 0))
    const left = t - (move.days ?? 0) / 365
    for (let i = start; i < end; i++) {
      if (position[i] === 0 || Number.isNaN(chain.sigma[i]) || left <= 0) continue
      const total = (chain.sigma[i] + (move.points ?? 0) / 100) * Math.sqrt(left)
      const d1 = Math.log((spot * Math.exp((rate - yieldRate) * left)) / chain.strike[i]) / total + total / 2
      const delta = Math.exp(-yieldRate * left) * (chain.right[i] === CALL ? normal(d1) : normal(d1) - 1)
      sum += 100 * chain.spot * delta * position[i]
    }
  })
  return sum
}

describe('one book: what sentences say dealers do is what hedging the book of the model takes', () => {
  test.each(chainModels)('%s', (model) => {
    const checked = { gamma: 0, vanna: 0, charm: 0 }
    for (let seed = 1; seed <= 150; seed++) {
      const market = alteredMarket(seed)
      // Greeks of the last day bend within a day.
      if (market.chain.expirations[0].date < '2026-08-05') continue
      const endpoint = endpointAt('/v1/exposure/summary/{symbol}')
      const result = textOf(endpoint, market, { dealer_model: model }, endpoint.varies)
      if ('code' in result) continue
      const { interpretation } = JSON.parse(result.text)
      const now = deltaHeld(market, model, {})
      const gained = {
        gamma: deltaHeld(market, model, { spot: 1e-4 }) - now,
        vanna: deltaHeld(market, model, { points: 0.01 }) - now,
        charm: deltaHeld(market, model, { days: 0.01 }) - now
      }
      const said = {
        gamma: /dealers (buy|sell) rallies/,
        vanna: /rising volatility makes dealers (buy|sell)/,
        charm: /time makes dealers (buy|sell)/
      }
      for (const name of ['gamma', 'vanna', 'charm'] as const) {
        const [, act] = said[name].exec(interpretation[name]) ?? []
        if (act === undefined || Math.abs(gained[name]) < 1e-4) continue
        checked[name]++
        expect(act, `chain ${seed}, ${name}`).toBe(gained[name] > 0 ? 'sell' : 'buy')
      }
    }
    for (const count of Object.values(checked)) expect(count).toBeGreaterThan(15)
  })
})
