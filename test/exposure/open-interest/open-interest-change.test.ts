import { expect, test } from 'vitest'
import {
  changesByStrike,
  mostTalkedAbout,
  openInterestChanges,
  priorOpenInterest
} from '../../../src/exposure/open-interest/open-interest-change.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { CALL, PUT } from '../../../src/market/chain.ts'
import type { Gex, OiDiff } from '../../endpoints/answers.ts'
import { asked } from '../../support/asking.ts'
import { type SeriesSketch, sketched } from '../../support/hand-made.ts'
import { handMade, priced, recordedMarket } from '../../support/markets.ts'

type Held = Readonly<Record<string, number>>
const monthly = '2026-09-18'

/** A series whose contracts hold what `oi` says by side and strike: C100, P95; others are not listed. */
const series = (oi: Held, more: Partial<SeriesSketch> = {}): readonly SeriesSketch[] =>
  Object.entries(oi).map(([name, held]) => ({
    date: monthly,
    strikes: [Number(name.slice(1))],
    rights: [name[0] === 'C' ? CALL : PUT],
    oi: held,
    volume: 5,
    ...more
  }))

const chainOn = (date: string, ...parts: readonly (readonly SeriesSketch[])[]) =>
  priced(sketched({ symbol: 'SPX', date, time: '12:00', spot: 100, series: parts.flat() }))

test('only contracts that both days list and know are differenced', () => {
  const chain = chainOn('2026-09-15', series({ C95: 10, P95: 20, C100: 30, P100: -1, C105: 7, P105: 9 }))
  const prior = chainOn('2026-09-14', series({ C95: 4, P95: 25, P100: 50, C105: -1, P105: 9, C110: 99 }))
  const { callChange, putChange, ranked } = openInterestChanges(chain, prior)
  expect(callChange).toBe(6)
  expect(putChange).toBe(-5)
  expect(ranked.map(({ slot, change }) => [chain.strike[slot], chain.right[slot], change])).toEqual([
    [95, CALL, 6],
    [95, PUT, -5]
  ])
  expect([...priorOpenInterest(chain, prior)]).toEqual([4, 25, -1, 50, -1, 9])
  expect([...changesByStrike(liveScope(chain), prior)]).toEqual([
    [95, { call: 6, put: -5 }],
    [105, { call: undefined, put: 0 }]
  ])
})

test('AM and PM twins of one date and strike are different contracts', () => {
  const am = (oi: Held) => series(oi, { root: 'SPX', settlement: 'am' })
  const pm = (oi: Held) => series(oi, { root: 'SPXW' })
  const chain = chainOn('2026-09-15', am({ C100: 10 }), pm({ C100: 50 }))
  const prior = chainOn('2026-09-14', am({ C100: 9 }), pm({ C100: 30 }))
  expect(openInterestChanges(chain, prior).callChange).toBe(21)
  expect(changesByStrike(liveScope(chain), prior).get(100)).toEqual({ call: 21, put: undefined })
  const onlyPm = chainOn('2026-09-14', pm({ C100: 30 }))
  expect(openInterestChanges(chain, onlyPm).callChange).toBe(20)
})

test('a chain can be held against two other days, one after the other', () => {
  const chain = chainOn('2026-09-15', series({ C100: 10 }))
  const [monday, friday] = [7, 2].map((held) => chainOn('2026-09-14', series({ C100: held })))
  expect(openInterestChanges(chain, monday).callChange).toBe(3)
  expect(openInterestChanges(chain, friday).callChange).toBe(8)
  expect(changesByStrike(liveScope(chain), friday).get(100)?.call).toBe(8)
})

test('changes rank by size, then open interest today, expiry, strike and call before put', () => {
  const later = { date: '2026-10-16' }
  const chain = chainOn(
    '2026-09-15',
    series({ P95: 20, C100: 30, P100: 30, C105: 30, C110: 5 }),
    series({ C90: 30 }, later)
  )
  const prior = chainOn(
    '2026-09-14',
    series({ P95: 30, C100: 20, P100: 40, C105: 20, C110: 90 }),
    series({ C90: 20 }, later)
  )
  const { ranked } = openInterestChanges(chain, prior)
  const names = ranked.map(({ slot }) => `${chain.right[slot] === CALL ? 'C' : 'P'}${chain.strike[slot]}`)
  expect(names).toEqual(['C110', 'C100', 'P100', 'C105', 'C90', 'P95'])
})

test('the narrative breaks ties by volume, then by lower strike', () => {
  const busy = series({ C105: 20 }, { volume: 900 })
  const chain = chainOn('2026-09-15', series({ C95: 20, C100: 90 }), busy)
  const prior = chainOn('2026-09-14', series({ C95: 10, C100: 80, C105: 10 }))
  const changes = mostTalkedAbout(chain, openInterestChanges(chain, prior), 3)
  expect(changes.map(({ slot }) => chain.strike[slot])).toEqual([105, 95, 100])
})

test('contracts that have stopped being live leave the totals', () => {
  const market = handMade('after the close')
  const answer = asked<OiDiff>('/v1/exposure/oi-diff/{symbol}', market, { topN: '100' })!
  expect(answer.top_oi_changes.length).toBeGreaterThan(20)
  expect(answer.top_oi_changes.every(({ expiry }) => expiry > '2026-07-29')).toBe(true)
})

test('changes by strike add up to those of the chain, and are null without a prior day', () => {
  const market = handMade('several expirations on a day of expiry')
  const { strikes } = asked<Gex>('/v1/exposure/gex/{symbol}', market)!
  const { total_call_oi_change, total_put_oi_change } = asked<OiDiff>('/v1/exposure/oi-diff/{symbol}', market)!
  expect(strikes.reduce((sum, row) => sum + (row.call_oi_change ?? 0), 0)).toBe(total_call_oi_change)
  expect(strikes.reduce((sum, row) => sum + (row.put_oi_change ?? 0), 0)).toBe(total_put_oi_change)
  const alone = asked<Gex>('/v1/exposure/gex/{symbol}', handMade('one expiration'))!
  expect(alone.strikes.every((row) => row.call_oi_change === null && row.put_oi_change === null)).toBe(true)
})

test('recorded sessions: the changes are those found by looking every contract up', async () => {
  const market = await recordedMarket('SPY', '2026-07-29', '2026-07-28')
  if (market?.prior === undefined) return
  const before = new Map<string, number>()
  const { chain, prior } = market
  for (const { date, root, start, end } of prior.expirations) {
    for (let i = start; i < end; i++)
      before.set(`${root}${date}${prior.strike[i]}${prior.right[i]}`, prior.openInterest[i])
  }
  const sums = [0, 0]
  for (const { date, root, start, end } of chain.expirations) {
    if (date <= '2026-07-29') continue
    for (let i = start; i < end; i++) {
      const held = before.get(`${root}${date}${chain.strike[i]}${chain.right[i]}`)
      if (held !== undefined && held >= 0 && chain.openInterest[i] >= 0)
        sums[chain.right[i]] += chain.openInterest[i] - held
    }
  }
  const { callChange, putChange } = openInterestChanges(chain, prior)
  expect([callChange, putChange]).toEqual(sums)
  expect(Math.abs(callChange) + Math.abs(putChange)).toBeGreaterThan(0)
})
