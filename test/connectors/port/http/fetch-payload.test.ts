import { afterEach, describe, expect, test } from 'vitest'
import { fetchPayload, type HttpSource, type Validators } from '../../../../src/connectors/port/http/fetch-payload.ts'
import {
  brokenOff,
  hangsUp,
  payload,
  type SourceServer,
  says,
  silent,
  startSource,
  validated
} from '../../../support/source-server.ts'

const NOW = Date.parse('2026-07-29T15:00:00Z')
const limits = { time: 30_000, size: 1000 }
const acme: HttpSource = { vendor: 'Acme', limits, headers: { authorization: 'Bearer abc' } }
/** A short time limit for sources that do not answer. */
const impatient = { limits: { ...limits, time: 300 } }
const open: SourceServer[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

type Conduct = Parameters<SourceServer['conducts']['set']>[1]

/** Asks a vendor that does as `conduct` says. */
async function ask(conduct: Conduct, source: Partial<HttpSource> = {}, held?: Validators, signal?: AbortSignal) {
  const server = await startSource()
  open.push(server)
  server.conducts.set('SPY', conduct)
  const address = `${server.url}/SPY.json`
  return fetchPayload({ ...acme, ...source }, { address, held, now: NOW, signal: signal ?? AbortSignal.any([]) })
}

describe('a payload', () => {
  test('comes with its bytes and what it is known by', async () => {
    const served = new Date('2026-07-29T15:00:00Z')
    const answer = await ask((request, response) => {
      response.setHeader('date', served.toUTCString())
      return validated('[1]', '"v1"')(request, response)
    })
    expect(answer).toEqual({
      status: 'changed',
      bytes: Buffer.from('[1]'),
      validators: { etag: '"v1"', modified: undefined },
      servedAt: served.getTime()
    })
  })

  test('is not sent again while it is unchanged', async () => {
    const held = { etag: '"v1"', modified: undefined }
    expect(await ask(validated('[1]', '"v1"'), {}, held)).toEqual({ status: 'unchanged' })
  })

  test('is asked for with the headers of the vendor and the time of the one that is held', async () => {
    const sent: Record<string, unknown>[] = []
    const held = { etag: undefined, modified: 'Wed, 29 Jul 2026 14:00:00 GMT' }
    await ask(
      (request, response) => {
        sent.push(request.headers)
        response.end('[]')
      },
      {},
      held
    )
    expect(sent).toMatchObject([{ authorization: 'Bearer abc', 'if-modified-since': held.modified }])
    expect(sent[0]).not.toHaveProperty('if-none-match')
  })

  test('that is not there is absent', async () => {
    expect(await ask(says(404))).toEqual({ status: 'absent', code: 404 })
  })

  test('is absent in the words of a vendor that has its own', async () => {
    const absent = { status: 400, text: /^unknown symbol/ }
    expect(await ask(says(400, 'unknown symbol SPY'), { absent })).toEqual({ status: 'absent', code: 400 })
    await expect(ask(says(400, 'bad request'), { absent })).rejects.toMatchObject({ fault: 'refused' })
    await expect(ask(says(400, 'unknown symbol SPY'))).rejects.toMatchObject({ fault: 'refused' })
  })
})

describe('trouble is one of five faults, in a sentence that names the vendor', () => {
  test.each<[string, Conduct, string, string]>([
    ['401', says(401), 'refused', 'Acme refuses with status 401'],
    ['402', says(402), 'refused', 'Acme refuses with status 402'],
    ['429', says(429), 'rate_limited', 'Acme asks for fewer requests'],
    ['502', says(502), 'unavailable', 'Acme answers with status 502'],
    ['no connection', hangsUp, 'unavailable', 'Acme cannot be reached: '],
    ['no answer in time', silent, 'timeout', 'Acme did not answer within 0.3 seconds'],
    ['too many bytes', payload('x'.repeat(1001)), 'malformed', 'the answer of Acme is larger than 1000 bytes'],
    ['a cut-off', brokenOff('x'.repeat(500)), 'malformed', 'the answer of Acme broke off: ']
  ])('%s', async (_, conduct, fault, sentence) => {
    const asked = ask(conduct, conduct === silent ? impatient : {})
    await expect(asked).rejects.toMatchObject({ fault, message: expect.stringContaining(sentence) })
  })

  test.each([
    ['2', 2000],
    ['Wed, 29 Jul 2026 15:00:30 GMT', 30_000],
    ['Wed, 29 Jul 2026 14:00:00 GMT', 0],
    ['soon', undefined],
    ['99999999999999999999999', 86_400_000],
    ['Wed, 29 Jul 2099 15:00:00 GMT', 86_400_000]
  ])('with the wait the vendor asks for, a day at most: %s', async (retryAfter, expected) => {
    const asked = ask(says(429, '', { 'retry-after': retryAfter, date: new Date(NOW).toUTCString() }))
    await expect(asked).rejects.toMatchObject({ fault: 'rate_limited', retryAfter: expected })
  })

  test('with the wait by the clock of the vendor, whatever ours says', async () => {
    const date = new Date(NOW - 3_600_000)
    const retryAfter = new Date(date.getTime() + 30_000).toUTCString()
    const headers = { date: date.toUTCString(), 'retry-after': retryAfter, 'x-ends': String(date.getTime() + 20_000) }
    await expect(ask(says(429, '', headers))).rejects.toMatchObject({ retryAfter: 30_000 })
    const limit = (given: Headers, now: number) => ({ left: 0, endsIn: Number(given.get('x-ends')) - now })
    await expect(ask(says(429, '', { ...headers, 'retry-after': '' }), { limit })).rejects.toMatchObject({
      retryAfter: 20_000
    })
  })

  test.each<[string, Conduct, string, string]>([
    ['unchanged, where nothing is held', says(304), 'malformed', 'Acme says that nothing changed, which was not asked'],
    ['a part that nobody asked for', says(206, '[1]'), 'malformed', 'the answer of Acme is only a part']
  ])('%s', async (_, conduct, fault, sentence) => {
    await expect(ask(conduct)).rejects.toMatchObject({ fault, message: sentence })
  })

  test('that a header cannot be sent does not tell what is in it', async () => {
    const error = await ask(says(200), { headers: { authorization: 'Bearer abc\nd' } }).catch((reason) => reason)
    expect(error).toMatchObject({ fault: 'unavailable', message: expect.stringContaining('Acme cannot be reached: ') })
    expect(error.message).not.toContain('abc')
  })

  test('comes with what the vendor says of it, for those that keep answers, and as far as it comes', async () => {
    const kept: string[] = []
    const onAnswer = ({ status, bytes }: { readonly status: number; readonly bytes: Uint8Array }) =>
      void kept.push(`${status} ${bytes.length} ${Buffer.from(bytes.subarray(0, 10))}`)
    const conducts: readonly Conduct[] = [
      says(403, 'no such plan'),
      says(500, 'x'.repeat(100_000)),
      (_, response) => void response.writeHead(503).write('half of it', () => response.destroy()),
      (_, response) => void response.writeHead(401).write('not at all')
    ]
    for (const conduct of conducts) {
      const source = { onAnswer, limits: { ...limits, time: 2000 } }
      await expect(ask(conduct, source)).rejects.toMatchObject({
        fault: expect.stringMatching(/refused|unavailable/)
      })
    }
    expect(kept).toEqual(['403 12 no such pl', '500 65536 xxxxxxxxxx', '503 10 half of it', '401 10 not at all'])
  })

  test('an end of the request by its caller is none', async () => {
    const reason = new Error('no longer wanted')
    await expect(ask(silent, {}, undefined, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

describe('a redirect', () => {
  const moved = (location: string, status = 302) => says(status, '', { location })

  test.each([
    301, 302, 303, 307, 308
  ])('with status %s is followed within its own host, with the headers', async (status) => {
    const server = await startSource()
    open.push(server)
    server.conducts.set('SPY', moved('/quotes/NEW.json', status))
    server.conducts.set('NEW', (request, response) => void response.end(request.headers.authorization))
    const address = `${server.url}/SPY.json`
    const answer = await fetchPayload(acme, { address, held: undefined, now: NOW, signal: AbortSignal.any([]) })
    expect(answer).toMatchObject({ status: 'changed', bytes: Buffer.from('Bearer abc') })
  })

  test('to another host, port or scheme is refused, and nothing is asked there', async () => {
    const other = await startSource()
    open.push(other)
    other.conducts.set('SPY', payload('[1]'))
    const places = [
      `${other.url}/SPY.json`,
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      '//localhost:1/x',
      'http://'
    ]
    for (const location of places) {
      await expect(ask(moved(location))).rejects.toMatchObject({
        fault: 'refused',
        message: expect.stringContaining('Acme sends us to')
      })
    }
    expect(other.asked('SPY')).toEqual([])
  })

  test('to itself ends after a few', async () => {
    const asked = ask(moved('/quotes/SPY.json'))
    await expect(asked).rejects.toMatchObject({
      fault: 'refused',
      message: 'Acme sends us from one address to the next'
    })
    expect(open.at(-1)!.asked('SPY')).toHaveLength(6)
  })
})
