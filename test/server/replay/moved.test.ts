import { afterAll, expect, test } from 'vitest'
import { service } from '../../support/service.ts'

const live = service()
afterAll(() => live.close())

test.each([
  ['/historical/stockquote/SPY', '/stockquote/{ticker}'],
  ['/historical/optionquote/SPY?expiry=2026-08-21', '/optionquote/{ticker}']
])('%s of older clients names %s of the replay host with its at', async (url, path) => {
  const { statusCode, json, headers } = await live.ask(url, live.keyOn('free'))
  expect([statusCode, json().error]).toEqual([404, 'moved_to_replay_host'])
  expect(json().message).toContain(`the replay host for ${path}?at=`)
  expect(headers['x-ratelimit-limit']).toBe('5')
  expect((await live.ask(url)).statusCode).toBe(401)
})
