import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mcpService } from '../../server/mcp/mcp-service.ts'
import { projectRoot } from '../../support/started-service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

type Host = Awaited<ReturnType<typeof mcpService>>
let host: Host
beforeAll(async () => {
  host = await mcpService()
})
afterAll(() => host.close())

/** The command from its sources, spoken to line by line. */
function started(url: string) {
  const args = [
    '--import',
    './scripts/typescript.mjs',
    'scripts/dev.mjs',
    'mcp',
    '--url',
    url,
    '--data',
    temporaryFolder()
  ]
  const replay = ['--replay-url', host.pastUrl.replace('/mcp', '')]
  const child = spawn(process.execPath, [...args, ...replay], {
    cwd: projectRoot,
    env: { ...process.env, GAMMAWALL_KEY: host.key },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const waiting = new Map<number, (message: Message) => void>()
  const strange: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      const message = JSON.parse(line) as Message
      waiting.get(message.id)?.(message)
    } catch {
      strange.push(line)
    }
  })
  let id = 0
  const ask = (method: string, params: object) =>
    new Promise<Message>((resolve) => {
      waiting.set(++id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { ask, strange, child, ended }
}

interface Message {
  readonly id: number
  // biome-ignore lint/suspicious/noExplicitAny: results of any method
  readonly result: any
}

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

test('an assistant on this machine uses a service by stdin and stdout alone', async () => {
  const { ask, strange, child, ended } = started(host.url.replace('/mcp', ''))
  const { result } = await ask('initialize', hello)
  expect(result.serverInfo.name).toBe('gammawall')
  expect((await ask('tools/list', {})).result.tools).toHaveLength(12)
  const call = async (args: object) =>
    (await ask('tools/call', { name: 'exposure', arguments: args })).result.structuredContent
  const rest = (await host.ask('/v1/exposure/gex/SPY', host.key)).json()
  expect((await call({ view: 'gex', symbol: 'SPY' })).data.net_gex).toBe(rest.net_gex)
  const at = '2026-07-29T12:00:00'
  const past = (await host.past(`/v1/exposure/gex/KO?at=${at}`, { with: host.key })).json()
  expect((await call({ view: 'gex', symbol: 'KO', at })).data.net_gex).toBe(past.net_gex)
  child.stdin.end()
  expect([await ended, strange]).toEqual([0, []])
}, 240_000)

test('it says how to reach a service where none answers', async () => {
  const { ask, child, ended } = started('http://127.0.0.1:9')
  await ask('initialize', hello)
  const { result } = await ask('tools/call', { name: 'market', arguments: { view: 'session', symbol: 'SPY' } })
  expect([result.isError, result.structuredContent.message]).toEqual([true, expect.stringContaining('--url')])
  child.stdin.end()
  await ended
}, 240_000)
