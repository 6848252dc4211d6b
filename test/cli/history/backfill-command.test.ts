import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { writeServiceFile } from '../../../src/jobs/service-file.ts'
import { flatRate } from '../../../src/pricing/assumptions.ts'

let data: string
let server: Server
/** The last job that the service of the data folder was asked to do. */
let order: Record<string, unknown> | undefined
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'gammawall-'))
  order = undefined
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    order = JSON.parse(text)
    response.writeHead(400).end('not today')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  writeServiceFile(data, { pid: process.pid, address: `http://127.0.0.1:${port}`, token: 'x' })
})
afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
  rmSync(data, { recursive: true, force: true })
})

/** The market that a service is asked for by `backfill synthetic` with these flags and variables. */
async function asked(flags: readonly string[], env: Record<string, string> = {}) {
  const lines: string[] = []
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line), env }
  const code = await main(['backfill', 'synthetic', '--data', data, ...flags], terminal)
  expect([code, lines.join('\n')]).toEqual([1, 'not today'])
  return { seed: order?.['seed'], assumptions: order?.['assumptions'] }
}

test('a service is left its own market where nothing is said of it', async () => {
  expect(await asked([])).toEqual({ seed: undefined, assumptions: {} })
  expect(await asked([], { GAMMAWALL_SEED: '' })).toEqual({ seed: undefined, assumptions: {} })
})

test('the moment to stand at reaches the service, by flag or by variable', async () => {
  await asked(['--as-of', '2026-07-30T15:00'])
  expect(order?.['asOf']).toBe(Date.parse('2026-07-30T19:00:00Z'))
  await asked([], { GAMMAWALL_AS_OF: '2026-07-30' })
  expect(order?.['asOf']).toBe(Date.parse('2026-07-30T20:00:00Z'))
  await asked([])
  expect(order?.['asOf']).toBeUndefined()
})

test('what is said of the market reaches the service, by flag or by variable, and nothing beside it', async () => {
  expect(await asked(['--seed', '9'])).toEqual({ seed: 9, assumptions: {} })
  expect(await asked([], { GAMMAWALL_SEED: '9' })).toEqual({ seed: 9, assumptions: {} })
  expect(await asked(['--rate', '0.03'])).toEqual({
    seed: undefined,
    assumptions: { rates: flatRate(0.03) }
  })
  expect(await asked(['--seed', '4'], { GAMMAWALL_SEED: '9', GAMMAWALL_DIVIDEND_YIELD: 'SPY:0.01' })).toEqual({
    seed: 4,
    assumptions: { dividendYield: 0.013, dividendYields: { SPY: 0.01 } }
  })
})
