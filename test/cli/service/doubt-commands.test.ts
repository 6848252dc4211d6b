import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { doubtCommands } from '../../../src/cli/service/doubt-commands.ts'
import { writeServiceFile } from '../../../src/jobs/service-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const doubt = {
  symbol: 'SPY',
  kind: 'open_interest',
  reason: 'its open interest fell from 900 contracts to nothing',
  until: 'open interest as it was, or the next settlement',
  since: '2026-07-29T15:00:00.000Z'
}

/** Runs a command against a service with one doubt; returns the output and the requests. */
async function run(name: string, positionals: readonly string[], more: Record<string, string | true> = {}) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`)
    const isKnown = request.url !== '/v1/admin/symbols/KO/accept'
    const content = request.method === 'GET' ? { doubts: [doubt] } : doubt
    const body = isKnown ? content : { status: 'ERROR', message: 'nothing is doubted about this symbol' }
    response.writeHead(isKnown ? 200 : 404).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const lines: string[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const terminal = { env: {}, out: (text: string) => lines.push(text) }
  const command = doubtCommands.find((each) => each.name === name)!
  const isFound = more['url'] === 'of the folder'
  const data = isFound ? temporaryFolder() : '/nowhere'
  if (isFound) writeServiceFile(data, { pid: process.pid, rest: url, token: 'x' })
  const flags = { key: 'secret', ...more, url: isFound ? undefined : url }
  await command.run({ positionals, flags, terminal, config: { data } } as never)
  return { text: lines.join('\n'), asked }
}

test('doubts are listed with what would end them', async () => {
  const { text, asked } = await run('doubts list', [])
  for (const part of [doubt.symbol, doubt.since, doubt.reason, doubt.until]) expect(text).toContain(part)
  expect(asked).toEqual(['GET /v1/admin/doubts secret'])
  expect(JSON.parse((await run('doubts list', [], { json: true })).text)).toEqual([doubt])
})

test('a symbol is accepted, and a refusal is told in its own words', async () => {
  const { text, asked } = await run('doubts accept', ['SPY'])
  expect(text).toBe(`SPY is taken although ${doubt.reason}`)
  expect(asked).toEqual(['POST /v1/admin/symbols/SPY/accept secret'])
  await expect(run('doubts accept', ['KO'])).rejects.toThrow('nothing is doubted about this symbol')
})

test('the service of the data folder is asked where no address is given', async () => {
  expect((await run('doubts list', [], { url: 'of the folder' })).asked).toHaveLength(1)
})
