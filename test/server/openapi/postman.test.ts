import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { features } from '../../../src/api/feature.ts'
import { endpointsWith } from '../../../src/endpoints/index.ts'
import { openApiDocument } from '../../../src/server/openapi/openapi.ts'
import { postmanText } from '../../../src/server/openapi/postman.ts'
import { service } from '../../support/service.ts'

// The part of the schema of Postman Collection Format 2.1.0 that a collection without scripts and cookies uses.
const text = { type: 'string' }
const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required
})
const list = (items: object) => ({ type: 'array', items })
const pair = object(
  { key: text, value: text, type: { enum: ['string'] }, description: text, disabled: { type: 'boolean' } },
  ['key', 'value']
)
const url = object({ raw: text, host: list(text), path: list(text), query: list(pair), variable: list(pair) }, ['raw'])
const auth = object({ type: { enum: ['apikey', 'noauth'] }, apikey: list(pair) }, ['type'])
const body = object({ mode: { const: 'raw' }, raw: text, options: object({ raw: object({ language: text }) }) }, [
  'mode',
  'raw'
])
const request = object(
  {
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    header: list(pair),
    url,
    description: text,
    auth,
    body
  },
  ['method', 'url']
)
const response = object({
  name: text,
  originalRequest: request,
  status: text,
  code: { type: 'integer' },
  _postman_previewlanguage: text,
  header: list(pair),
  body: text
})
const item = object({ name: text, description: text, request, response: list(response) }, [
  'name',
  'request',
  'response'
])
const folder = object({ name: text, description: text, item: list(item) }, ['name', 'item'])
const collection = object(
  {
    info: object(
      {
        name: text,
        description: text,
        schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }
      },
      ['name', 'schema']
    ),
    auth,
    variable: list(pair),
    item: list(folder)
  },
  ['info', 'item']
)

const endpoints = endpointsWith(features)
const document = openApiDocument(endpoints, { version: '1.2.3' })
const made = JSON.parse(postmanText(document))
type Made = {
  request: { method: string; url: { raw: string; path: string[]; query?: Pair[]; variable?: Pair[] } }
  response: object[]
}
type Pair = { key: string; value: string; disabled?: boolean }
const items: Made[] = made.item.flatMap((folder: { item: Made[] }) => folder.item)

describe('the collection', () => {
  test('is of the form that Postman reads', () => {
    const check = new Ajv({ allErrors: true }).compile(collection)
    check(made)
    expect(check.errors ?? []).toEqual([])
  })

  test('has each operation of the document once, aliases aside, with its example', () => {
    const { paths } = document as { paths: Record<string, Record<string, { 'x-alias-of'?: string }>> }
    const listed = Object.entries(paths).flatMap(([path, of]) =>
      Object.entries(of)
        .filter(([, operation]) => operation['x-alias-of'] === undefined)
        .map(([method]) => `${method.toUpperCase()} ${path}`)
    )
    const held = items.map(
      ({ request: { method, url } }) => `${method} /${url.path.map((part) => part.replace(/^:(.+)/, '{$1}')).join('/')}`
    )
    expect(held.sort()).toEqual(listed.sort())
    expect(items.filter((one) => one.response.length === 0).map(({ request }) => request.url.raw)).toEqual([
      '{{baseUrl}}/openapi.json'
    ])
  })

  test('has a value for every variable of a path and every parameter that is required', () => {
    for (const { request } of items) {
      const { raw, path, variable = [], query = [] } = request.url
      const open = path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
      expect(variable.map(({ key }) => key)).toEqual(open)
      for (const { key, value, disabled } of [...variable, ...query])
        if (disabled !== true) expect(value, `${raw} ${key}`).not.toBe('')
    }
  })

  test('takes address and key from variables, the address below its prefix', () => {
    expect(made.variable.map(({ key, value }: Pair) => [key, value])).toEqual([
      ['baseUrl', 'http://127.0.0.1:8080'],
      ['apiKey', '']
    ])
    const past = JSON.parse(postmanText({ ...document, servers: [{ url: '/replay' }] }))
    expect(past.variable[0].value).toBe('http://127.0.0.1:8080/replay')
  })

  test('sends requests that the service answers', async () => {
    const host = service({ endpoints })
    const key = host.keyOn('enterprise')
    const asked = items.filter(({ request: { method, url } }) => method === 'GET' && url.path[0] !== 'health')
    const [gex] = asked.filter(({ request: { url } }) => url.raw.endsWith('/v1/exposure/gex/:symbol'))
    const { raw, variable = [] } = gex!.request.url
    const path = variable.reduce(
      (address, one) => address.replace(`:${one.key}`, one.value),
      raw.replace('{{baseUrl}}', '')
    )
    expect((await host.ask(path, key)).statusCode).toBe(200)
    await host.close()
  })
})
