import { expect, test } from 'vitest'
import { accessLine } from '../../../src/server/operations/log.ts'

const record = {
  id: 'abc-1',
  method: 'GET',
  route: '/v1/exposure/gex/:symbol',
  path: '/v1/exposure/gex/SPY',
  status: 200,
  plan: 'growth',
  userId: 'user-1',
  seconds: 0.0000124,
  bytes: 2048,
  error: undefined
}

test('a request is one line of JSON, with the time it was answered and its duration to the microsecond', () => {
  const line = accessLine(record)
  expect(line.indexOf('\n')).toBe(line.length - 1)
  const { time, ...fields } = JSON.parse(line)
  const { error: _, ...logged } = record
  expect(fields).toEqual({ level: 30, ...logged, seconds: 0.000012, msg: 'request' })
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(2000)
})

test('a request without a key names no plan and no user', () => {
  const fields = JSON.parse(accessLine({ ...record, plan: undefined, userId: undefined }))
  expect(fields).not.toHaveProperty('plan')
  expect(fields).not.toHaveProperty('userId')
})

test.each([
  '/v1/"quoted"\\',
  '/v1/caf\u00e9',
  '/v1/\u2028line\nfeed'
])('a path is logged as it was asked for: %j', (path) => {
  const line = accessLine({ ...record, path, plan: 'the "best" plan' })
  expect(line.indexOf('\n')).toBe(line.length - 1)
  expect(JSON.parse(line)).toMatchObject({ path, plan: 'the "best" plan' })
})
