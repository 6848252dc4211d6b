import { expect, test } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { judge } from '../../src/gate/gate.ts'
import { settledBy } from '../../src/gate/open-interest.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'

const { signal } = new AbortController()
const days = ['2026-07-16', '2026-07-17', '2026-07-20', '2026-07-21']
const times = ['06:30', '09:29:59', '09:30:01', '09:45', '12:00', '15:59', '16:00', '16:14', '20:00']

test('sound markets raise no doubt: every sixth symbol of the synthetic market over an expiration and a weekend', async () => {
  const source = createSynthetic({ seed: 3 })
  const doubted: unknown[] = []
  let judged = 0
  for (const { symbol } of source.universe.filter((_, at) => at % 6 === 0)) {
    let held: Chain | undefined
    let settledOn: IsoDate | undefined
    for (const now of days.flatMap((day) => times.map((time) => eastern(day, time)))) {
      const chain = (await source.chain(symbol, now, signal))!
      const known = { reading: undefined, now, clockIsTrusted: true, doubt: undefined, waived: undefined }
      for (const before of [held, undefined]) {
        const verdict = judge({ chain, held: before, settledOn, ...known })
        if (verdict.kind !== 'taken') doubted.push([symbol, new Date(now).toISOString(), verdict])
        judged++
      }
      settledOn = settledBy(chain, held, settledOn)
      held = chain
    }
  }
  expect(doubted).toEqual([])
  expect(judged).toBeGreaterThan(2000)
})
