import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { noCompilers } from '../../../src/server/http/no-compilers.ts'

test('a route that declares a schema to the framework is refused when it is made ready', async () => {
  const app = Fastify({ schemaController: noCompilers })
  app.get('/plain', async () => 'answer')
  expect((await app.inject('/plain')).body).toBe('answer')
  const other = Fastify({ schemaController: noCompilers })
  const schema = { querystring: { type: 'object', properties: { symbol: { type: 'string' } } } }
  other.get('/declared', { schema }, async () => 'answer')
  await expect(other.ready()).rejects.toThrow('a route declares a schema to the framework')
})
