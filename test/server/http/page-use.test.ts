import { beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../../src/accounts/accounts.ts'
import { pageScreens } from '../../../src/api/page-allowance.ts'
import { defaultPlans } from '../../../src/api/plan.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import type { Instant } from '../../../src/market/units.ts'
import { createAccess } from '../../../src/server/http/access.ts'
import { PageUse } from '../../../src/server/http/page-use.ts'

const at = (text: string) => Date.parse(text) as Instant
/** Wednesday 25 November 2026 at noon in New York; the exchanges are closed on the 26th. */
const noon = at('2026-11-25T17:00:00Z')

const plan = defaultPlans.byId('free')
const account = { userId: 'ann', plan, page: plan.page!, uncounted: 'held', grandfathered: false } as Account
const access = createAccess({} as never, defaultPlans)
const endpointNamed = (id: string) => endpoints.find((each) => each.id === id)!

let clock: Instant
let use: PageUse
beforeEach(() => {
  clock = noon
  use = new PageUse({ access, plans: defaultPlans, now: () => clock, wallNow: () => clock })
})

const past = (id: string, params: Record<string, unknown>, moment: string, of = account) =>
  use.pastRefusal(of, endpointNamed(id), params, at(moment))
const SPY = { symbol: 'SPY' }
const lastClose = '2026-11-24T21:00:00Z'

test('every screen names endpoints that there are, and that are answered about the past', () => {
  for (const ids of Object.values(pageScreens))
    for (const id of ids) expect(endpointNamed(id), id).toMatchObject({ replay: true })
})

describe('a page', () => {
  test('reads its screens at past moments, and what every screen needs', () => {
    for (const id of ['exposure.summary', 'bars.current', 'market.session', 'recorded'])
      expect(use.covers(plan.page!, id, true)).toBe(true)
    for (const id of ['exposure.dex', 'optionquote.current', 'flow.options.recent', 'constructor'])
      expect(use.covers(plan.page!, id, true)).toBe(false)
    expect(use.covers(plan.page!, 'account.current', false)).toBe(true)
    expect(use.covers(plan.page!, 'exposure.levels', false)).toBe(false)
  })

  test('gets figures of the last close of any kind of symbol, which live figures are refused with', () => {
    expect(use.refusal(account, endpointNamed('exposure.summary'))).toMatchObject({
      code: 'tier_restricted',
      detail: {
        current_plan: 'Free',
        required_plan: 'Growth',
        page_at: '2026-11-24T16:00:00',
        page_screens: 'overview',
        page_note: 'Free shows the last close: Overview of 10 symbols a day, and 20 sessions back.'
      }
    })
    expect(past('exposure.summary', SPY, lastClose)).toBe(undefined)
    expect(past('exposure.gex', { symbol: 'SPX' }, lastClose)).toBe(undefined)
    expect(past('exposure.summary', SPY, '2026-11-25T15:00:00Z')).toMatchObject({
      detail: { page_at: '2026-11-24T16:00:00' }
    })
  })

  test('moves on once the next close is recorded, early closes too', () => {
    const shown = () => use.refusal(account, endpointNamed('exposure.summary')).detail['page_at']
    clock = at('2026-11-25T21:04:59Z')
    expect(shown()).toBe('2026-11-24T16:00:00')
    clock = at('2026-11-25T21:05:00Z')
    expect(shown()).toBe('2026-11-25T16:00:00')
    clock = at('2026-11-28T12:00:00Z')
    expect(shown()).toBe('2026-11-27T13:00:00')
  })

  test('reaches back the sessions of its allowance, and no further', () => {
    expect(past('exposure.summary', SPY, '2026-10-28T14:00:00Z')).toBe(undefined) // the twentieth session back
    expect(past('exposure.summary', SPY, '2026-10-27T20:00:00Z')).toMatchObject({ detail: { required_plan: 'Alpha' } })
    const bars = (params: object) => past('bars.current', { ...SPY, every: '1d', fields: [], ...params }, lastClose)
    const [within, before] = [at('2026-10-28T13:30:00Z'), at('2025-11-24T14:30:00Z')]
    expect(bars({ from: within, fields: ['net_gex'] })).toBe(undefined)
    expect(bars({ from: before })).toBe(undefined) // days of prices are of every plan
    expect(bars({ from: before, fields: ['net_gex'] })).toMatchObject({ detail: { required_plan: 'Growth' } })
    expect(bars({ from: before, every: '15m' })).toMatchObject({ detail: { required_plan: 'Basic' } })
    expect(past('exposure.matrix', { ...SPY, from: '2026-10-01' }, lastClose)).toMatchObject({
      code: 'tier_restricted'
    })
  })

  test('opens so many symbols a day, again and again, each user apart', () => {
    const open = (symbol: string, of = account) => past('exposure.summary', { symbol }, lastClose, of)
    const names = Array.from({ length: 10 }, (_, k) => `A${String.fromCharCode(65 + k)}`)
    for (const name of [...names, ...names]) expect(open(name)).toBe(undefined)
    expect(open('SPY')).toMatchObject({
      code: 'quota_exceeded',
      detail: {
        current_plan: 'Free',
        symbols: 10,
        limit: 10,
        upgrade_to: 'Basic',
        reset_at: '2026-11-26T00:00:00.000Z'
      },
      retryAfter: 25_200
    })
    expect(open(names[0]!)).toBe(undefined)
    expect(open('SPY', { ...account, userId: 'ben' })).toBe(undefined)
    clock = at('2026-11-26T00:00:00Z')
    expect(open('SPY')).toBe(undefined)
  })
})
