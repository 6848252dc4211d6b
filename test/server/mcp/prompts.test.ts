import { afterAll, beforeAll, expect, test } from 'vitest'
import { prompts } from '../../../src/server/mcp/prompts.ts'
import { toolsOf } from '../../../src/server/mcp/toolbox.ts'
import { mcpService } from './mcp-service.ts'

type Host = Awaited<ReturnType<typeof mcpService>>
let host: Host
let client: Awaited<ReturnType<Host['connect']>>['client']
beforeAll(async () => {
  host = await mcpService()
  client = (await host.connect()).client
})
afterAll(() => host.close())

test('every call that a prompt names exists and takes a symbol', () => {
  const tools = toolsOf(host.operations)
  for (const { asks } of prompts) {
    for (const ask of asks) {
      const [tool, word] = ask.split(' ')
      const view = tools.find(({ name }) => name === tool)?.views.find((each) => each.word === word)
      expect([ask, Object.keys(view?.operation.params ?? {})]).toEqual([ask, expect.arrayContaining(['symbol'])])
    }
  }
})

test('prompts are listed and written for a symbol', async () => {
  const { prompts: listed } = await client.listPrompts()
  expect(listed.map(({ name }) => name)).toEqual(['morning_brief', 'zero_dte_brief', 'what_moved', 'compare_with_day'])
  const { messages } = await client.getPrompt({
    name: 'compare_with_day',
    arguments: { symbol: 'SPY', at: '2026-07-28' }
  })
  const { text } = messages[0].content as { readonly text: string }
  expect(text).toContain('at=2026-07-28')
  expect(text).toContain('exposure view=summary symbol=SPY')
  await expect(client.getPrompt({ name: 'compare_with_day', arguments: { symbol: 'SPY' } })).rejects.toThrow(
    'at is needed'
  )
  await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow('morning_brief')
})

test('the catalog, views and pages of methods can be read, and nothing else of the disk', async () => {
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining(['gammawall://catalog', 'gammawall://methods/gamma-flip'])
  )
  const read = async (uri: string) => {
    const [{ text }] = (await client.readResource({ uri })).contents as readonly { readonly text: string }[]
    return text
  }
  expect(JSON.parse(await read('gammawall://catalog')).exposure.gex).toBe('Gamma exposure by strike')
  expect(await read('gammawall://methods/gamma-flip')).toMatch(/^# /)
  expect(JSON.parse(await read('gammawall://views/exposure/gex')).figures).toHaveProperty('net_gex')
  for (const uri of [
    'gammawall://methods/../plans',
    'gammawall://methods/nothing',
    'file:///etc/passwd',
    'gammawall://views/x'
  ]) {
    await expect(client.readResource({ uri })).rejects.toThrow()
  }
})
