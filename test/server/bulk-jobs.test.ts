import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defaultPlans, plansOf } from '../../src/api/plan.ts'
import type { BulkJobs } from '../../src/server/bulk/jobs/bulk-jobs.ts'
import { parsedCsv } from '../support/csv.ts'
import { memoryStore } from '../support/memory-store.ts'
import { jobsOver, KEPT_HOURS, mountBulkOver } from '../support/mount-bulk-over.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { replayService } from '../support/replay.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const many = {
  source: 'answers',
  operation: 'exposure.gex',
  symbols: { list: ['KO', 'T', 'XLE'] },
  moments: { from: '2026-07-29', to: '2026-07-29', every: '1m' },
  rows: 'strikes',
  format: 'ndjson'
}
const few = { ...many, operation: 'exposure.levels', symbols: { list: ['AAPL'] }, moments: 'now', rows: null }
const history = memoryStore(await recordedDay('2026-07-29'))
const series = { source: 'series', symbols: many.symbols, moments: many.moments, format: 'ndjson' }
const quotes = { ...series, source: 'quotes' }
const small = { bytes: 10_000, rows: 1e6 }
/** Alpha with a daily limit, so that requests are counted. */
const plans = plansOf(defaultPlans.all.map((plan) => (plan.id === 'alpha' ? { ...plan, dailyLimit: 5000 } : plan)))
/** Answers before a job is stopped, about half of all. */
const SOME = 20

/** The service with jobs in a folder. `hold(k)` lets no answer be made beyond the next k until it is called again. */
function made(given: Partial<Parameters<typeof jobsOver>[1]> = {}) {
  let left = Number.POSITIVE_INFINITY
  let waiting: (() => void)[] = []
  const faults: unknown[] = []
  const folder = given.folder ?? temporaryFolder()
  const beforeAnswer = async () => {
    while (left <= 0) await new Promise<void>((resolve) => waiting.push(resolve))
    left--
  }
  const running = replayService({ history, beforeAnswer, plans })
  const jobs = mountBulkOver(running, {
    history: {
      ...history,
      figures: async (asked) => {
        await beforeAnswer()
        return history.figures(asked)
      },
      snapshot: async (...asked) => {
        await beforeAnswer()
        return history.snapshot(...asked)
      }
    },
    onFault: (error) => faults.push(error),
    partLimits: small,
    ...given,
    folder
  })
  const hold = (answers: number) => {
    left = answers
    for (const go of waiting) go()
    waiting = []
  }
  const { key } = running
  const send = (method: 'GET' | 'POST' | 'DELETE' | 'HEAD', path: string, by = key, more: object = {}) =>
    running.ask(path, by, { method, ...more })
  const create = (request: unknown, by = key) => send('POST', '/v1/bulk/jobs', by, { payload: { request } })
  const begin = async (request: unknown, by = key): Promise<string> => {
    const response = await create(request, by)
    expect(response.statusCode, response.body).toBe(202)
    return response.json().id
  }
  const look = async (id: string, by = key) => (await send('GET', `/v1/bulk/jobs/${id}`, by)).json()
  const ended = async (id: string, by = key) => {
    await expect.poll(async () => (await look(id, by)).state).not.toMatch(/waiting|running/)
    return look(id, by)
  }
  const part = (id: string, k: number, more: object = {}) => send('GET', `/v1/bulk/jobs/${id}/parts/${k}`, key, more)
  const partsOf = async (id: string): Promise<Buffer[]> => {
    const { parts } = await look(id)
    return Promise.all(parts.map(async (_: unknown, k: number) => (await part(id, k + 1)).rawPayload))
  }
  const plain = (request: object) => send('POST', '/v1/bulk', key, { payload: request })
  const close = async (all: BulkJobs = jobs) => {
    hold(Number.POSITIVE_INFINITY)
    await all.stop()
    await running.close()
  }
  return { ...running, jobs, hold, send, create, begin, look, ended, part, partsOf, plain, folder, faults, close }
}

type Made = ReturnType<typeof made>

function forThisTest(given?: Parameters<typeof made>[0]): Made {
  const service = made(given)
  onTestFinished(() => service.close())
  return service
}

const sums = ({ groups }: { groups: Record<string, number> }) =>
  groups['answered'] + groups['absent'] + groups['waiting']

describe('a bulk job', () => {
  let service: Made
  beforeAll(() => {
    service = made()
  })
  afterAll(() => service.close())

  test('leaves what one response has, in parts that are whole files', async () => {
    const id = await service.begin(many)
    const job = await service.ended(id)
    expect(job).toMatchObject({
      state: 'done',
      request: many,
      message: null,
      errors: [],
      groups: { absent: 0, waiting: 0 }
    })
    expect(job.parts.length).toBeGreaterThan(2)
    expect(sums(job)).toBe(job.groups.total)
    const bytes = await service.partsOf(id)
    expect(Buffer.concat(bytes).toString()).toBe((await service.plain(many)).body)
    for (const [k, { part, rows, bytes: size, sha256, first, last }] of job.parts.entries()) {
      const lines = bytes[k].toString().trimEnd().split('\n')
      expect([part, rows, size]).toEqual([k + 1, lines.length, bytes[k].length])
      expect(sha256).toBe(createHash('sha256').update(bytes[k]).digest('hex'))
      const keys = lines.map((line) => JSON.parse(line))
      expect([first, last]).toEqual([keys[0], keys.at(-1)].map(({ symbol, at }) => ({ symbol, at })))
    }
    expect(job.rows).toBe(job.parts.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0))
    const { jobs } = (await service.send('GET', '/v1/bulk/jobs')).json()
    expect(jobs[0]).toEqual(job)
  })

  test.each([series, quotes])('leaves what one response of $source has', async (request) => {
    const job = await service.ended(await service.begin(request))
    expect(job).toMatchObject({ state: 'done', errors: [], groups: { absent: 0, waiting: 0 } })
    expect([job.cost, job.parts.length > 1]).toEqual([job.groups.total, true])
    expect(Buffer.concat(await service.partsOf(job.id)).toString()).toBe((await service.plain(request)).body)
  })

  test.each(['csv', 'arrow'])('writes %s with a beginning and an end in each part', async (format) => {
    const job = await service.ended(await service.begin({ ...many, format }))
    const bytes = await service.partsOf(job.id)
    expect(bytes.length).toBeGreaterThan(1)
    const rows = (await service.plain(many)).body.trimEnd().split('\n').length
    expect(job.rows).toBe(rows)
    const head = (await service.plain({ ...many, format, fields: undefined })).rawPayload.subarray(0, 100)
    for (const each of bytes) expect(each.subarray(0, 100)).toEqual(head)
    if (format === 'arrow') {
      for (const each of bytes) expect(each.subarray(-8)).toEqual(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]))
      return
    }
    const whole = parsedCsv((await service.plain({ ...many, format })).body)
    const tables = bytes.map((each) => parsedCsv(each.toString()))
    expect(tables.flatMap(([, ...lines]) => lines)).toEqual(whole.slice(1))
  })

  test('gives its parts whole or in ranges, and does not count them', async () => {
    const { id, parts } = await service.ended(await service.begin({ ...many, format: 'csv' }))
    const [whole] = await service.partsOf(id)
    const remaining = async () => (await service.send('GET', '/v1/account')).headers['x-ratelimit-remaining']
    const before = Number(await remaining())
    const url = `/v1/bulk/jobs/${id}/parts/1`
    const head = await service.send('HEAD', url)
    expect([head.statusCode, head.body, Number(head.headers['content-length'])]).toEqual([200, '', whole.length])
    expect(head.headers).toMatchObject({ etag: `"${parts[0].sha256}"`, 'accept-ranges': 'bytes' })
    const { etag } = head.headers
    const range = (range: string, more: object = {}) => service.part(id, 1, { headers: { range, ...more } })
    const some = await range('bytes=10-29')
    expect([some.statusCode, some.headers['content-range']]).toEqual([206, `bytes 10-29/${whole.length}`])
    expect(some.rawPayload).toEqual(whole.subarray(10, 30))
    expect((await range('bytes=-5')).rawPayload).toEqual(whole.subarray(-5))
    expect((await range('bytes=100-', { 'if-range': etag })).rawPayload).toEqual(whole.subarray(100))
    expect((await range('bytes=100-', { 'if-range': '"other"' })).rawPayload).toEqual(whole)
    expect((await range('bytes=0-1,4-5')).rawPayload).toEqual(whole)
    const behind = await range(`bytes=${whole.length}-`)
    expect([behind.statusCode, behind.json().error]).toEqual([416, 'range_not_satisfiable'])
    expect(behind.headers['content-range']).toBe(`bytes */${whole.length}`)
    expect((await service.part(id, 1, { headers: { 'if-none-match': etag } })).statusCode).toBe(304)
    for (const k of [0, 99, -1, 1e9]) expect((await service.part(id, k)).json().error).toBe('part_not_found')
    expect(before - Number(await remaining())).toBe(1) // the last question alone
  })

  test('is begun once by a request that is sent again with its key', async () => {
    const begin = async (request: object, key: string, by = service.key) => {
      const more = { payload: { request }, headers: { 'idempotency-key': key } }
      const response = await service.send('POST', '/v1/bulk/jobs', by, more)
      return [response.statusCode, response.json().id ?? response.json().error]
    }
    service.hold(0)
    const first = await begin(few, 'one-key')
    expect(await begin(few, 'one-key')).toEqual(first)
    service.hold(Number.POSITIVE_INFINITY)
    const id = first[1]
    await service.ended(id)
    expect(await begin(few, 'one-key')).toEqual([202, id])
    expect(await begin({ ...few, format: 'csv' }, 'one-key')).toEqual([409, 'idempotency_conflict'])
    expect(await begin(few, 'no key')).toEqual([400, 'invalid_parameter'])
    const other = await begin(few, 'one-key', service.keyOn('alpha'))
    expect([other[0], other[1] === id]).toEqual([202, false])
  })

  test('is of its user alone', async () => {
    const id = await service.begin(few)
    await service.ended(id)
    const other = service.keyOn('alpha')
    for (const [method, path] of [
      ['GET', id],
      ['DELETE', id],
      ['GET', `${id}/parts/1`],
      ['GET', 'bj_00000000000000000000000000'],
      ['GET', '__proto__']
    ] as const) {
      const response = await service.send(method, `/v1/bulk/jobs/${path}`, other)
      expect([response.statusCode, response.json().error]).toEqual([404, 'job_not_found'])
    }
    expect((await service.send('GET', '/v1/bulk/jobs', other)).json()).toEqual({ jobs: [] })
    expect((await service.look(id)).state).toBe('done')
    for (const [by, status] of [
      ['no-key', 401],
      [service.keyOn('growth'), 403]
    ] as const) {
      expect((await service.create(few, by)).statusCode).toBe(status)
      expect((await service.send('GET', '/v1/bulk/jobs', by)).statusCode).toBe(status)
      expect((await service.send('GET', `/v1/bulk/jobs/${id}/parts/1`, by)).statusCode).toBe(status)
    }
  })

  test('says what has no answer, and fails nothing else', async () => {
    const some = { ...few, symbols: { list: ['NOPE', 'AAPL'] }, missing: 'row' }
    const job = await service.ended(await service.begin(some))
    expect(job).toMatchObject({ state: 'done', rows: 2, groups: { answered: 1, absent: 1, waiting: 0 } })
    expect(job.errors).toEqual([{ error: 'symbol_not_found', groups: 1 }])
    expect(Buffer.concat(await service.partsOf(job.id)).toString()).toBe((await service.plain(some)).body)
    const none = await service.ended(await service.begin({ ...few, symbols: { list: ['NOPE'] } }))
    expect(none).toMatchObject({ state: 'done', rows: 0, parts: [], message: expect.stringMatching(/^no_data/) })
  })

  test.each<[unknown, string]>([
    [undefined, 'invalid_body'],
    [7, 'invalid_body'],
    [{ ...few, source: 'prints' }, 'invalid_source'],
    [{ ...few, operation: 'exposure.gexx' }, 'invalid_operation'],
    [{ ...few, params: { wrong_thing: 1 } }, 'invalid_params'],
    [{ ...few, format: 'xlsx' }, 'invalid_format'],
    [{ ...few, symbols: { list: Array.from({ length: 501 }, (_, k) => `A${k}`) } }, 'invalid_symbols'],
    [{ ...many, symbols: { list: ['NOPE'] } }, 'no_data']
  ])('that cannot be done is refused, case %#', async (request, error) => {
    const { statusCode, body } = await service.create(request)
    expect([statusCode, JSON.parse(body).error]).toEqual([error === 'no_data' ? 404 : 400, error])
  })

  test('is what columns advise for more than a response holds', async () => {
    const list = Array.from({ length: 101 }, (_, k) => `A${k}`)
    const large = { ...few, symbols: { list } }
    const fits = async (by?: string) =>
      (await service.send('POST', '/v1/bulk/columns', by, { payload: large })).json().fits
    expect([await fits(), await fits(service.keyOn('growth'))]).toEqual(['job', 'neither'])
    expect((await service.plain(large)).json()).toMatchObject({ error: 'too_many_groups' })
  })
})

describe('bulk jobs are bounded', () => {
  test('one of a user and four of the service at once', async () => {
    const service = forThisTest()
    service.hold(0)
    await service.begin(few)
    const again = await service.create(few)
    expect([again.statusCode, again.json().error, again.headers['retry-after']]).toEqual([429, 'bulk_busy', '30'])
    for (let k = 0; k < 3; k++) await service.begin(few, service.keyOn('alpha'))
    expect((await service.create(few, service.keyOn('alpha'))).json().error).toBe('bulk_busy')
  })

  test('by the quota, which gets back what was not answered', async () => {
    const service = forThisTest()
    const by = service.keyOn('alpha')
    const { userId, plan } = service.accounts.find(by)!
    const used = () => service.quota.used({ userId, plan })
    const answered = await service.ended(await service.begin({ ...few, symbols: { list: ['NOPE', 'AAPL'] } }, by), by)
    const looks = service.records.filter(({ status, route }) => status === 200 && route?.includes('jobs/')).length
    expect(answered.cost).toBe(1)
    expect(used()).toBe(looks + 1)
    service.quota.take({ userId, plan }, plan.dailyLimit! - used() - 1)
    const over = await service.create({ ...few, symbols: { list: ['NOPE', 'AAPL'] } }, by)
    expect([over.statusCode, over.json().message]).toEqual([429, expect.stringContaining('2 requests are needed')])
  })

  test('in disk: a job that fills it fails with its finished parts, and the next waits for room', async () => {
    const service = forThisTest({ maxBytes: 40_000 })
    const job = await service.ended(await service.begin(many))
    expect(job).toMatchObject({ state: 'failed', message: expect.stringMatching(/^no_room: /) })
    expect(job.parts.length).toBeGreaterThan(0)
    expect(sums(job)).toBe(job.groups.total)
    expect(Buffer.concat(await service.partsOf(job.id)).length).toBeLessThanOrEqual(40_000)
    const ofJob = join(service.folder, job.id)
    expect(readdirSync(ofJob).filter((name) => name.startsWith('part-'))).toHaveLength(job.parts.length)
    const gone = (await service.send('DELETE', `/v1/bulk/jobs/${job.id}`)).json()
    expect(gone).toMatchObject({ state: 'expired', parts: [], rows: 0 })
    expect(readdirSync(ofJob).filter((name) => name.startsWith('part-'))).toEqual([])
    expect(await service.ended(await service.begin(few))).toMatchObject({ state: 'done' })
  })

  test('without any disk for them, none begins', async () => {
    const service = forThisTest({ maxBytes: 0 })
    const refused = await service.create(few)
    expect([refused.statusCode, refused.json().error]).toEqual([503, 'no_room'])
  })

  test.skipIf(!canMount)('by a full disk, which is said and changes nothing', async () => {
    const disk = smallDisk(1)!
    onTestFinished(() => disk.remove())
    const service = forThisTest({ folder: join(disk.folder, 'bulk') })
    service.hold(4)
    const id = await service.begin(many)
    await expect.poll(async () => (await service.look(id)).groups.answered).toBe(4)
    disk.fill()
    service.hold(Number.POSITIVE_INFINITY)
    expect(await service.ended(id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('the disk is full')
    })
    disk.fill()
    const refused = await service.create(few)
    expect([refused.statusCode, refused.json().error]).toEqual([503, 'storage_unavailable'])
    disk.free()
    expect(await service.ended(await service.begin(few))).toMatchObject({ state: 'done' })
  })

  test('in time: a day after its end a job is gone with its files', async () => {
    const service = forThisTest()
    const { id, ended_at, expires_at } = await service.ended(await service.begin(few))
    expect(Date.parse(expires_at) - Date.parse(ended_at)).toBe(KEPT_HOURS * 3_600_000)
    service.clock.pass(KEPT_HOURS * 3_600_000)
    expect((await service.look(id)).error).toBe('job_not_found')
    await service.begin(few)
    expect(existsSync(join(service.folder, id))).toBe(false)
  })
})

describe('a bulk job that is cancelled', () => {
  test('ends at once, frees the disk and gives back what was not tried', async () => {
    const service = forThisTest()
    const { userId } = service.accounts.find(service.key)!
    service.hold(SOME)
    const id = await service.begin(many)
    await expect.poll(async () => (await service.look(id)).groups.answered).toBe(SOME)
    const job = (await service.send('DELETE', `/v1/bulk/jobs/${id}`)).json()
    expect(job).toMatchObject({ state: 'cancelled', parts: [], rows: 0, cost: SOME, groups: { answered: SOME } })
    expect(sums(job)).toBe(job.groups.total)
    expect(readdirSync(join(service.folder, id)).sort()).toEqual(['groups.json', 'job.json'])
    service.hold(Number.POSITIVE_INFINITY)
    expect(await service.ended(await service.begin(few))).toMatchObject({ state: 'done' })
    expect(service.jobs.list(userId)).toHaveLength(2)
  })
})

describe('a bulk job outlasts', () => {
  /** The folder as a sudden stop would leave it, after some answers. */
  async function stoppedAfter(request: object = many, some = SOME) {
    const service = forThisTest()
    service.hold(some - 1)
    const id = await service.begin(request)
    await expect.poll(async () => (await service.look(id)).groups.answered).toBe(some - 1)
    service.clock.pass(5000) // what is written with the next answer is made safe
    service.hold(1)
    await expect.poll(async () => (await service.look(id)).groups.answered).toBe(some)
    const folder = temporaryFolder()
    cpSync(service.folder, folder, { recursive: true })
    return { service, id, folder }
  }

  test.each([
    ...['ndjson', 'csv', 'arrow'].map((format) => [{ ...many, format }, SOME] as const),
    [series, 2],
    [{ ...quotes, format: 'arrow' }, SOME]
  ] as const)('a sudden stop of $source in $format, and leaves the same', async (request, some) => {
    const { service, id, folder } = await stoppedAfter(request, some)
    // What was written after the last safe moment may be there whole, in part or not at all.
    const [last] = readdirSync(join(folder, id))
      .filter((name) => name.startsWith('part-'))
      .toSorted()
      .reverse()
    appendFileSync(join(folder, id, last), 'cut short')
    service.hold(Number.POSITIVE_INFINITY)
    const whole = await service.ended(id)
    const { userId } = service.accounts.find(service.key)!
    const next = jobsOver(service, {
      history,
      folder,
      partLimits: small,
      onFault: (error) => service.faults.push(error)
    })
    next.start()
    await expect.poll(() => next.get(userId, id).state).toBe('done')
    await next.stop()
    const again = next.get(userId, id)
    expect(again.parts.map(({ sha256 }) => sha256)).toEqual(whole.parts.map(({ sha256 }: { sha256: string }) => sha256))
    expect(readFileSync(next.partPath(again, 1))).toEqual((await service.partsOf(id))[0])
    expect(service.faults).toEqual([])
  })

  test('a stop of the service, which keeps everything that was answered', async () => {
    const service = forThisTest()
    const { userId } = service.accounts.find(service.key)!
    service.hold(SOME)
    const id = await service.begin(many)
    await expect.poll(async () => (await service.look(id)).groups.answered).toBe(SOME)
    await service.jobs.stop()
    const next = jobsOver(service, { history, folder: service.folder, partLimits: small, onFault: () => {} })
    expect(next.get(userId, id)).toMatchObject({ state: 'running', tried: SOME, answered: SOME })
    const before = service.computed.length
    service.hold(Number.POSITIVE_INFINITY)
    next.start()
    await expect.poll(() => next.get(userId, id).state).toBe('done')
    await next.stop()
    const { total, parts } = next.get(userId, id)
    expect(service.computed.length - before).toBeLessThanOrEqual(total - SOME)
    const bytes = parts.map((_, k) => readFileSync(next.partPath(next.get(userId, id), k + 1)))
    expect(Buffer.concat(bytes).toString()).toBe((await service.plain(many)).body)
  })

  test('no upgrade, no loss of its plan and no damage of its files, and says so', async () => {
    const { service, id, folder } = await stoppedAfter()
    const { userId } = service.accounts.find(service.key)!
    const resumed = async (given: object, change: (folder: string) => void = () => {}) => {
      const copy = temporaryFolder()
      cpSync(folder, copy, { recursive: true })
      change(join(copy, id))
      const next = jobsOver(service, { history, folder: copy, partLimits: small, onFault: () => {}, ...given })
      next.start()
      await next.settled()
      await next.stop()
      return next
    }
    const upgraded = (await resumed({ program: '1.2.4' })).get(userId, id)
    expect(upgraded).toMatchObject({ state: 'failed', message: expect.stringMatching(/^formulas_changed/) })
    const lost = (await resumed({ subscriber: () => undefined })).get(userId, id)
    expect(lost).toMatchObject({ state: 'failed', message: expect.stringMatching(/^user_not_found/) })
    const damaged = await resumed({}, (job) => writeFileSync(join(job, 'groups.json'), '['))
    expect(damaged.get(userId, id)).toMatchObject({ state: 'failed', message: 'internal_error' })
    const unreadable = await resumed({}, (job) => writeFileSync(join(job, 'job.json'), '{'))
    expect(unreadable.list(userId)).toEqual([])
  })
})
