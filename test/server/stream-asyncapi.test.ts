import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, onTestFinished, test } from 'vitest'
import { openApiDocument } from '../../src/server/openapi/openapi.ts'
import { asyncApiDocument, mountAsyncApi } from '../../src/server/stream/asyncapi.ts'
import { commandSchemas, serverSchemas } from '../../src/server/stream/frame-schemas.ts'
import { streamDocument } from '../../src/server/stream/stream-document.ts'
import { running } from '../stream/running.ts'
import { service } from '../support/service.ts'

test('the AsyncAPI document is valid, at the addresses that it was asked for', () => {
  const document = asyncApiDocument('gamma.example:8080', true, { version: '1', streamPort: 8082 })
  const require = createRequire(import.meta.url)
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  const specification = JSON.parse(
    readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json'), 'utf8')
  )
  const validate = ajv.compile(specification)
  expect(validate(document), ajv.errorsText(validate.errors)).toBe(true)
  expect(document).toMatchObject({
    servers: { rest: { host: 'gamma.example:8080', protocol: 'wss' }, stream: { host: 'gamma.example:8082' } }
  })
})

test('is served to anyone, with the port of the stream as it is then', async () => {
  const { app, ask, close } = service()
  onTestFinished(close)
  mountAsyncApi(app, { version: '1', streamPort: () => 8082 })
  const answer = await ask('/asyncapi.json', undefined, { headers: { host: 'localhost:8080' } })
  expect(answer.json()).toMatchObject({
    asyncapi: '3.0.0',
    servers: { stream: { host: 'localhost:8082', protocol: 'ws' } }
  })
})

test('commands and frames of a started stream are as the document says', async () => {
  const started = await running()
  onTestFinished(() => started.close())
  const client = started.connect((await started.newKey({ blocks: 1 })).key)
  const { frames, ask } = await client
  const metric = 'exposure.gex.net_gex'
  const asked = [
    { action: 'subscribe', symbol: 'SPY', metric, cadence_ms: 0, echo: true, req_id: 'a' },
    {
      action: 'subscribe_many',
      items: [
        { symbol: 'SPY', metric },
        { symbol: 'SPY', metric: 'none.at.all' }
      ]
    },
    { action: 'subscribe', symbol: 'SPY', metric: 'exposure.gex.strikes[atm].net_gex', cadence_ms: 0 },
    { action: 'list' },
    { action: 'catalog', prefix: 'exposure.gex' },
    { action: 'status' },
    { action: 'configure', heartbeat_ms: 1000, batch: true },
    { action: 'ping' },
    { action: 'unsubscribe', all: true }
  ]
  for (const command of asked) await ask(command)
  await (await client).next(({ type }) => type === 'heartbeat', 0)
  await ask({ action: 'resume', token: 'none' }, { valid: false })

  const ajv = new Ajv({ strict: false, allErrors: true })
  const { components } = JSON.parse(JSON.stringify(openApiDocument([], { version: '1', extraPaths: streamDocument })))
  const metricSchema = {
    $id: '/openapi.json',
    components: { schemas: { StreamMetric: components.schemas.StreamMetric } }
  }
  ajv.addSchema(metricSchema)
  for (const [action, schema] of Object.entries(commandSchemas))
    ajv.addSchema(JSON.parse(JSON.stringify(schema)), action)
  const kinds = Object.entries(serverSchemas).map(([name, schema]) => ({
    name,
    fits: ajv.compile(JSON.parse(JSON.stringify(schema)))
  }))
  for (const command of asked) expect(ajv.validate(command.action, command), JSON.stringify(command)).toBe(true)
  const found = frames.map((frame) => kinds.filter(({ fits }) => fits(frame)).map(({ name }) => name))
  expect(frames.filter((_, i) => found[i].length !== 1)).toEqual([])
  const seen = new Set(found.flat())
  for (const name of [
    'subscribed',
    'subscribed_many',
    'unsubscribed',
    'subscriptions',
    'catalog',
    'status',
    'configured',
    'pong'
  ])
    expect(seen).toContain(name)
  for (const name of ['update', 'heartbeat', 'error']) expect(seen).toContain(name)
})
