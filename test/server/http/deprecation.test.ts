import { expect, onTestFinished, test } from 'vitest'
import { wireTypes } from '../../../src/api/wire-types.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { openApiDocument } from '../../../src/server/openapi/openapi.ts'
import { type Document, pythonModules } from '../../../src/server/openapi/python-client.ts'
import { service } from '../../support/service.ts'

const levels = endpoints.find(({ id }) => id === 'exposure.levels')!
const path = '/v1/exposure/levels/{symbol}'
const deprecated = { since: '2026-12-01' as IsoDate, sunset: '2027-06-01' as IsoDate, instead: '/v1/levels/{symbol}' }
const declared = [{ ...levels, deprecated }]
const sentence = 'Deprecated since 2026-12-01 and gone from 2027-06-01 on: use /v1/levels/{symbol}.'
const headers = {
  deprecation: '@1796083200',
  sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
  link: '</docs/versioning>; rel="deprecation"; type="text/html"'
}

test('answers of a deprecated endpoint say since when and until when, made anew, kept, and refused', async () => {
  const { ask, keyOn, close } = service({ endpoints: declared })
  onTestFinished(close)
  const key = keyOn('alpha')
  for (const time of ['first', 'second']) {
    const answer = await ask('/v1/exposure/levels/SPY', key)
    expect([time, answer.statusCode]).toEqual([time, 200])
    expect(answer.headers).toMatchObject(headers)
  }
  const refused = await ask('/v1/exposure/levels/SPY?expiration=never', key)
  expect(refused.statusCode).toBe(400)
  expect(refused.headers).toMatchObject(headers)
})

test('other endpoints say nothing of it', async () => {
  const { ask, keyOn, close } = service({ endpoints: [levels] })
  onTestFinished(close)
  const answer = await ask('/v1/exposure/levels/SPY', keyOn('alpha'))
  for (const name of Object.keys(headers)) expect(answer.headers).not.toHaveProperty(name)
})

test('the OpenAPI document and the types of both clients mark it', () => {
  const document = openApiDocument(declared, { version: 'any' }) as Document
  const operation = document.paths[path]['get']
  expect(operation).toMatchObject({ deprecated: true, description: expect.stringContaining(sentence) })
  expect(JSON.stringify(operation.responses[200])).toContain('#/components/headers/Sunset')
  expect(wireTypes(declared)).toContain(`/** @deprecated ${sentence} `)
  expect(pythonModules(document, new Set()).operations).toContain(sentence)
})
