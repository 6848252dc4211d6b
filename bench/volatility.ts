import { existsSync } from 'node:fs'
import { type AnswerTask, answer } from '../src/api/answer.ts'
import { createCboeFiles } from '../src/connectors/cboe/cboe-files.ts'
import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { parseEasternDateTime } from '../src/market/eastern.ts'
import type { Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { type Figure, medianMilliseconds, report } from './support/figure.ts'

// Volatility answers of the largest chain, as JSON text, from a priced chain nothing is remembered about: the fits are
// part of the figure. Slower ones hold back every symbol behind them in the queue of a worker.
const recordings = '../shared/data/cboe/json'
const patience = () => AbortSignal.timeout(30_000)
const spx = 'SPX' as Ticker
const vix = 'VIX' as Ticker
const once = { runs: 3, warmUp: 1 }
const noon = parseEasternDateTime('2026-07-29T12:00:00')!

export async function run(): Promise<readonly Figure[]> {
  if (!existsSync(recordings)) console.log('no recorded chains beside the project: synthetic ones stand in')
  const synthetic = createSynthetic({ seed: 1 })
  const source = existsSync(recordings)
    ? await createCboeFiles({ path: recordings, asOf: parseEasternDateTime('2026-07-31T16:00:00') })
    : synthetic
  const chain = priceChain((await source.chain(spx, noon, patience()))!, defaultAssumptions, fittedSmile)
  const bars = (await synthetic.dailyBars(spx, noon, patience())).slice(-1001)
  const answering = (id: string, params = {}) => {
    const endpoint = endpoints.find((declared) => declared.id === id)!
    return medianMilliseconds(() => {
      const question: AnswerTask = {
        params: { symbol: spx, ...params },
        inputs: { chain: { ...chain }, bars },
        body: undefined,
        caller: []
      }
      answer(endpoint, question)
    })
  }
  const name = (what: string) => `SPX, ${chain.size} contracts: ${what}`
  return [
    { name: name('advanced volatility'), value: answering('adv_volatility.current'), unit: 'ms', atMost: 15 },
    { name: name('volatility dashboard'), value: answering('volatility.current'), unit: 'ms' },
    { name: name('liquidity'), value: answering('liquidity.current'), unit: 'ms' },
    {
      name: 'every bar of the synthetic VIX since 2017, nothing remembered',
      value: medianMilliseconds(() => void createSynthetic({ seed: 1 }).dailyBars(vix, noon, patience()), once),
      unit: 'ms',
      atMost: 1000
    },
    { name: 'forecast from 1,000 returns', value: answering('volatility.forecast', { dist: 'student_t' }), unit: 'ms' }
  ]
}

await report(import.meta.url, run)
