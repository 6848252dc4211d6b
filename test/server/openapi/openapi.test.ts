import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { apiError, type ErrorCode } from '../../../src/api/error.ts'
import { defaultPlans } from '../../../src/api/plan.ts'
import { answerName } from '../../../src/api/schema-names.ts'
import { modelIds } from '../../../src/endpoints/exposure/dealer-model.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { adminPaths } from '../../../src/server/admin/admin.ts'
import { alertPaths } from '../../../src/server/alerts/mount-alerts.ts'
import { bulkPaths } from '../../../src/server/bulk/bulk-document.ts'
import { documentPaths } from '../../../src/server/documents/mount-documents.ts'
import { refusalBody } from '../../../src/server/http/refusal.ts'
import { openApiDocument } from '../../../src/server/openapi/openapi.ts'
import { mountSwagger } from '../../../src/server/openapi/swagger.ts'
import { streamDocument } from '../../../src/server/stream/stream-document.ts'
import { ownContractFiles } from '../../support/own-contract.ts'
import { ownEndpoints } from '../../support/own-endpoints.ts'
import { usedOnce } from '../../support/schemas-used-once.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
interface Content {
  readonly [type: string]: {
    readonly schema: Schema
    readonly example?: unknown
    readonly examples?: { readonly asked: { readonly value: unknown } }
  }
}
interface ResponseItem {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
  readonly 'x-error-codes'?: readonly ErrorCode[]
}
interface ParameterItem {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
  readonly 'x-form'?: true
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly 'x-plan': string
  readonly 'x-alias-of'?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly ParameterItem[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, ResponseItem>>
}
interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const document = openApiDocument(endpoints, {
  version: '1.2.3',
  extraPaths: { ...bulkPaths, ...adminPaths, ...alertPaths, ...documentPaths, ...streamDocument }
}) as Document
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method,
    operation
  }))
)

/** Served and part of the contract, but no address may belong to two paths of a document: it is named in words. */
const ambiguous = '/v1/surface/svi/{symbol}'

function resolved<Item>(root: object, item: Item & { readonly $ref?: string }): Item {
  if (item.$ref === undefined) return item
  const keys = item.$ref.slice(2).split('/')
  const target = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root)
  if (target === undefined) throw new Error(`${item.$ref} leads nowhere`)
  return resolved(root, target as Item & { readonly $ref?: string })
}

/** A schema with every reference replaced by what it names. */
function whole(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(whole)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, ...rest } = schema as { $ref?: string }
  if ($ref !== undefined) return whole(resolved(document, { $ref }))
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, whole(value)]))
}

/** A declared schema as plain JSON, without what names it. */
function untitled(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (_, value) => {
      if (value?.allOf?.length === 1) return untitled(value.allOf[0])
      return value?.type === 'object' ? { ...value, title: undefined } : value
    })
  )
}

const isPublic = ({ tags, 'x-plan': plan }: Operation) => plan === 'public' && !tags.includes('system')

const ajv = new Ajv2020({ ...usedOnce, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'document')

/** Validators by the text of their schema: most operations share the bodies of their errors. */
const compiled = new Map<string, ValidateFunction>()
const compile = (schema: object): ValidateFunction => {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
  const known = compiled.get(text)
  if (known !== undefined) return known
  const validate = ajv.compile(JSON.parse(text))
  compiled.set(text, validate)
  return validate
}

describe('the OpenAPI document', () => {
  test('has the parts that OpenAPI 3.1 asks for', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'gammawall', version: '1.2.3' })
    expect(document.components['securitySchemes']).toEqual({
      ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      ApiKeyBearer: { type: 'http', scheme: 'bearer' },
      ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'apiKey' }
    })
    for (const requirement of document.security) {
      for (const scheme of Object.keys(requirement))
        expect(document.components['securitySchemes']).toHaveProperty(scheme)
    }
    for (const names of Object.values(document.components)) {
      for (const name of Object.keys(names)) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/)
    }
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, $ref]) => $ref)
    expect(references.length).toBeGreaterThan(100)
    for (const $ref of new Set(references)) expect(() => resolved(document, { $ref })).not.toThrow()
  })

  test('holds no shared part that nothing refers to', () => {
    const { securitySchemes: _, ...parts } = document.components
    const text = JSON.stringify(document)
    const unused = Object.entries(parts).flatMap(([kind, named]) =>
      Object.keys(named).filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
    )
    expect(unused).toEqual([])
  })

  test('gives every parameter an example of its own type', () => {
    const wrong: string[] = []
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const { parameters } of Object.values(operations)) {
        for (const { name, example, schema } of parameters ?? []) {
          if (example !== undefined && !compile(schema)(example)) wrong.push(`${path} ${name}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('names every object that has fields, each shape once', () => {
    const schemas = document.components['schemas']
    const nameless: string[] = []
    const look = (part: unknown, place: string) => {
      if (typeof part !== 'object' || part === null) return
      const { properties } = part as { properties?: unknown }
      if (properties !== undefined && !place.endsWith('/properties')) nameless.push(place)
      for (const [name, child] of Object.entries(part)) look(child, `${place}/${name}`)
    }
    look(document.paths, 'paths')
    for (const [name, schema] of Object.entries(schemas)) {
      for (const [key, child] of Object.entries(schema as object)) look(child, `${name}/${key}`)
    }
    expect(nameless).toEqual([])

    const answers = new Set(endpoints.map(answerName))
    const byShape = new Map<string, string>()
    for (const [name, schema] of Object.entries(schemas).filter(([name]) => !answers.has(name))) {
      const text = JSON.stringify(schema)
      expect(byShape.get(text), `${name} wants a title in its schema: the same object has another name`).toBe(undefined)
      byShape.set(text, name)
    }
  })

  test('offers the words of a closed set as an enum', () => {
    const find = (path: string, name: string) =>
      document.paths[path]['get'].parameters?.find((parameter) => parameter.name === name)?.schema
    expect(find('/v1/exposure/gex/{symbol}', 'dealer_model')).toMatchObject({ enum: modelIds })
    expect(find('/v1/exposure/matrix/{symbol}', 'by')).toMatchObject({
      enum: ['expiration', 'time'],
      default: 'expiration'
    })
    expect(find('/v1/strategies/yield-enhancement/{symbol}', 'excludeEarningsBeforeExpiry')).toMatchObject({
      enum: ['0', '1', 'true', 'false'],
      default: '1'
    })
  })

  test('describes every tag in use and no other', () => {
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(new Set(operations.flatMap((o) => o.operation.tags)))
    for (const tag of document.tags) expect(tag.description, tag.name).toBeTruthy()
  })

  test('gives every operation an id of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
  })

  test('tells apart no two paths by the names of their parameters alone', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  test.each(operations)('$name is a sound operation', ({ path, method, operation }) => {
    expect(['get', 'post', 'put', 'patch', 'delete']).toContain(method)
    expect(operation.summary).toBeTruthy()
    expect(operation.description.length).toBeGreaterThan(40)
    expect(operation.description).not.toContain(operation.summary)
    expect(operation.deprecated).toBe(false)
    expect(['public', ...defaultPlans.all.map(({ id }) => id)]).toContain(operation['x-plan'])
    const bodiless = ['/v1/stream/ticket', '/v1/admin/symbols/{symbol}/accept', '/v1/admin/reload']
    const hasBody = ['post', 'put', 'patch'].includes(method) && !bodiless.includes(path)
    expect(operation.requestBody !== undefined).toBe(hasBody)

    const parameters = operation.parameters ?? []
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => name).sort()).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
    )
    expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(parameters.length)
    for (const parameter of parameters) {
      expect(['path', 'query', 'header']).toContain(parameter.in)
      if (parameter.in === 'path') expect(parameter.required).toBe(true)
      expect(parameter.description, parameter.name).toBeTruthy()
      compile(parameter.schema)
    }

    const success = Object.entries(operation.responses).find(([status]) => /^20[012]$/.test(status))
    const [[type, content]] = Object.entries(success![1].content!)
    if (path !== '/openapi.json') expect(content.examples).toHaveProperty('asked')
    const validate = compile(content.schema)
    const example = type === 'application/json' && content.examples?.asked.value
    if (example) expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
    for (const [status, item] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[2-5]\d\d$/)
      const response = resolved(document, item)
      expect(response.description, status).toBeTruthy()
      for (const { schema } of Object.values(response.content ?? {})) compile(schema)
    }
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
      const validate = compile(schema)
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
    }
  })

  test('lists every endpoint under its path and its aliases', () => {
    for (const { path, aliases, body, plan, response } of endpoints) {
      const method = body === undefined ? 'get' : 'post'
      const own = document.paths[path][method]
      expect(own['x-plan']).toBe(plan)
      const answer = resolved(document, own.responses['200'].content!['application/json'].schema)
      expect(whole(answer)).toEqual(untitled(response))
      for (const alias of aliases.filter((each) => each !== ambiguous)) {
        const other = document.paths[alias][method]
        expect(other.parameters).toEqual(own.parameters)
        expect(other.responses).toEqual(own.responses)
        expect(other.operationId).not.toBe(own.operationId)
      }
    }
  })

  test('lists no path that an address of another could mean', () => {
    expect(Object.keys(document.paths)).not.toContain(ambiguous)
    expect(document.paths['/v1/surface/{symbol}/svi']['get'].description).toContain(ambiguous)
  })

  test('keeps the units and the rounding of figures', () => {
    const gex = document.components['schemas']['ExposureGex'] as Schema
    expect(gex.properties?.['net_gex']).toMatchObject({ type: 'number', 'x-unit': 'usd-notional', 'x-decimals': 2 })
  })

  /** Where a key opens more than figures, no address may hold it. */
  const inHeader = [{ ApiKeyHeader: [] }, { ApiKeyBearer: [] }]

  test('asks for a key everywhere but on the routes of the service itself', () => {
    for (const { path, operation } of operations.filter(({ operation }) => !isPublic(operation))) {
      const open = ['/health', '/livez', '/readyz', '/openapi.json'].includes(path)
      const usual = /^\/v1\/(account|admin|alerts|embed|me)\b/.test(path) ? inHeader : undefined
      expect(operation.security, path).toEqual(open ? [] : usual)
      expect('401' in operation.responses, path).toBe(!open)
      if (!open && !/^\/v1\/(admin|stream)/.test(path)) {
        expect(operation.responses).toHaveProperty('429')
        const success = operation.responses['200'] ?? operation.responses['202']
        expect(Object.keys(success.headers ?? {})).toContain('X-RateLimit-Remaining')
      }
    }
  })

  test('says where no key is needed, and what a key changes there', () => {
    const open = endpoints.filter(({ plan }) => plan === 'public')
    expect(open.length).toBeGreaterThan(0)
    for (const { path, keys } of open) {
      const { security, responses } = document.paths[path]['get']
      const counted = keys === 'counted'
      expect(security, path).toEqual(
        counted ? [{}, { ApiKeyHeader: [] }, { ApiKeyBearer: [] }, { ApiKeyQuery: [] }] : []
      )
      expect(['401', '403'].map((status) => status in responses)).toEqual([counted, counted])
      expect('X-RateLimit-Remaining' in (responses['200'].headers ?? {})).toBe(counted)
      expect(resolved(document, responses['429'])['x-error-codes']).toEqual([
        ...(counted ? ['Quota exceeded'] : []),
        'too_many_requests'
      ])
    }
  })

  test.each(operations)('$name documents the bodies in which its errors are sent', ({ operation }) => {
    for (const [status, item] of Object.entries(operation.responses)) {
      const response = resolved(document, item)
      const codes = response['x-error-codes'] ?? []
      const isState = status === '503' && operation.tags.includes('system')
      expect(codes.length > 0, status).toBe(Number(status) >= 400 && !isState)
      for (const named of codes) {
        const code = (named as string) === 'Quota exceeded' ? 'quota_exceeded' : named
        const detail = {
          current_plan: 'Free',
          required_plan: 'Growth',
          limit: 5,
          upgrade_to: null,
          reset_at: '2026-07-30T00:00:00.000Z'
        }
        const error = apiError(code, undefined, status === '403' || status === '429' ? detail : {})
        expect(error.status).toBe(Number(status))
        const validate = compile(response.content!['application/json'].schema)
        expect(validate(refusalBody(error, 'r-1')), JSON.stringify(validate.errors)).toBe(true)
      }
    }
  })

  test('names the errors of a declaration, its parameters, its inputs and its body', () => {
    const codes = (path: string, status: number, method = 'get') =>
      document.paths[path][method].responses[status]?.['x-error-codes']
    expect(codes('/v1/exposure/gex/{symbol}', 400)).toEqual([
      'bad_address',
      'invalid_dealer_model',
      'invalid_expiration',
      'invalid_expirations',
      'invalid_format',
      'invalid_min_oi',
      'invalid_rows',
      'invalid_weight',
      'unknown_parameter'
    ])
    expect(codes('/v1/exposure/gex/{symbol}', 404)).toEqual(['no_data', 'symbol_not_found'])
    expect(codes('/optionquote/{ticker}', 404)).toEqual(['no_match', 'no_options_data'])
    expect(codes('/stockquote/{ticker}', 404)).toEqual(['no_quote'])
    expect(codes('/v1/pricing/iv', 422)).toEqual(['iv_not_found'])
    expect(codes('/v1/exposure/history/{symbol}', 503)).toContain('coming_soon')
    expect(document.paths['/v1/tickers']['get'].responses).not.toHaveProperty('403')
    expect(document.paths['/stockquote/{ticker}']['get'].responses).toHaveProperty('403')
    expect(document.paths['/v1/tickers']['get'].responses).not.toHaveProperty('304')
    expect(document.paths['/openapi.json']['get'].responses).toHaveProperty('304')
  })
})

const contract = resolve(import.meta.dirname, '../../../../shared/contract')
const files = ['exposure', 'market', 'volatility', 'flow', 'strategies', 'earnings', 'insight'].map((name) =>
  resolve(contract, `${name}.yaml`)
)
const present = files.every((file) => existsSync(file))
if (!present) console.log('skipped: the contract is not beside the project, so the document is not compared with it')

/** Fields the contract requires and the document does not, anywhere below. */
function missingFields(root: object, wanted: Schema, mine: Schema, place: string): readonly string[] {
  const want = resolved(root, wanted)
  const have = resolved(document, mine)
  const choices = want.oneOf ?? want.anyOf
  if (choices !== undefined) return choices.flatMap((choice) => missingFields(root, choice, have, place))
  const offers = have.oneOf ?? have.anyOf ?? have.allOf
  if (offers !== undefined) {
    const found = offers.map((offer) => missingFields(root, want, offer, place))
    return found.reduce((best, next) => (next.length < best.length ? next : best))
  }
  const kind = want.properties ? 'object' : want.items ? 'array' : undefined
  if (kind !== undefined && have.type !== kind) return [`${place} is no ${kind}`]
  if (want.items) return missingFields(root, want.items, have.items ?? {}, `${place}[]`)
  return Object.entries(want.properties ?? {}).flatMap(([name, field]) => {
    const at = `${place}.${name}`
    if (!(want.required ?? []).includes(name)) return []
    if (!(have.required ?? []).includes(name)) return [at]
    return missingFields(root, field, have.properties?.[name] ?? {}, at)
  })
}

/**
 * Error codes that the contract uses in some operations for a source that does not answer or sends unreadable data. The
 * service has one code for both: source_unavailable, or upstream_unavailable on flow paths.
 */
const ofTheSource = ['upstream_unavailable', 'upstream_invalid']

/** The operations that the contract gives a dealer model among its conventions. */
const byModel = ['gex', 'dex', 'vex', 'chex', 'summary', 'levels', 'zero-dte', 'profile', 'matrix']

/** Parameters that the contract names in a rule and not in its list. */
const inRules: Readonly<Record<string, readonly string[]>> = {
  '/v1/expected-move/{symbol}': ['query expiration'],
  ...Object.fromEntries(byModel.map((name) => [`/v1/exposure/${name}/{symbol}`, ['query dealer_model']]))
}

const bySet = ['query expirations', 'query dte_min', 'query dte_max', 'query expiry_type']
const exposure = (name: string) => `/v1/exposure/${name}/{symbol}`

/** Parameters of the service's own. Left out, the answer is that of the contract. */
const ownParameters: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['summary', 'levels', 'sheet', 'models', 'bands', 'chart-levels', 'attribution', 'explain'].map((name) => [
      exposure(name),
      bySet
    ])
  ),
  ...Object.fromEntries(
    ['gex', 'dex', 'vex', 'chex', 'profile'].map((name) => [exposure(name), [...bySet, 'query weight']])
  ),
  [exposure('matrix')]: [...bySet, 'query from'],
  '/v1/maxpain/{symbol}': bySet,
  '/v1/surface/{symbol}': ['query fit'],
  // The contract names it among its conventions.
  '/v1/pricing/greeks': ['query exercise'],
  '/v1/pricing/iv': ['query exercise']
}

describe('the document beside the contract', () => {
  const stated = [...(present ? files : []), ...ownContractFiles].flatMap((file) => {
    const root = parse(readFileSync(file, 'utf8')) as Document
    return Object.entries(root.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        return { name: `${method.toUpperCase()} ${path}`, root, path, method, operation }
      })
    )
  })
  const isServed = ({ path, method }: (typeof stated)[number]) => document.paths[path]?.[method] !== undefined
  const served = stated.filter(isServed)
  for (const { name } of stated.filter((one) => !isServed(one) && one.path !== ambiguous)) {
    console.log(`skipped: ${name} of the contract is declared by no endpoint yet`)
  }

  test.runIf(present)('says which operations of the contract nothing is declared for yet', () => {
    const paths = files.flatMap((file) => Object.keys((parse(readFileSync(file, 'utf8')) as Document).paths))
    const left = paths.filter((path) => document.paths[path] === undefined)
    if (left.length > 0) console.log(`not compared, since they are not served: ${left.join(', ')}`)
    expect(left.length).toBeLessThan(paths.length)
  })

  test.runIf(present)('covers every declared endpoint', () => {
    const names = new Set(served.map(({ name }) => name))
    for (const { id, path, aliases, body } of endpoints) {
      if (ownEndpoints.has(id)) continue
      for (const each of [path, ...aliases].filter((each) => each !== ambiguous))
        expect(names).toContain(`${body === undefined ? 'GET' : 'POST'} ${each}`)
    }
  })

  test.each(served)('$name has the parameters of the contract', ({ root, path, method, operation }) => {
    const listed = (items: readonly ParameterItem[] = [], from: object) =>
      items
        .map((item) => resolved(from, item))
        .filter((item) => item['x-form'] === undefined)
        .map((item) => `${item.in} ${item.name}${item.required ? ' required' : ''}`)
    const mine = document.paths[path][method]
    const wanted = [...listed(operation.parameters, root), ...(inRules[path] ?? []), ...(ownParameters[path] ?? [])]
    expect(listed(mine.parameters, document).sort()).toEqual(wanted.sort())
    expect(mine['x-plan']).toBe(operation['x-plan'])
  })

  test.each(served)('$name requires the fields that the contract requires', ({ root, path, method, operation }) => {
    const wanted = operation.responses['200'].content!['application/json'].schema
    const mine = document.paths[path][method].responses['200'].content!['application/json'].schema
    expect(missingFields(root, wanted, mine, '')).toEqual([])
  })

  test.each(served)('$name documents every error of the contract', ({ root, path, method, operation }) => {
    for (const [status, item] of Object.entries(operation.responses)) {
      const stated = resolved(root, item)['x-error-codes'] ?? []
      const codes = stated.filter((code) => !ofTheSource.includes(code))
      if (codes.length === 0 && stated.length > 0) continue
      const mine = document.paths[path][method].responses[status]
      expect(mine, status).toBeDefined()
      expect(resolved(document, mine)['x-error-codes'] ?? []).toEqual(expect.arrayContaining([...codes]))
    }
  })
})

async function application() {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.get('/v1/tickers', async () => ({ tickers: [] }))
  mountSwagger(app, () => document)
  await app.ready()
  return app
}

describe('the documentation pages', () => {
  test('GET /openapi.json is the document, in whichever encoding the client takes', async () => {
    const app = await application()
    const plain = await app.inject('/openapi.json')
    expect(plain.statusCode).toBe(200)
    expect(plain.headers['content-type']).toMatch(/^application\/json/)
    expect(plain.json()).toEqual(document)
    const packed = (accepted: string) => app.inject({ url: '/openapi.json', headers: { 'accept-encoding': accepted } })
    const gzip = await packed('gzip')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    const brotli = await packed('gzip, br')
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
    const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': `${plain.headers.etag}` } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('GET /llms.txt links every operation and /llms-full.txt tells what it takes, in at most 120 KB', async () => {
    const app = await application()
    const [short, full] = [await app.inject('/llms.txt'), await app.inject('/llms-full.txt')]
    expect([short.statusCode, full.statusCode]).toEqual([200, 200])
    expect(short.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(short.body).toMatch(/^# gammawall\n\n> .+\n/)
    expect(Buffer.byteLength(full.body)).toBeLessThan(120 * 1024)
    for (const { name, operation } of operations.filter(({ operation }) => operation['x-alias-of'] === undefined)) {
      expect(short.body).toContain(`- [${name}](swagger#/${operation.tags[0]}/${operation.operationId}): `)
      expect(full.body).toContain(`### ${name}\n\n${operation.summary}. `)
      expect(full.body).toContain(operation.description)
    }
  })

  test.each(['/swagger', '/swagger/'])('%s and all it refers to come from this service, without a key', async (url) => {
    const app = await application()
    const page = await app.inject(url)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link)
    expect(links.length).toBeGreaterThanOrEqual(7)
    for (const link of links) {
      const { pathname, origin } = new URL(link, `http://service${url}`)
      expect(origin).toBe('http://service')
      expect((await app.inject(pathname)).statusCode, pathname).toBe(200)
    }
    expect(page.body).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/)
  })

  test('the page reads the document from its own folder, and takes keys and trial requests', async () => {
    const app = await application()
    const start = (await app.inject('/swagger/static/swagger-initializer.js')).body
    expect(start).toContain("url: resolveUrl('./json')")
    expect(start).toContain('"tryItOutEnabled":true')
    expect(start).toContain('"persistAuthorization":false')
    expect((await app.inject('/swagger/json')).json()).toEqual(document)
  })

  test('its content security policy allows this service alone, over plain HTTP too', async () => {
    const app = await application()
    for (const url of ['/swagger', '/swagger/static/swagger-ui-bundle.js']) {
      const policy = `${(await app.inject(url)).headers['content-security-policy']}`
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("connect-src 'self'")
      expect(policy).not.toMatch(/unsafe|upgrade-insecure-requests|https?:/)
    }
  })

  test('nothing of it runs for other routes', async () => {
    const app = await application()
    const other = await app.inject('/v1/tickers')
    expect(Object.keys(other.headers).sort()).toEqual(['connection', 'content-length', 'content-type', 'date'])
    expect('swagger' in app).toBe(false)
  })

  test.each([
    '/swagger/static/..%2f..%2fpackage.json',
    '/swagger/static/%2e%2e/package.json',
    '/swagger/none'
  ])('%s does not lead out of the folder of the pages', async (url) => {
    const app = await application()
    expect((await app.inject(url)).statusCode).toBeGreaterThanOrEqual(400)
  })
})
