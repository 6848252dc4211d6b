import { describe, expect, test } from 'vitest'
import { alertViews, assistantOperations } from '../../../src/app/assistant-operations.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { alertRoutes } from '../../../src/server/alerts/alert-routes.ts'
import { alsoCalled } from '../../../src/server/mcp/also-called.ts'
import { instructionsFor } from '../../../src/server/mcp/instructions.ts'
import { listedTools } from '../../../src/server/mcp/tool-list.ts'
import { argumentsOf, controlNames } from '../../../src/server/mcp/tool-schema.ts'
import { leftOut, toolNameOf, toolsOf } from '../../../src/server/mcp/toolbox.ts'
import { searchWords } from '../../../src/server/mcp/words.ts'

const operations = assistantOperations(endpoints, { writes: true })
const tools = toolsOf(operations)
const lists = [listedTools(tools, false), listedTools(tools, true)]

describe('the tools', () => {
  test('offer every endpoint in exactly one view, or say why it is left out', () => {
    for (const endpoint of endpoints) {
      const views = tools.flatMap((tool) => tool.views.filter(({ operation }) => operation.id === endpoint.id))
      expect([endpoint.id, views.length]).toEqual([endpoint.id, Object.hasOwn(leftOut, endpoint.id) ? 0 : 1])
      expect([endpoint.id, toolNameOf(endpoint) === undefined]).toEqual([endpoint.id, views.length === 0])
    }
  })

  test('leave out only endpoints that exist, and for a reason', () => {
    for (const [id, reason] of Object.entries(leftOut)) {
      expect(endpoints.map((endpoint) => endpoint.id)).toContain(id)
      expect(reason.length).toBeGreaterThan(10)
    }
  })

  test('are found by further words only where there is such an endpoint', () => {
    const ids = endpoints.map(({ id }) => id)
    expect(Object.keys(alsoCalled).filter((id) => !ids.includes(id))).toEqual([])
  })

  test('say of every route of alerts whether it is offered', () => {
    expect(Object.keys(alertViews).sort()).toEqual(alertRoutes.map(({ operationId }) => operationId).sort())
  })

  test('are twelve, each with views of different words', () => {
    expect(lists[0]).toHaveLength(12)
    for (const { name, views } of tools) {
      const words = views.map(({ word }) => word)
      expect([name, new Set(words).size]).toEqual([name, words.length])
      expect(words.length).toBeLessThan(60)
      for (const word of words) expect(word).toMatch(/^[a-z_0-9]{1,40}$/)
    }
  })

  test('change nothing unless the operator lets them', () => {
    const reading = listedTools(toolsOf(assistantOperations(endpoints, { writes: false })), false)
    for (const { annotations } of reading) expect(annotations).toMatchObject({ readOnlyHint: true })
    const writing = lists[0].filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name)
    expect(writing).toEqual(['alerts'])
  })

  test('never offer a webhook or its secret', () => {
    const names = tools
      .find(({ name }) => name === 'alerts')!
      .views.flatMap(({ operation }) => [...argumentsOf(operation).keys()])
    expect(names).toContain('condition')
    expect(names).not.toContain('webhook')
  })

  test('have no parameter of the API under the name of an argument of their own', () => {
    const taken = operations.flatMap((operation) => [...argumentsOf(operation).keys()])
    expect(taken.filter((name) => (controlNames as readonly string[]).includes(name))).toEqual([])
  })
})

describe.each(lists.map((list) => ({ list })))('the list of tools', ({ list }) => {
  test('is at most 16 KB of JSON', () => {
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(16 * 1024)
  })

  test('has names, descriptions and schemas that model interfaces take', () => {
    for (const { name, description, inputSchema } of list) {
      expect(name).toMatch(/^[a-z_]{1,40}$/)
      expect(description.length).toBeLessThanOrEqual(400)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(anyOf|oneOf|allOf|\$ref)"/)
      for (const { enum: words = [] } of Object.values(inputSchema.properties as Properties)) {
        expect(words.length).toBeLessThan(60)
      }
    }
  })

  test('takes a past moment in every tool that reads the market', () => {
    for (const { name, inputSchema } of list.slice(2)) {
      expect([name, Object.keys(inputSchema.properties)]).toEqual([
        name,
        expect.arrayContaining(['view', 'at', 'detail'])
      ])
    }
  })
})

type Properties = Readonly<Record<string, { readonly enum?: readonly unknown[] }>>

test.each([false, true])('the instructions have at most 1 KB (past moments alone: %s)', (isPast) => {
  expect(Buffer.byteLength(instructionsFor({ isPast }))).toBeLessThanOrEqual(1024)
})

test('words that every object has are searched like others', () => {
  expect([...searchWords('constructor toString gamma').keys()].slice(0, 3)).toEqual(['constructor', 'tostr', 'gamma'])
})
