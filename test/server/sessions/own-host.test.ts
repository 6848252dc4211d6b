import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { isLoopback, ownHosts } from '../../../src/server/sessions/own-host.ts'

const isOwn = ownHosts(['127.0.0.1', 'Dash.Example'])

test.each([
  '127.0.0.1:8080',
  '192.168.1.20:8080',
  '[::1]:8080',
  'localhost',
  'LOCALHOST:8080',
  hostname(),
  `${hostname()}.local:8080`,
  'dash.example',
  'DASH.example:443'
])('%s is a name of this service', (host) => {
  expect(isOwn(host)).toBe(true)
})

test.each([
  undefined,
  '',
  'evil.example',
  'evil.example:8080',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'dash.example.evil.example',
  'xdash.example',
  'evil@127.0.0.1',
  '127.0.0.1@evil.example',
  '127.0.0.1:80:80',
  '127.0.0.1/evil',
  '127.0.0.1 evil',
  '127.0.0.1:port',
  '[::1',
  'a'.repeat(10_000)
])('%s is none', (host) => {
  expect(isOwn(host)).toBe(false)
})

test('the machine itself is known by its addresses and by localhost', () => {
  const loopback = ['127.0.0.1', '127.0.0.1:8080', '127.1.2.3', '::1', '[::1]:8080', 'localhost:1']
  const others = [undefined, '', '10.0.0.1', '0.0.0.0', '::', '[::2]:80', '127.evil.example', hostname()]
  expect(loopback.filter((host) => !isLoopback(host))).toEqual([])
  expect(others.filter(isLoopback)).toEqual([])
})
