import { expect, test } from 'vitest'
import type { Account } from '../../../src/accounts/accounts.ts'
import type { DataRequest } from '../../../src/api/market-source.ts'
import { momentText, perRequestHeaders, perRequestHeaderText } from '../../../src/server/answers/per-request-headers.ts'
import type { FoundAnswer } from '../../../src/server/answers/send.ts'
import { headerText } from '../../../src/server/answers/single-write-response.ts'
import type { Exchange } from '../../../src/server/http/exchange.ts'

const asOf = Date.parse('2026-07-29T15:00:00Z')
const exchange = { id: 'abc-1', secure: false, headers: {}, account: undefined } as unknown as Exchange
const account = (dailyLimit: number | undefined) => ({ plan: { dailyLimit } }) as unknown as Account
const asking = (age: number, isStale: boolean) =>
  ({
    source: {
      now: () => asOf + age,
      clock: (step: number) => step * Math.floor((asOf + age) / step),
      isStale: () => isStale
    }
  }) as unknown as DataRequest
const found = (age: number, isStale: boolean, more: object = {}) =>
  ({
    served: { chains: [{ symbol: 'SPY', asOf }] },
    asking: asking(age, isStale),
    quality: { symbol: 'SPY', asOf, delay: 0, pace: 1000, deducted: 7 },
    momentHeaders: [],
    ...more
  }) as unknown as FoundAnswer
const quota = { resetsAt: () => Date.parse('2026-07-30T00:00:00Z') } as never

const exchanges = {
  'without a key': exchange,
  'of a plan with a limit': { ...exchange, account: account(100) },
  'of a plan without a limit': { ...exchange, account: account(undefined) },
  'by TLS from a page': { ...exchange, secure: true, headers: { origin: 'https://a.example' }, account: account(5) }
}
const answers = {
  'of fresh figures': found(1234, false),
  'of stale figures': found(200_000, true),
  'from the future': found(-1000, false),
  'of no chain': found(0, false, { served: { chains: [] } }),
  'of another chain than was rated': found(0, false, { quality: { symbol: 'SPX', asOf, deducted: 0 } }),
  'of a named moment': found(0, false, { quality: undefined, momentHeaders: ['x-ignored-parameters', 'a, b'] })
}

for (const [from, sent] of Object.entries(exchanges)) {
  test.each(Object.keys(answers))(`the headers of a request ${from} are the same as text and as a list: %s`, (what) => {
    const answer = answers[what as keyof typeof answers]
    for (const corsOrigin of ['*', ['https://a.example'], []] as const) {
      const options = { quota, wallNow: () => asOf, corsOrigin }
      const list = perRequestHeaders(sent, 3, answer, options)
      expect(list.slice(0, 2)).toEqual(['x-request-id', 'abc-1'])
      expect(perRequestHeaderText(sent, 3, answer, options)).toBe(headerText(list))
      const shared = { ...answer, momentText: momentText(answer) }
      expect(perRequestHeaderText(sent, 3, shared, options)).toBe(headerText(list))
    }
  })
}
