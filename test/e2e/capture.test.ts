import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cboeOption, cboePayload } from '../support/cboe-payload.ts'
import { payload, startSource } from '../support/source-server.ts'
import { eventually, startService, temporaryFolder } from '../support/started-service.ts'

const payloadOf = (symbol: string) =>
  cboePayload({ symbol, options: ['C', 'P'].map((right) => cboeOption(`${symbol}260821${right}00730000`)) })

test('a capture whose folder cannot be written any more ends with one sentence in the log, and the service goes on', {
  timeout: 240_000
}, async () => {
  const exchange = await startSource()
  onTestFinished(() => exchange.close())
  for (const symbol of ['SPY', 'QQQ', 'IWM']) exchange.conducts.set(symbol, payload(payloadOf(symbol)))
  const capture = join(temporaryFolder(), 'case')
  const args = ['--workers', '2', '--history', 'off', '--universe', 'SPY', '--capture', capture]
  const service = await startService(temporaryFolder(), [...args, '--source', 'cboe', '--cboe-url', exchange.url])
  const served = (symbol: string) =>
    eventually(`the summary of ${symbol}`, async () => {
      const { status } = await service.ask(`/v1/exposure/summary/${symbol}`, service.keys.alpha)
      return status === 200 ? true : undefined
    })
  await served('SPY')
  expect(readdirSync(capture)).toContain('answers.ndjson')
  rmSync(capture, { recursive: true })
  writeFileSync(capture, '')
  await served('QQQ')
  const sentence = `raw answers are no longer kept in ${capture}: it cannot be written (ENOTDIR)`
  await eventually('the log to say so', async () => (service.stderr().includes(sentence) ? true : undefined))
  await served('IWM')
  const { code, stderr } = await service.stop()
  expect(code).toBe(0)
  expect(stderr.split(sentence)).toHaveLength(2)
})
