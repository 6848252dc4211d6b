import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { post } from '../../src/alerts/webhook/post.ts'
import type { Resolve } from '../../src/alerts/webhook/public-names.ts'
import { nextAttempt } from '../../src/alerts/webhook/retry.ts'
import { newSecret, signedHeaders } from '../../src/alerts/webhook/signature.ts'
import { isPublicAddress, readWebhookUrl } from '../../src/alerts/webhook/webhook-url.ts'

async function receiver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/hook?token=s3cret`, asked: () => requests }
}

const message = (url: string) => ({ url, headers: { 'webhook-id': 'a' }, body: '{}' })

describe('a signature', () => {
  test('is the one that the specification gives for its example', () => {
    // The example of the Python library of Standard Webhooks.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const body = '{"test": 2432232314}'
    const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_000, body, [secret])
    expect(headers['webhook-timestamp']).toBe('1614265330')
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('is there once for each secret, the newest first', () => {
    const [a, b] = [newSecret(), newSecret()]
    expect(a).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    const signed = signedHeaders('id', 5000, 'body', [a, b])['webhook-signature']
    const own = [a, b].map((secret) => {
      const key = Buffer.from(secret.slice(6), 'base64')
      return `v1,${createHmac('sha256', key).update('id.5.body').digest('base64')}`
    })
    expect(signed).toBe(own.join(' '))
  })
})

const notPublic: Readonly<Record<string, readonly string[]>> = {
  private: ['10.0.0.0', '10.1.2.3', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  loopback: ['127.0.0.1', '127.9.9.9', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '0.255.255.255', '::'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf:ffff::1'],
  'metadata of clouds': ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
  'carrier-grade NAT': ['100.64.0.0', '100.64.0.1', '100.127.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.8', '192.0.0.255', '2001:1::1', '2001:1ff::1'],
  documentation: [
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '2001:db8::1',
    '2001:db8:ffff::1',
    '3fff::1',
    '3fff:fff::1'
  ],
  benchmark: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  '6to4 relays': ['192.88.99.1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  'unique local': ['fc00::1', 'fd12::1', 'fdff:ffff::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'IPv4 as IPv6': [
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:0:127.0.0.1'
  ],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:a00:1::1'],
  ORCHID: ['2001:10::1', '2001:20::1', '2001:2f:ffff::1', '2001:30::1'],
  discard: ['100::1', '100::ffff:ffff:ffff:ffff'],
  unassigned: ['1::1', '1fff:ffff::1', '4000::1', '5f00::1', '8000::1', 'e000::1', 'fe00::1'],
  'no address': [
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '010.0.0.1',
    '8.8.8',
    '134744072',
    '[::1]',
    '8.8.8.8 ',
    ':::'
  ]
}

const isPublic = ['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.1', '126.255.255.255']
  .concat([
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.1',
    '191.255.255.255',
    '192.0.1.0'
  ])
  .concat([
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0'
  ])
  .concat(['203.0.112.255', '203.0.114.0', '223.255.255.255', '2000::1', '2001:200::1', '2001:db7::1', '2001:db9::1'])
  .concat(['2003::1', '2606:4700::1111', '2a00:1450:4001::1', '3ffe:ffff::1', '3fff:1000::1', '3fff:ffff:ffff::1'])

test.each(Object.entries(notPublic))('%s is not public', (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})

test('an address outside of the special ranges is public', () => {
  expect(isPublic.filter((address) => !isPublicAddress(address))).toEqual([])
})

describe('the address of a webhook', () => {
  test.each([
    ['http://example.com/', 'https://'],
    ['ftp://example.com/', 'https://'],
    ['example.com', 'a URL'],
    ['https://user:pass@example.com/', 'password'],
    ['https://127.0.0.1/', 'private'],
    ['https://2130706433/', 'private'],
    ['https://0x7f.1/', 'private'],
    ['https://[::1]/', 'private'],
    ['https://[::ffff:10.0.0.1]/', 'private'],
    [`https://example.com/${'a'.repeat(2000)}`, 'a URL']
  ])('%s is refused', (url, why) => {
    expect(() => readWebhookUrl(url, false)).toThrow(why)
  })

  test('may lead into the own network, without TLS, where the operator lets it', () => {
    expect(readWebhookUrl('http://127.0.0.1:9000/a?b=c#d', true).href).toBe('http://127.0.0.1:9000/a?b=c')
  })
})

describe('a post', () => {
  test('is delivered by any status from 200 to 299, and says what else was answered', async () => {
    const statuses = [204, 500, 410]
    const { url } = await receiver((_request, response) => response.writeHead(statuses.shift()!).end('whatever'))
    expect(await post(message(url), { allowPrivate: true })).toEqual({
      delivered: true,
      status: 204,
      failure: undefined
    })
    const refused = await post(message(url), { allowPrivate: true })
    expect(refused).toEqual({ delivered: false, status: 500, failure: 'it answered 500' })
    expect((await post(message(url), { allowPrivate: true })).status).toBe(410)
  })

  test('follows no redirect', async () => {
    const aim = await receiver((_request, response) => response.end())
    const { url } = await receiver((_request, response) => response.writeHead(307, { location: aim.url }).end())
    const posted = await post(message(url), { allowPrivate: true })
    expect([posted.delivered, posted.failure]).toEqual([false, 'it answered 307: redirects are not followed'])
    expect(aim.asked()).toBe(0)
  })

  test('ends where nothing answers in time, the connection is closed, or its caller ends it', async () => {
    const silent = await receiver(() => {})
    const slow = await post(message(silent.url), { allowPrivate: true, timeout: 50 })
    expect(slow.failure).toBe('no answer within 0.05 s')
    const closing = await receiver((request) => request.socket.destroy())
    const closed = await post(message(closing.url), { allowPrivate: true })
    expect(closed.failure).toBe('the connection was closed without an answer')
    const end = new AbortController()
    const posted = post(message(silent.url), { allowPrivate: true, signal: end.signal })
    end.abort()
    expect((await posted).failure).toBe('the service was stopped')
  })

  test('reads no endless answer', async () => {
    const { url } = await receiver((_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (response.write('x'.repeat(4096)));
        response.once('drain', more)
      }
      more()
    })
    expect((await post(message(url), { allowPrivate: true })).delivered).toBe(true)
  })

  test('connects to no private address, however its name leads there', async () => {
    const { port, asked } = await receiver((_request, response) => response.end())
    const resolveTo =
      (...addresses: string[]): Resolve =>
      (_host, _options, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        )
    const url = `http://inside.example:${port}/`
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
      const posted = await post(message(url), { allowPrivate: false, resolve: resolveTo(...addresses) })
      expect(posted.failure).toBe('the name leads to an address of a private network')
    }
    const literal = await post(message(`http://127.0.0.1:${port}/`), { allowPrivate: false })
    expect(literal.failure).toBe('the name leads to an address of a private network')
    expect(asked()).toBe(0)
  })

  test('tells nothing of its address in what it says', async () => {
    const { url } = await receiver((_request, response) => response.writeHead(404).end())
    expect(JSON.stringify(await post(message(url), { allowPrivate: true }))).not.toContain('s3cret')
  })
})

test('attempts come ever later, and end when a day is over', () => {
  const [fired, times]: [number, number[]] = [1_000_000, []]
  let now = fired
  for (let attempts = 1; ; attempts++) {
    const next = nextAttempt(fired, attempts, now, 0.5)
    if (next === undefined) break
    times.push(next - now)
    now = next
  }
  expect(times.slice(0, 3)).toEqual([5000, 30_000, 120_000])
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(now - fired).toBeLessThanOrEqual(86_400_000)
  expect(now - fired).toBeGreaterThan(70_000_000)
})
