import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, running } from './running.ts'

let service: Running
beforeAll(async () => {
  service = await running()
})
afterAll(() => service.close())

test('an account shows how much of its streaming bundle is in use', async () => {
  const { key } = await service.newKey({ blocks: 2 })
  const shown = async () => {
    const response = await fetch(`${service.rest}/v1/account`, { headers: { 'x-api-key': key } })
    return ((await response.json()) as { capabilities: { stream: unknown } }).capabilities.stream
  }
  expect(await shown()).toEqual({ until: null, limit: 1000, used: 0 })
  const client = await service.connect(key)
  await client.ask({ action: 'subscribe', symbol: 'SPY', metric: 'exposure.gex.net_gex' })
  await client.ask({ action: 'subscribe', symbol: 'SPY', metric: 'exposure.gex.strikes' })
  expect(await shown()).toEqual({ until: null, limit: 1000, used: 11 })
})
