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

test('what requests share is written once, and each line says the same as if it were alone', () => {
  const [one, other] = [{}, {}]
  const elsewhere = { ...record, path: '/v1/exposure/gex/QQQ', userId: 'user-2' }
  const fieldsOf = (line: string) => ({ ...JSON.parse(line), time: '' })
  for (let k = 0; k < 3; k++) {
    const mine = { ...record, id: `abc-${k}`, status: k === 1 ? 304 : 200, seconds: k / 1000, bytes: k }
    expect(fieldsOf(accessLine(mine, one))).toEqual(fieldsOf(accessLine(mine)))
    expect(fieldsOf(accessLine({ ...elsewhere, id: `${k}` }, other))).toEqual(
      fieldsOf(accessLine({ ...elsewhere, id: `${k}` }))
    )
  }
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
