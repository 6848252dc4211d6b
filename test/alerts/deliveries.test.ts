import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Firing, Firings } from '../../src/accounts/alerts/firings.ts'
import { AlertRules } from '../../src/accounts/alerts/rules.ts'
import { Webhooks } from '../../src/accounts/alerts/webhooks.ts'
import { Deliveries } from '../../src/alerts/deliveries.ts'
import { freshMemory } from '../../src/alerts/evaluate.ts'
import { pushSender } from '../../src/alerts/push/push-sender.ts'
import type { Posted } from '../../src/alerts/webhook/post.ts'
import { newSecret } from '../../src/alerts/webhook/signature.ts'
import { TimerQueue } from '../../src/stream/delivery/timer-queue.ts'
import { temporaryAccounts } from '../accounts/temporary-accounts.ts'
import { settle } from '../stream/scripted-server.ts'

const SECOND = 1000
const TIMEOUT = 10 * SECOND
const accepted: Posted = { delivered: true, status: 200, failure: undefined }
const silent: Posted = { delivered: false, status: undefined, failure: 'no answer within 10 s' }

/** What a receiver answers to its `count`th message and after how many milliseconds. */
type Receiver = (count: number) => { readonly after: number; readonly posted: Posted }
const hanging: Receiver = () => ({ after: TIMEOUT, posted: silent })
const answering: Receiver = () => ({ after: 50, posted: accepted })

/**
 * Deliveries to receivers by address, on two clocks that stand still unless the test moves them: the wall clock, and a
 * steady one that began five seconds ago.
 */
async function deliveries() {
  const { accounts, database, clock } = await temporaryAccounts()
  const [rules, firings, webhooks] = [
    new AlertRules(database),
    new Firings(database),
    new Webhooks(database, clock.now)
  ]
  let wallOff = clock.at - 5 * SECOND
  const timers = new TimerQueue(
    () => clock.at - wallOff,
    () => {}
  )
  const setWallBack = (milliseconds: number) => {
    clock.at -= milliseconds
    wallOff -= milliseconds
  }
  const stamps: number[] = []
  const receivers = new Map<string, Receiver>()
  const counts = new Map<string, number>()
  const open = new Map<string, number>()
  const delays = new Map<string, number[]>()
  const errors: unknown[] = []
  let mostOpen = 0
  const sender = new Deliveries({
    firings,
    webhooks,
    timers,
    wallNow: clock.now,
    push: pushSender(database),
    random: () => 0.5,
    onAttempt: () => {},
    onError: (error) => errors.push(error),
    post: ({ url, headers, body }) => {
      stamps.push(Number(headers['webhook-timestamp']) - Math.floor(clock.at / 1000))
      const count = counts.get(url) ?? 0
      counts.set(url, count + 1)
      open.set(url, (open.get(url) ?? 0) + 1)
      mostOpen = Math.max(mostOpen, open.get(url)!)
      const { after, posted } = receivers.get(url)!(count)
      if (posted.delivered)
        delays.set(url, [...(delays.get(url) ?? []), clock.at + after - JSON.parse(String(body)).at])
      return new Promise((resolve) =>
        timers.after(after, () => {
          open.set(url, open.get(url)! - 1)
          resolve(posted)
        })
      )
    }
  })
  const pass = async (milliseconds: number) => {
    await settle()
    const end = timers.now() + milliseconds
    while (timers.now() < end) {
      clock.at = wallOff + Math.min(end, Math.max(timers.now() + 1, timers.next ?? end))
      timers.run()
      await settle()
    }
  }
  let users = 0
  /** A new user with a rule for each receiver; `fire` lets one of them fire. */
  const user = async (all: Readonly<Record<string, Receiver>>) => {
    const { id: userId } = await accounts.users.create({ email: `${users++}@example.com`, plan: 'free' }, 'test')
    const ruleOf = new Map<string, { readonly alertId: string; readonly webhookId: string }>()
    for (const [url, receiver] of Object.entries(all)) {
      receivers.set(url, receiver)
      const alertId = randomUUID()
      const webhookId = await database.batch(async (tx) => {
        const { id } = await webhooks.add(userId, url, newSecret(), tx)
        await rules.add(
          {
            id: alertId,
            userId,
            symbol: 'SPY',
            metric: 'exposure.gex.net_gex',
            params: {},
            condition: 'above',
            value: 1,
            repeat: 'each_time',
            note: undefined,
            webhookId: id,
            state: 'armed',
            pausedBecause: undefined,
            createdAt: clock.at,
            memory: freshMemory(undefined),
            lastValue: undefined,
            lastValueAt: undefined,
            lastFiredAt: undefined,
            firedCount: 0,
            version: 0
          },
          tx
        )
        return id
      })
      ruleOf.set(url, { alertId, webhookId })
    }
    return async (url: string) => {
      const queued = { delivery: 'waiting', attempts: 0, attemptedAt: undefined, failure: undefined } as const
      const body = JSON.stringify({ at: clock.at })
      const ids = { id: randomUUID(), userId, ...ruleOf.get(url)! }
      const firing: Firing = { ...ids, at: clock.at, body, nextAttemptAt: clock.at, ...queued }
      await database.batch((tx) => firings.add(firing, tx))
      sender.wake()
    }
  }
  const longestDelay = (url: string) => Math.max(...(delays.get(url) ?? [Number.POSITIVE_INFINITY]))
  return { user, pass, setWallBack, counts, delays, stamps, longestDelay, errors, mostOpen: () => mostOpen }
}

const urls = (count: number, host: (k: number) => string) =>
  Array.from({ length: count }, (_, k) => `https://${host(k)}/${k}`)

test.each([
  ['at hosts of their own', (who: number) => (k: number) => `silent-${who}-${k}.example`],
  ['at one host', () => () => 'popular.example']
])('twenty users whose receivers never answer, %s, delay nobody else', async (_, hostOf) => {
  const { user, pass, counts, delays, longestDelay, errors } = await deliveries()
  const good = await user({ 'https://good.example/': answering })
  const hostile: { readonly own: readonly string[]; readonly fire: (url: string) => Promise<void> }[] = []
  for (let who = 0; who < 20; who++) {
    const own = urls(12, hostOf(who)).map((url) => `${url}?${who}`)
    hostile.push({ own, fire: await user(Object.fromEntries(own.map((url) => [url, hanging]))) })
  }
  for (let second = 0; second < 120; second++) {
    await Promise.all(hostile.map(({ own, fire }) => fire(own[second % own.length]!)))
    await good('https://good.example/')
    await pass(SECOND)
  }
  expect(delays.get('https://good.example/')).toHaveLength(120)
  expect(longestDelay('https://good.example/')).toBeLessThan(SECOND)
  const toHostile = [...counts].filter(([url]) => url !== 'https://good.example/')
  expect(toHostile.length).toBeGreaterThan(40)
  expect(Math.max(...toHostile.map(([, count]) => count))).toBeLessThan(12)
  expect(errors).toEqual([])
})

test('a receiver that hangs has one message at a time and is left alone for longer and longer', async () => {
  const url = 'https://silent.example/'
  const { user, pass, counts, mostOpen } = await deliveries()
  const fire = await user({ [url]: hanging })
  for (let k = 0; k < 30; k++) await fire(url)
  const perTenMinutes: number[] = []
  for (let before = 0, k = 0; k < 3; k++, before = counts.get(url)!) {
    await pass(600 * SECOND)
    perTenMinutes.push(counts.get(url)! - before)
  }
  expect(mostOpen()).toBe(1)
  // Silences of 10 s and pauses of 5, 10, 20, 40, 80, 160, then 300 s.
  expect(perTenMinutes).toEqual([7, 2, 2])
})

test('a receiver that comes back gets all that waited, once each', async () => {
  const url = 'https://mended.example/'
  const { user, pass, delays, mostOpen } = await deliveries()
  const fire = await user({ [url]: (count) => (count < 3 ? hanging(count) : answering(count)) })
  for (let k = 0; k < 30; k++) await fire(url)
  await pass(400 * SECOND)
  expect(delays.get(url)).toHaveLength(30)
  expect(mostOpen()).toBe(4)
})

test('a slow receiver and a dead one of the same user do not hold up the third', async () => {
  const { user, pass, longestDelay } = await deliveries()
  const [dead, slow, good] = ['https://dead.example/', 'https://slow.example/', 'https://good.example/']
  const fire = await user({
    [dead]: hanging,
    [slow]: () => ({ after: 8 * SECOND, posted: accepted }),
    [good]: answering
  })
  await fire(good)
  await pass(SECOND)
  for (let k = 0; k < 60; k++) {
    for (const url of [dead, slow, good]) await fire(url)
    await pass(SECOND)
  }
  expect(longestDelay(good)).toBeLessThan(SECOND)
})

test('messages carry the time of the wall clock, whatever the steady clock says', async () => {
  const url = 'https://good.example/'
  const { user, pass, stamps } = await deliveries()
  const fire = await user({ [url]: answering })
  await fire(url)
  await pass(SECOND)
  expect(stamps).toEqual([0])
})

test('a wall clock that is set back by a month delays no message, failed or new', async () => {
  const [mended, good] = ['https://mended.example/', 'https://good.example/']
  const { user, pass, setWallBack, delays, counts } = await deliveries()
  const failing = { after: 50, posted: { delivered: false, status: 500, failure: 'it answered 500' } }
  const fire = await user({ [mended]: (count) => (count < 2 ? failing : answering(count)), [good]: answering })
  await fire(mended)
  await pass(SECOND)
  setWallBack(30 * 86_400 * SECOND)
  for (let k = 0; k < 10; k++) {
    await fire(good)
    await pass(4 * SECOND)
  }
  expect(delays.get(good)).toHaveLength(10)
  expect([counts.get(mended), delays.get(mended)?.length]).toEqual([3, 1])
})
