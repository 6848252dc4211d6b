import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanId } from '../../../src/api/plan.ts'
import { uniform } from '../../../src/math/random.ts'
import { jumbled, ladder, sketched } from '../../support/hand-made.ts'
import { scriptedSource } from '../../support/scripted-source.ts'
import { service } from '../../support/service.ts'

/** Listed dates with their calendar days from Wednesday 2026-07-29 and their kinds, written by hand. */
const listed = [
  { date: '2026-07-29', days: 0, kinds: ['0dte'] },
  { date: '2026-07-30', days: 1, kinds: ['weekly'] },
  { date: '2026-07-31', days: 2, kinds: ['eom'] },
  { date: '2026-08-07', days: 9, kinds: ['weekly'] },
  { date: '2026-08-21', days: 23, kinds: ['monthly'] },
  { date: '2026-08-31', days: 33, kinds: ['eom'] },
  { date: '2026-09-18', days: 51, kinds: ['monthly', 'quarterly'] },
  { date: '2026-12-18', days: 142, kinds: ['monthly', 'quarterly'] },
  { date: '2027-12-17', days: 506, kinds: ['monthly', 'quarterly', 'leaps'] }
]
const unlisted = ['2026-08-05', '2027-01-04']

const source = scriptedSource()
const chain = sketched({
  date: '2026-07-29',
  time: '11:00',
  spot: 100.3,
  series: listed.map(({ date }) => ({
    date,
    strikes: ladder(90, 110, 5),
    oi: (strike, right) => jumbled(strike, right, 900)
  }))
})
source.listing = () => chain
const { ask, keyOn, computed, close } = service({ market: { source }, cacheBytes: 5e7 })
afterAll(close)
beforeEach(() => {
  computed.length = 0
})

const gex = '/v1/exposure/gex/AAPL'
type Words = Readonly<Record<string, string>>
const urlOf = (path: string, query: Words) => `${path}?${new URLSearchParams(query)}`

/** The dates of a filter, found without the code under test. */
function datesOf({ expirations, dte_min = '0', dte_max = '9999', expiry_type }: Words): string {
  const named = expirations?.split(',').map((word) => (word === '0dte' ? '2026-07-29' : word))
  const types = expiry_type?.split(',')
  return listed
    .filter(({ date }) => named?.includes(date) ?? true)
    .filter(({ days }) => days >= Number(dte_min) && days <= Number(dte_max))
    .filter(({ kinds }) => types?.some((type) => kinds.includes(type)) ?? true)
    .map(({ date }) => date)
    .join()
}

const KEY = 40
const types = ['0dte', 'weekly', 'monthly', 'quarterly', 'eom', 'leaps']

/** A random filter: any of the four parameters, their lists in any order and with repetitions. */
function randomFilter(k: number): Words {
  const draw = (j: number) => uniform(KEY, k, j)
  const one = <Item>(items: readonly Item[], j: number) => items[Math.floor(items.length * draw(j))]
  const words = [...listed.map(({ date }) => date), ...unlisted, '0dte']
  const list = (items: readonly string[], most: number, j: number) =>
    Array.from({ length: 1 + Math.floor(most * draw(j)) }, (_, m) => one(items, j + 1 + m)).join()
  const query: Record<string, string> = {}
  if (draw(0) < 0.5) query['expirations'] = list(words, 4, 10)
  if (draw(1) < 0.4) query['dte_min'] = `${Math.floor(30 * draw(2))}`
  if (draw(3) < 0.4) query['dte_max'] = `${30 + Math.floor(600 * draw(4))}`
  if (draw(5) < 0.5 || Object.keys(query).length === 0) query['expiry_type'] = list(types, 3, 20)
  return query
}

describe('sets of expirations that mean the same', () => {
  test('share one answer: 1,000 random filters are computed once for each distinct set of dates', async () => {
    const key = keyOn('alpha')
    const bodies = new Map<string, string>()
    for (let k = 0; k < 1000; k++) {
      const query = randomFilter(k)
      const dates = datesOf(query)
      const { statusCode, body } = await ask(urlOf(gex, query), key)
      expect(statusCode, JSON.stringify(query)).toBe(dates === '' ? 404 : 200)
      if (dates === '') continue
      expect(body).toBe(bodies.get(dates) ?? body)
      bodies.set(dates, body)
      expect(JSON.parse(body).scope).toMatchObject({ expiration: null, filter: dates, expirations: dates.split(',') })
    }
    const answered = computed.filter((id) => id === 'exposure.gex').length
    const refused =
      1000 - Array.from({ length: 1000 }, (_, k) => datesOf(randomFilter(k))).filter((dates) => dates !== '').length
    expect(bodies.size).toBeGreaterThan(40)
    expect(answered - refused).toBe(bodies.size)
  })

  test.each([
    { expirations: '2026-07-30,2026-07-29' },
    { expirations: '0dte,2026-07-30,0dte' },
    { expirations: '0dte, 2026-07-30,2026-08-05' },
    { dte_max: '1' },
    { dte_max: '8', expiry_type: 'weekly,0DTE' },
    { expirations: '2026-07-29,2026-07-30,2026-08-21', dte_max: '9' }
  ])('%j is today and tomorrow', async (query) => {
    const key = keyOn('alpha')
    const first = await ask(urlOf(gex, { expirations: '2026-07-29,2026-07-30' }), key)
    computed.length = 0
    const answer = await ask(urlOf(gex, query), key)
    expect(answer.body).toBe(first.body)
    expect(answer.headers['etag']).toBe(first.headers['etag'])
    expect(computed).toEqual([])
  })
})

describe('plans', () => {
  /** Filters, whether they may hold today, and whether they are one date. */
  const filters: readonly (readonly [query: Words, today: boolean, one: boolean])[] = [
    [{ expirations: '0dte' }, true, true],
    [{ expirations: '2026-08-21' }, false, true],
    [{ expirations: '2026-08-21,2026-09-18' }, false, false],
    [{ expirations: '2026-08-21,0dte' }, true, false],
    [{ expirations: '0dte,2026-08-21', dte_min: '1' }, false, true],
    [{ dte_max: '0' }, true, true],
    [{ dte_max: '7' }, true, false],
    [{ dte_min: '1' }, false, false],
    [{ dte_min: '23', dte_max: '23' }, false, false],
    [{ expiry_type: '0dte' }, true, true],
    [{ expiry_type: 'monthly' }, false, false],
    [{ expiry_type: 'monthly,0dte' }, true, false]
  ]
  const plans: readonly PlanId[] = ['free', 'basic', 'growth']
  const keys = new Map(plans.map((plan) => [plan, plan]))

  /** Whether a plan may ask: what today and the whole chain need, Growth alone has. */
  const routes: Readonly<Record<string, (plan: PlanId, today: boolean, one: boolean) => boolean>> = {
    [gex]: (plan, today, one) => plan === 'growth' || (!today && one),
    '/v1/exposure/profile/AAPL': (plan, today, one) => plan === 'growth' || (plan === 'basic' && !today && one),
    '/v1/exposure/dex/AAPL': (plan, today) => plan === 'growth' || (plan === 'basic' && !today),
    '/v1/exposure/levels/AAPL': (plan, today) => plan === 'growth' || !today,
    '/v1/maxpain/AAPL': (plan) => plan !== 'free',
    '/v1/exposure/summary/AAPL': (plan) => plan === 'growth',
    '/v1/exposure/matrix/AAPL': (plan) => plan === 'growth'
  }

  test.each(
    Object.keys(routes).flatMap((path) => [...keys.keys()].map((plan) => [path, plan] as const))
  )('%s on %s answers or refuses each filter, and never less than was asked', async (path, plan) => {
    for (const [query, today, one] of filters) {
      const { statusCode, body } = await ask(urlOf(path, query), keyOn(plan))
      const isOpen = routes[path](plan, today, one)
      expect(statusCode, JSON.stringify(query)).toBe(isOpen ? 200 : 403)
      if (isOpen) expect(JSON.parse(body).scope.filter).toBe(datesOf(query))
    }
  })

  test('the gates come before the data: an unlisted set is refused as one that is listed', async () => {
    const query = { expirations: unlisted.join() }
    expect((await ask(urlOf(gex, query), keyOn('free'))).statusCode).toBe(403)
    const refused = await ask(urlOf(gex, query), keyOn('growth'))
    expect(refused.statusCode).toBe(404)
    expect(refused.json().message).toContain('AAPL lists no expiration of this set; it lists 2026-07-29')
  })
})

describe('requests of before', () => {
  test('are not taken for typing errors of the new names', async () => {
    const key = keyOn('alpha')
    const plain = await ask('/v1/exposure/summary/AAPL', key)
    for (const name of ['expiration', 'expiry']) {
      const answer = await ask(`/v1/exposure/summary/AAPL?${name}=2026-08-21`, key)
      expect(answer.body).toBe(plain.body)
    }
    expect((await ask('/v1/exposure/summary/AAPL?expiratons=2026-08-21', key)).json().message).toContain('expirations')
  })

  test('keep the columns of their tables', async () => {
    const key = keyOn('alpha')
    const columnsOf = async (url: string) => (await ask(url, key)).body.split('\r\n')[0].split('\n')[0].split(',')
    for (const url of [`${gex}?rows=flat&format=csv`, '/v1/exposure/summary/AAPL?format=csv']) {
      const columns = await columnsOf(url)
      expect(columns.length).toBeGreaterThan(3)
      expect(columns.filter((name) => /filter|weight/.test(name))).toEqual([])
    }
    expect(await columnsOf('/v1/exposure/summary/AAPL?format=csv')).not.toContain('scope.contracts')
  })
})
