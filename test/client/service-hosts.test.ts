import { expect, test } from 'vitest'
import { reconnectDelay, slower } from '../../src/client/reconnect-delay.ts'
import { retryAfterOf } from '../../src/client/request-error.ts'
import { addressOf, hostsOf } from '../../src/client/service-hosts.ts'

test('replay and stream stand on the next two ports unless they are named', () => {
  expect(hostsOf('http://127.0.0.1:8080/')).toEqual({
    rest: 'http://127.0.0.1:8080',
    replay: 'http://127.0.0.1:8081',
    stream: 'ws://127.0.0.1:8082'
  })
  expect(hostsOf('https://api.example.com')).toEqual({
    rest: 'https://api.example.com',
    replay: 'https://api.example.com',
    stream: 'wss://api.example.com'
  })
  expect(hostsOf('http://a:1', { streamUrl: 'ws://b:2/ws' }).stream).toBe('ws://b:2')
  const named = { replayUrl: 'https://replay.example.com/', streamUrl: 'https://stream.example.com' }
  expect(hostsOf('https://api.example.com', named)).toMatchObject({
    replay: 'https://replay.example.com',
    stream: 'wss://stream.example.com'
  })
})

test.each([['no address'], ['127.0.0.1:8080']])('%s is refused at once', (url) => {
  expect(() => hostsOf(url)).toThrow()
  expect(() => hostsOf('http://127.0.0.1:8080', { streamUrl: url })).toThrow()
})

test('what a parameter holds cannot leave its place in an address', () => {
  const params = { symbol: 'a/b?c$&', symbols: 'SPY,QQQ', at: undefined }
  expect(addressOf('http://h', '/v1/x/{symbol}', params)).toBe('http://h/v1/x/a%2Fb%3Fc%24%26?symbols=SPY%2CQQQ')
})

test('Retry-After is read in seconds and as a moment', () => {
  const now = Date.parse('2026-05-12T16:30:00Z')
  expect(retryAfterOf('120')).toBe(120_000)
  expect(retryAfterOf('Tue, 12 May 2026 16:31:00 GMT', now)).toBe(60_000)
  expect(retryAfterOf('Tue, 12 May 2026 16:29:00 GMT', now)).toBe(0)
  expect([retryAfterOf(null), retryAfterOf('soon')]).toEqual([undefined, undefined])
})

test('the wait between attempts doubles from half a second to half a minute, and a random share of it is taken', () => {
  expect([0, 1, 2, 5, 6, 7, 2000].map((attempt) => reconnectDelay(attempt, () => 1))).toEqual([
    500, 1000, 2000, 16_000, 30_000, 30_000, 30_000
  ])
  expect([0, 0.5].map((share) => reconnectDelay(3, () => share))).toEqual([0, 2000])
})

test('a slower pace is half as fast, between one second and one minute', () => {
  expect([slower(), slower(0), slower(100), slower(5000), slower(60_000)]).toEqual([2000, 1000, 1000, 10_000, 60_000])
})
