import { afterEach, describe, expect, test } from 'vitest'
import { fetchPayload, type HttpSource, type Validators } from '../../../src/connectors/port/http.ts'
import {
  brokenOff,
  hangsUp,
  payload,
  type SourceServer,
  says,
  silent,
  startSource,
  validated
} from '../../support/source-server.ts'

const NOW = Date.parse('2026-07-29T15:00:00Z')
const acme: HttpSource = { vendor: 'Acme', limits: { time: 300, size: 1000 }, headers: { authorization: 'Bearer abc' } }
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
    const answer = await ask(validated('[1]', '"v1"'))
    expect(answer).toEqual({
      status: 'changed',
      bytes: Buffer.from('[1]'),
      validators: { etag: '"v1"', modified: undefined }
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
    await expect(ask(conduct)).rejects.toMatchObject({ fault, message: expect.stringContaining(sentence) })
  })

  test.each([
    ['2', 2000],
    ['Wed, 29 Jul 2026 15:00:30 GMT', 30_000],
    ['Wed, 29 Jul 2026 14:00:00 GMT', 0],
    ['soon', undefined]
  ])('with the wait the vendor asks for: %s', async (retryAfter, expected) => {
    const asked = ask(says(429, '', { 'retry-after': retryAfter }))
    await expect(asked).rejects.toMatchObject({ fault: 'rate_limited', retryAfter: expected })
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
