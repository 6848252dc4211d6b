import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Firings, KEPT_FIRINGS } from '../../src/accounts/alerts/firings.ts'
import { AlertRules } from '../../src/accounts/alerts/rules.ts'
import { Webhooks } from '../../src/accounts/alerts/webhooks.ts'
import { Alerts, type AlertsOptions, type NewRule } from '../../src/alerts/alerts.ts'
import { MAX_FIRINGS_PER_HOUR } from '../../src/alerts/evaluator.ts'
import { pushSender } from '../../src/alerts/push/push-sender.ts'
import type { Message, Posted } from '../../src/alerts/webhook/post.ts'
import { apiError } from '../../src/api/error.ts'
import type { Ticker } from '../../src/market/units.ts'
import { temporaryAccounts } from '../accounts/temporary-accounts.ts'
import { netGex, scriptedServer, settle } from '../stream/scripted-server.ts'
import { pushService } from '../support/push-service.ts'

const delivered: Posted = { delivered: true, status: 200, failure: undefined }
const failed: Posted = { delivered: false, status: 500, failure: 'it answered 500' }

const wanted: NewRule = {
  symbol: 'SPY',
  metric: netGex,
  params: {},
  condition: 'above',
  value: 100,
  repeat: 'each_time',
  note: undefined,
  webhookUrl: undefined
}
const hooked = { ...wanted, webhookUrl: 'https://hooks.example/a?token=s3cret' }
const strike = (value: number) => ({ strike: 600, net_gex: value })

/** Alerts over a market, a clock and a receiver that the test makes. */
async function playing() {
  const market = scriptedServer()
  const { database, accounts, folder } = await temporaryAccounts()
  const owner = await accounts.users.create({ email: 'a@example.com', plan: 'alpha' }, 'test')
  const other = await accounts.users.create({ email: 'b@example.com', plan: 'alpha' }, 'test')
  const plan = { limit: 5, refused: false, freshness: 1000, requests: Number.POSITIVE_INFINITY }
  const sent: (Message & { readonly at: number })[] = []
  const errors: unknown[] = []
  const receiver = { answers: [] as (Posted | Promise<Posted>)[] }
  const { server, clock } = market
  const start = (more: Partial<AlertsOptions> = {}) => {
    const alerts = new Alerts({
      rules: new AlertRules(database),
      firings: new Firings(database),
      webhooks: new Webhooks(database, clock.now),
      database,
      hub: server.hub,
      catalog: server.catalog,
      timers: server.timers,
      wallNow: () => clock.at + market.market.wallOff,
      marketNow: () => market.market.now,
      quality: () => undefined,
      source: () => 'scripted',
      isRestored: () => false,
      termsOf: (userId) =>
        accounts.subscriber(userId) && {
          limit: plan.limit,
          cadence: 1000,
          freshness: plan.freshness,
          planName: 'Alpha',
          refusalOf: () => (plan.refused ? apiError('tier_restricted', 'this needs more') : undefined)
        },
      allowPrivate: false,
      post: async (message) => {
        sent.push({ ...message, at: clock.at })
        return receiver.answers.shift() ?? delivered
      },
      push: pushSender(database),
      random: () => 0.5,
      charge: () => plan.requests-- > 0,
      refund: () => void plan.requests++,
      onFired: () => {},
      onAttempt: () => {},
      onError: (error) => errors.push(error),
      ...more
    })
    alerts.start()
    return alerts
  }
  const events = async (alerts: Alerts, userId = owner.id) =>
    (await alerts.events({ userId, email: '' }, { limit: 100, offset: 0 })).toReversed()
  const values = async (alerts: Alerts) => (await events(alerts)).map(({ body }) => JSON.parse(body).data.value)
  /** Gives SPY these values, one after the other. */
  const show = async (...figures: (number | null)[]) => {
    for (const net_gex of figures) {
      market.publish('SPY', { net_gex, label: '', strikes: [strike(7)] })
      await market.pass(1000, 250)
    }
  }
  const user = { userId: owner.id, email: owner.email }
  return {
    ...market,
    database,
    accounts,
    folder,
    owner: user,
    other,
    plan,
    sent,
    errors,
    receiver,
    start,
    events,
    values,
    show
  }
}

describe('a rule', () => {
  test('fires when it comes true, at once where it is true already, and tells what it saw', async () => {
    const { start, show, owner, events, values, errors } = await playing()
    await show(150)
    const alerts = start()
    const { rule } = await alerts.create(owner, { ...wanted, note: 'gamma is back' })
    await show(160, null, 90, 101)
    expect(await values(alerts)).toEqual([150, 101])
    const [first, second] = (await events(alerts)).map(({ body }) => JSON.parse(body))
    expect(first).toMatchObject({ type: 'alert.fired', data: { previous: null, target: 100, source: 'scripted' } })
    expect(second.data).toMatchObject({ previous: 90, symbol: 'SPY', metric: netGex, alert: { id: rule.id } })
    expect(second.text).toBe(`SPY ${netGex} is above 100: now 101. gamma is back`)
    expect((await alerts.get(owner, rule.id)).rule).toMatchObject({ state: 'armed', lastValue: 101, firedCount: 2 })
    expect(errors).toEqual([])
  })

  test('neither fires nor remembers anything on what was recorded before the start', async () => {
    const { start, show, owner, values, market } = await playing()
    await show(150)
    const restoredAt = market.now - 1
    const alerts = start({ isRestored: (symbol, asOf) => symbol === 'SPY' && asOf <= restoredAt })
    await alerts.create(owner, wanted)
    await alerts.create(owner, { ...wanted, condition: 'changes_by', value: 40 })
    expect(await values(alerts)).toEqual([])
    await show(180, 225)
    expect(await values(alerts)).toEqual([180, 225])
  })

  test('neither fires nor learns anything while its data contradict themselves', async () => {
    const { start, show, owner, values, market } = await playing()
    const costliest = { id: 'spot', value: 50, deduction: 85, state: 'failed' } as const
    let deducted = 0
    const assessment = () => ({
      symbol: 'SPY' as Ticker,
      asOf: market.now,
      delay: 0,
      pace: 1000,
      floor: 40,
      deducted,
      costliest
    })
    await show(90)
    const alerts = start({ quality: assessment })
    const { rule } = await alerts.create(owner, wanted)
    await alerts.create(owner, { ...wanted, condition: 'changes_by', value: 40 })
    deducted = 85
    const { rule: armed } = await alerts.create(owner, { ...wanted, condition: 'crosses', value: 200 })
    await show(500, 300)
    expect(await values(alerts)).toEqual([])
    expect((await alerts.get(owner, rule.id)).rule.lastValue).toBe(90)
    expect((await alerts.get(owner, armed.id)).rule.lastValue).toBeUndefined()
    deducted = 60
    await show(95, 101)
    expect(await values(alerts)).toEqual([101])
  })

  test('waits for the quality of its data where that is being computed', async () => {
    const { start, show, owner, values, market } = await playing()
    const sound = { symbol: 'SPY' as Ticker, delay: 0, pace: 1000, floor: 40, deducted: 0, costliest: undefined }
    const known = () => ({ ...sound, asOf: market.now })
    let arrive = () => {}
    let quality: () => ReturnType<typeof known> | Promise<ReturnType<typeof known>> = known
    await show(90)
    const alerts = start({ quality: () => quality() })
    await alerts.create(owner, wanted)
    const coming = new Promise<ReturnType<typeof known>>((resolve) => {
      arrive = () => resolve(known())
    })
    quality = () => coming
    await show(160)
    expect(await values(alerts)).toEqual([])
    quality = known
    arrive()
    await settle()
    expect(await values(alerts)).toEqual([160])
  })

  test('that fires once is done, and fires again where it is armed again', async () => {
    const { start, show, owner, values } = await playing()
    await show(90)
    const alerts = start()
    const { rule } = await alerts.create(owner, { ...wanted, repeat: 'once' })
    await show(110, 90, 110)
    expect(await values(alerts)).toEqual([110])
    expect((await alerts.get(owner, rule.id)).rule.state).toBe('done')
    await alerts.change(owner, rule.id, { state: 'armed' })
    await show(90, 120)
    expect(await values(alerts)).toEqual([110, 110])
  })

  test('may compare its metric with another one, where both are known', async () => {
    const { start, show, publish, pass, owner, events } = await playing()
    await show(5)
    const alerts = start()
    const value = { metric: 'exposure.gex.strikes[600].net_gex', params: {} }
    await alerts.create(owner, { ...wanted, condition: 'crosses', value })
    await show(6, 8)
    publish('SPY', { net_gex: 3, label: '', strikes: [] })
    await pass(1000)
    await show(6)
    const contents = (await events(alerts)).map(({ body }) => JSON.parse(body).data)
    expect(contents.map(({ value, target }) => [value, target])).toEqual([
      [8, 7],
      [6, 7]
    ])
  })

  test('is paused by its owner, and what happened meanwhile counts for nothing', async () => {
    const { start, show, owner, values } = await playing()
    await show(90)
    const alerts = start()
    const { rule } = await alerts.create(owner, { ...wanted, condition: 'crosses' })
    await alerts.change(owner, rule.id, { state: 'paused' })
    await show(110)
    await alerts.change(owner, rule.id, { state: 'armed' })
    await show(111, 90)
    expect(await values(alerts)).toEqual([90])
  })

  test('is refused where the stream would refuse it, and where there is no room', async () => {
    const { start, show, owner, plan } = await playing()
    await show(90)
    const alerts = start()
    const codes = async (change: Partial<NewRule>) =>
      alerts.create(owner, { ...wanted, ...change }).catch((error) => error.code)
    expect(await codes({ metric: 'exposure.gex.nothing' })).toBe('invalid_metric')
    expect(await codes({ metric: 'exposure.gex.label' })).toBe('invalid_metric')
    expect(await codes({ metric: 'exposure.gex.strikes' })).toBe('invalid_metric')
    expect(await codes({ metric: 'exposure.gex.strikes[601].net_gex' })).toBe('invalid_metric')
    expect(await codes({ params: { min_oi: 'many' } })).toBe('invalid_parameter')
    expect(await codes({ params: { nothing: 1 } })).toBe('invalid_parameter')
    expect(await codes({ symbol: 'not a ticker' })).toBe('symbol_not_found')
    expect(await codes({ condition: 'changes_by', value: 0 })).toBe('invalid_body')
    expect(await codes({ value: { metric: netGex, params: {} } })).toBe('invalid_body')
    expect(await codes({ webhookUrl: 'https://10.0.0.1/' })).toBe('invalid_webhook')
    plan.refused = true
    expect(await codes({})).toBe('tier_restricted')
    plan.refused = false
    plan.limit = 1
    await alerts.create(owner, wanted)
    expect(await codes({})).toBe('alert_limit')
    expect(await alerts.list(owner)).toHaveLength(1)
  })

  test('is its owner’s alone', async () => {
    const { start, show, owner, other } = await playing()
    await show(150)
    const alerts = start()
    const { rule } = await alerts.create(owner, hooked)
    await settle()
    const stranger = { userId: other.id, email: other.email }
    expect(await alerts.list(stranger)).toEqual([])
    expect(await alerts.events(stranger, { alertId: rule.id, limit: 10, offset: 0 })).toEqual([])
    for (const act of [
      () => alerts.get(stranger, rule.id),
      () => alerts.remove(stranger, rule.id),
      () => alerts.rotate(stranger, rule.id),
      () => alerts.test(stranger, rule.id)
    ]) {
      await expect(act()).rejects.toThrow('no alert')
    }
    await expect(alerts.change(stranger, rule.id, { state: 'paused' })).rejects.toThrow('no alert')
  })

  test('that fires as if it never rests is paused', async () => {
    const { start, show, owner, values } = await playing()
    await show(90)
    const alerts = start()
    const { rule } = await alerts.create(owner, wanted)
    for (let k = 0; k <= MAX_FIRINGS_PER_HOUR; k++) await show(110, 90)
    expect(await values(alerts)).toHaveLength(MAX_FIRINGS_PER_HOUR)
    expect((await alerts.get(owner, rule.id)).rule).toMatchObject({
      state: 'paused',
      pausedBecause: expect.stringMatching('60')
    })
  })
})

test('a rule whose owner has no request left fires when the count begins anew', async () => {
  const { start, show, owner, values, plan } = await playing()
  await show(90)
  const alerts = start()
  await alerts.create(owner, wanted)
  plan.requests = 1
  await show(110, 90, 120)
  expect(await values(alerts)).toEqual([110])
  plan.requests = 5
  await show(130)
  expect(await values(alerts)).toEqual([110, 130])
  expect(plan.requests).toBe(4)
})

test('a last value is shown for as long as the plan lets data be old', async () => {
  const { start, show, pass, owner, plan } = await playing()
  await show(50)
  const alerts = start()
  const { rule } = await alerts.create(owner, wanted)
  plan.freshness = 900_000
  const shown = async (value: number) => {
    await show(value)
    return [(await alerts.list(owner))[0].rule.lastValue, (await alerts.get(owner, rule.id)).rule.lastValue]
  }
  expect(await shown(60)).toEqual([60, 60])
  expect(await shown(70)).toEqual([60, 60])
  const changed = await alerts.change(owner, rule.id, { note: 'seen' })
  expect(changed.rule.lastValue).toBe(60)
  await pass(900_000, 10_000)
  expect(await shown(80)).toEqual([80, 80])
})

test('of what a rule fired the newest thousand are kept, and whatever is still to be sent', async () => {
  const { start, show, owner, database } = await playing()
  await show(90)
  const alerts = start()
  const { rule } = await alerts.create(owner, wanted)
  const firings = new Firings(database)
  const none = {
    webhookId: undefined,
    attempts: 0,
    attemptedAt: undefined,
    nextAttemptAt: undefined,
    failure: undefined
  }
  const of = { alertId: rule.id, userId: owner.userId, body: '{}', ...none }
  await database.batch(async (tx) => {
    for (let k = 0; k < KEPT_FIRINGS + 5; k++) {
      const delivery = k === 0 ? 'waiting' : 'none'
      await firings.add({ id: `${k}`, at: 1000 * k, delivery, ...of }, tx)
    }
  })
  const kept = (await firings.page(owner.userId, { limit: 2000, offset: 0 })).map(({ id }) => Number(id))
  expect([kept.length, kept[0], kept.at(-2), kept.at(-1)]).toEqual([KEPT_FIRINGS + 1, KEPT_FIRINGS + 4, 5, 0])
})

describe('what the owner loses', () => {
  test('pauses the rule, with the reason, and before it can fire', async () => {
    const { start, show, owner, plan, values } = await playing()
    await show(90)
    const alerts = start()
    const { rule } = await alerts.create(owner, wanted)
    plan.refused = true
    await show(110)
    expect(await values(alerts)).toEqual([])
    expect((await alerts.get(owner, rule.id)).rule).toMatchObject({ state: 'paused', pausedBecause: 'this needs more' })
    await expect(alerts.change(owner, rule.id, { state: 'armed' })).rejects.toThrow('this needs more')
  })

  test('leaves the oldest rules where the plan has room for fewer', async () => {
    const { start, show, pass, owner, plan } = await playing()
    await show(90)
    const alerts = start()
    for (let k = 0; k < 3; k++) {
      await alerts.create(owner, wanted)
      await pass(10)
    }
    plan.limit = 1
    await pass(65_000, 1000)
    expect((await alerts.list(owner)).map(({ rule }) => rule.state)).toEqual(['armed', 'paused', 'paused'])
  })

  test('ends with the user, however the user was removed', async () => {
    const { start, show, pass, owner, accounts, server, errors } = await playing()
    await show(90)
    const alerts = start()
    await alerts.create(owner, hooked)
    await accounts.users.remove(owner.userId, 'test')
    await show(110)
    await pass(6000, 500)
    expect([await alerts.list(owner), server.hub.feeds, errors]).toEqual([[], 0, []])
  })
})

describe('a restart', () => {
  test('neither fires again nor misses what came true meanwhile', async () => {
    const { start, show, owner, values } = await playing()
    await show(110)
    const first = start()
    await first.create(owner, wanted)
    await first.create(owner, { ...wanted, condition: 'crosses' })
    await first.create(owner, { ...wanted, condition: 'changes_by', value: 50 })
    await show(111)
    expect(await values(first)).toEqual([110])
    await first.stop()
    const second = start()
    await show(112)
    expect(await values(second)).toEqual([110])
    await second.stop()
    await show(30)
    const third = start()
    await settle()
    await show(31)
    expect(await values(third)).toEqual([110, 30, 30])
  })

  test('sends what had fired and was not sent, the same bytes under the same id', async () => {
    const { start, show, pass, owner, sent, receiver, events } = await playing()
    await show(110)
    let lose = () => {}
    receiver.answers.push(new Promise((resolve) => (lose = () => resolve(failed))))
    const first = start()
    await first.create(owner, hooked)
    await pass(100)
    expect(sent).toHaveLength(1)
    const stopped = first.stop()
    lose()
    await stopped
    expect((await events(first))[0]).toMatchObject({ delivery: 'waiting', attempts: 0 })
    const second = start()
    await pass(100)
    expect((await events(second))[0]).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(sent.map(({ body, headers }) => [body, headers['webhook-id']])).toEqual(
      Array(2).fill([sent[0].body, sent[0].headers['webhook-id']])
    )
  })
})

test('a firing that cannot be written is neither sent nor forgotten', async () => {
  const { start, show, pass, owner, sent, database, errors, values } = await playing()
  await show(90)
  let isFull = false
  const alerts = start({
    database: {
      ...database,
      durably: (work) => {
        if (isFull) throw new Error('the disk is full')
        return database.durably(work)
      }
    }
  })
  await alerts.create(owner, hooked)
  await settle()
  isFull = true
  await show(110)
  expect([sent.length, await values(alerts)]).toEqual([0, []])
  expect(errors).not.toEqual([])
  isFull = false
  await pass(6000, 500)
  expect([sent.length, await values(alerts)]).toEqual([1, [110]])
})

describe('a webhook', () => {
  test('is signed with the secret that was shown once, and shared by the rules of its address', async () => {
    const { start, show, pass, owner, sent } = await playing()
    await show(110)
    const alerts = start()
    const made = await alerts.create(owner, hooked)
    expect(made.secret).toMatch(/^whsec_/)
    expect((await alerts.get(owner, made.rule.id)).secret).toBeUndefined()
    expect((await alerts.create(owner, hooked)).secret).toBeUndefined()
    await pass(100)
    const signatures = ({ headers, body }: Message, ...secrets: string[]) =>
      secrets.map((secret) => {
        const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
        return `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update(signed)
          .digest('base64')}`
      })
    expect(sent).toHaveLength(2)
    for (const each of sent) expect(each.headers['webhook-signature']).toBe(signatures(each, made.secret!)[0])
    const next = await alerts.rotate(owner, made.rule.id)
    await alerts.test(owner, made.rule.id)
    expect(JSON.parse(String(sent[2].body)).type).toBe('alert.test')
    expect(sent[2].headers['webhook-signature']).toBe(signatures(sent[2], next, made.secret!).join(' '))
    await pass(86_400_000, 3_600_000)
    await alerts.test(owner, made.rule.id)
    expect(sent[3].headers['webhook-signature']).toBe(signatures(sent[3], next)[0])
  })

  test('that fails is tried again until it takes the message', async () => {
    const { start, show, pass, owner, sent, receiver, events } = await playing()
    await show(110)
    receiver.answers.push(failed, failed)
    const alerts = start()
    await alerts.create(owner, hooked)
    await pass(100)
    expect((await events(alerts))[0]).toMatchObject({ delivery: 'waiting', attempts: 1, failure: 'it answered 500' })
    await pass(40_000, 500)
    expect((await events(alerts))[0]).toMatchObject({ delivery: 'delivered', attempts: 3, failure: undefined })
    expect(sent.slice(1).map(({ at }, k) => Math.round((at - sent[k].at) / 5000))).toEqual([1, 6])
  })

  test('that fails is tried again as soon, though the wall clock is set back meanwhile', async () => {
    const { start, show, pass, owner, receiver, events, market } = await playing()
    await show(110)
    receiver.answers.push(failed, failed)
    const alerts = start()
    await alerts.create(owner, hooked)
    await pass(100)
    market.wallOff = -3_600_000
    await pass(40_000, 500)
    expect((await events(alerts))[0]).toMatchObject({ delivery: 'delivered', attempts: 3 })
  })

  test('is given up after a day, or at once where it is gone', async () => {
    const { start, show, pass, owner, receiver, events } = await playing()
    await show(110)
    receiver.answers.push({ ...failed, status: 410, failure: 'it answered 410' })
    const alerts = start()
    await alerts.create(owner, hooked)
    await pass(100)
    expect((await events(alerts))[0]).toMatchObject({ delivery: 'given_up', attempts: 1, failure: 'it answered 410' })
    receiver.answers.push(...Array(50).fill(failed))
    await show(90, 110)
    await pass(90_000_000, 600_000)
    expect((await events(alerts))[1]).toMatchObject({
      delivery: 'given_up',
      failure: 'it answered 500',
      nextAttemptAt: undefined
    })
  })

  test('that does not answer holds up no other user', async () => {
    const { start, show, pass, owner, other, receiver, sent } = await playing()
    await show(90)
    receiver.answers.push(new Promise<Posted>(() => {}))
    const alerts = start()
    for (let k = 0; k < 5; k++) await alerts.create(owner, { ...hooked, value: 91 })
    await show(110)
    expect(sent).toHaveLength(1)
    await alerts.create({ userId: other.id, email: other.email }, { ...hooked, webhookUrl: 'https://other.example/' })
    await pass(100)
    expect(sent.map(({ url }) => url)).toEqual([hooked.webhookUrl, 'https://other.example/'])
  })

  test('is forgotten with its last rule; the trail of what was done names its host alone', async () => {
    const { start, show, owner, database } = await playing()
    await show(90)
    const alerts = start()
    const { rule } = await alerts.create(owner, hooked)
    await alerts.remove(owner, rule.id)
    expect(await database.read.selectFrom('alert_webhooks').selectAll().execute()).toEqual([])
    const trail = JSON.stringify(await database.read.selectFrom('audit').selectAll().execute())
    expect(trail).toContain('hooks.example')
    expect(trail).not.toContain('s3cret')
    expect((await alerts.create(owner, hooked)).secret).toMatch(/^whsec_/)
  })
})

describe('a browser', () => {
  const endpoint = 'https://push.example.net/p/1'
  /** Alerts whose messages go to a push service for its addresses, and elsewhere to the receiver of the test. */
  async function pushing() {
    const played = await playing()
    const service = pushService()
    const start = (more: Partial<AlertsOptions> = {}) =>
      played.start({
        post: async ({ url, headers, body }) => {
          if (typeof body !== 'string') return service.take(url, headers, body)
          played.sent.push({ url, headers, body, at: played.clock.at })
          return played.receiver.answers.shift() ?? delivered
        },
        ...more
      })
    const texts = () => service.received.map(({ text }) => JSON.parse(text))
    return { ...played, ...service, start, texts }
  }
  const add = (alerts: Alerts, owner: { userId: string; email: string }, browser: ReturnType<typeof subscribed>) =>
    alerts.browsers.add(owner, browser.endpoint, browser.keys)
  const subscribed = (service: Pick<ReturnType<typeof pushService>, 'subscribe'>, at = endpoint) =>
    service.subscribe(at)

  test('is told of whatever fires, encrypted to it, beside the webhook and once each', async () => {
    const played = await pushing()
    const { start, show, pass, owner, sent, received, texts, events, errors } = played
    await show(90)
    const alerts = start()
    await add(alerts, owner, subscribed(played))
    await add(alerts, owner, subscribed(played, 'https://other.example.net/p/2'))
    await alerts.create(owner, { ...hooked, note: 'gamma is back' })
    await alerts.create(owner, { ...wanted, value: 105 })
    await show(110)
    await pass(2000, 100)
    const fired = await events(alerts)
    expect(fired.map(({ delivery }) => delivery).sort()).toEqual(['delivered', 'none'])
    expect(sent).toHaveLength(1)
    const ids = received.map(({ endpoint: at, text }) => `${at} ${JSON.parse(text).id}`)
    expect(new Set(ids)).toHaveLength(4)
    expect(received).toHaveLength(4)
    expect(new Set(texts().map(({ id }) => id))).toEqual(new Set(fired.map(({ id }) => id)))
    expect(texts()[0]).toMatchObject({ symbol: 'SPY' })
    expect(texts().map(({ text }) => text)).toContain(`SPY ${netGex} is above 100: now 110. gamma is back`)
    const { headers, claims } = received.find((each) => each.endpoint === endpoint)!
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'high',
      ttl: expect.stringMatching(/^\d+$/)
    })
    expect(Number(headers['ttl'])).toBeLessThanOrEqual(86_400)
    expect(headers['topic']).toMatch(/^[0-9a-f]{32}$/)
    expect(claims.aud).toBe('https://push.example.net')
    expect(errors).toEqual([])
  })

  test('that its push service no longer knows is removed, with what was to be sent there', async () => {
    const played = await pushing()
    const { start, show, pass, owner, forget, answers, received, database, errors } = played
    await show(90)
    const alerts = start()
    await add(alerts, owner, subscribed(played))
    await add(alerts, owner, subscribed(played, 'https://other.example.net/p/2'))
    await alerts.create(owner, wanted)
    forget(endpoint)
    answers.push(404)
    await show(110)
    await pass(2000, 100)
    expect(await alerts.browsers.list(owner)).toEqual([])
    expect(received).toEqual([])
    expect(await database.read.selectFrom('alert_firings').select('copy_of').execute()).toEqual([{ copy_of: null }])
    expect(errors).toEqual([])
  })

  test('whose push service is out of order is told once it works again, also over a restart', async () => {
    const played = await pushing()
    const { start, show, pass, owner, answers, received } = played
    await show(90)
    const first = start()
    await add(first, owner, subscribed(played))
    await first.create(owner, wanted)
    answers.push(503, 429)
    await show(110)
    await pass(8000, 500)
    expect(received).toEqual([])
    await first.stop()
    start()
    await pass(120_000, 1000)
    expect(received).toHaveLength(1)
  })

  test('gets all messages of one service with one key, over restarts too', async () => {
    const { start, owner, database } = await pushing()
    const keys = await Promise.all([start(), start()].map((alerts) => alerts.browsers.publicKey()))
    expect(new Set(keys)).toHaveLength(1)
    expect(Buffer.from(keys[0]!, 'base64url')).toHaveLength(65)
    expect(await database.read.selectFrom('push_key').select('id').execute()).toEqual([{ id: 1 }])
    expect(owner).toBeDefined()
  })

  test('belongs to who signed in there last, and to nobody after it was removed', async () => {
    const played = await pushing()
    const { start, show, pass, owner, other, received } = played
    await show(90)
    const alerts = start()
    const browser = subscribed(played)
    const second = { userId: other.id, email: other.email }
    const first = await add(alerts, owner, browser)
    await expect(alerts.browsers.remove(second, first.id)).rejects.toMatchObject({ code: 'alert_not_found' })
    const now = await add(alerts, second, browser)
    expect([await alerts.browsers.list(owner), (await alerts.browsers.list(second)).map(({ id }) => id)]).toEqual([
      [],
      [now.id]
    ])
    await alerts.create(owner, wanted)
    await show(110)
    await pass(2000, 100)
    expect(received).toEqual([])
    await alerts.browsers.remove(second, now.id)
    expect(await alerts.browsers.list(second)).toEqual([])
  })

  test('must be at a public address, have real keys, and be one of ten', async () => {
    const played = await pushing()
    const { start, owner } = played
    const alerts = start()
    const { keys } = subscribed(played)
    const refused = (at: string, own = keys) => expect(alerts.browsers.add(owner, at, own)).rejects
    for (const at of [
      'http://push.example.net/1',
      'https://127.0.0.1/1',
      'https://[::1]/1',
      'https://10.0.0.1/',
      'nonsense'
    ])
      await refused(at).toMatchObject({ code: 'invalid_webhook' })
    await refused(endpoint, { ...keys, auth: 'c2hvcnQ' }).toMatchObject({ code: 'invalid_body' })
    for (let k = 0; k < 10; k++) await alerts.browsers.add(owner, `https://push.example.net/p/${k}`, keys)
    await refused('https://push.example.net/p/10').toMatchObject({ code: 'alert_limit' })
    await alerts.browsers.add(owner, 'https://push.example.net/p/9', keys)
    expect(await alerts.browsers.list(owner)).toHaveLength(10)
    await expect(alerts.create(owner, { ...wanted, webhookUrl: 'https://push.example.net/p/9' })).rejects.toMatchObject(
      { code: 'invalid_webhook' }
    )
  })

  test('takes a test, and says what the push service answered', async () => {
    const played = await pushing()
    const { start, owner, answers, texts } = played
    const alerts = start()
    const { id } = await add(alerts, owner, subscribed(played))
    expect(await alerts.browsers.test(owner, id)).toMatchObject({ delivered: true, status: 201 })
    expect(texts()).toMatchObject([{ id: 'test', text: 'This is a test of the notifications.' }])
    answers.push(403)
    expect(await alerts.browsers.test(owner, id)).toMatchObject({ delivered: false, status: 403 })
  })

  test('is left out of the count of firings, of the list of what fired, and of the webhooks that are not used', async () => {
    const played = await pushing()
    const { start, show, pass, owner, events, values } = played
    await show(90)
    const alerts = start()
    await add(alerts, owner, subscribed(played))
    const { rule } = await alerts.create(owner, hooked)
    await alerts.change(owner, rule.id, { webhookUrl: undefined })
    expect(await alerts.browsers.list(owner)).toHaveLength(1)
    const half = MAX_FIRINGS_PER_HOUR / 2 + 1
    for (let k = 0; k < half; k++) await show(110, 90)
    await pass(2000, 100)
    expect(await values(alerts)).toHaveLength(half)
    expect((await alerts.get(owner, rule.id)).rule.state).toBe('armed')
    expect((await events(alerts)).every(({ copyOf }) => copyOf === undefined)).toBe(true)
  })
})
