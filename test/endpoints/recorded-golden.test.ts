import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { endpointAt, textOf } from '../support/asking.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { digest, expectAsReviewed, printed } from '../support/golden.ts'
import { recordedMarket } from '../support/markets.ts'

// Volatility answers about one recorded session of a real market, reviewed as a diff. Only figures derived from the
// chain as a whole are kept. Answers that repeat single contracts, node by node or row by row, are kept as a digest of
// each field: the recording is not ours to copy, and it cannot be restored from a mean and a deviation. The session has
// no daily bars and no records, so answers that need those are left to other tests, and the dashboard's realized
// volatility is absent.

const kept = {
  volatility: '/v1/volatility/{symbol}',
  'skew-term': '/v1/volatility/skew-term/{symbol}',
  'expected-move': '/v1/expected-move/{symbol}',
  svi: '/v1/surface/{symbol}/svi'
}
const digested = {
  'adv-volatility': '/v1/adv_volatility/{symbol}',
  liquidity: '/v1/liquidity/{symbol}',
  surface: '/v1/surface/{symbol}'
}

const folder = recordedPayloads()
if (folder === undefined) console.log('skipped: the recorded session of SPY needs ../shared/data beside the project')

describe.skipIf(folder === undefined)('SPY of 2026-07-29', () => {
  const answerOf = async (path: string) => {
    const market = (await recordedMarket('SPY', '2026-07-29'))!
    const { bars: _, ...chainOnly } = market
    const answer = textOf(endpointAt(path), chainOnly)
    return 'text' in answer ? answer.text : 'null'
  }

  test.each(Object.entries(kept))('%s answers as it did when it was last reviewed', async (name, path) => {
    expectAsReviewed(`spy-2026-07-29/${name}`, printed(await answerOf(path)))
  })

  test.each(Object.entries(digested))('%s has the digest it had when it was last reviewed', async (name, path) => {
    expectAsReviewed(`spy-2026-07-29/${name}`, digest(await answerOf(path)))
  })
})

test('every volatility answer that a chain alone can give is among them', () => {
  const alone = endpoints.filter(({ tag, needs }) => tag === 'volatility' && needs.every((need) => need === 'chain'))
  const paths = new Set([...Object.values(kept), ...Object.values(digested)])
  expect(alone.map(({ path }) => path).filter((path) => !paths.has(path))).toEqual([])
})
