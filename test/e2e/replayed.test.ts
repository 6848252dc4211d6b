import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { hasEngine } from '../support/engine.ts'
import { ask, eventually, type Service, startService, temporaryFolder } from '../support/started-service.ts'

// The whole way of a snapshot, on the service as it is built: seen live, recorded, read back, restored, answered.

const moment = '2026-07-29T11:00:00'
const settings = ['--as-of', '2026-07-29T11:00', '--universe', 'SPY', '--enable', 'exposure-history']
const replayed = endpoints.filter((endpoint) => endpoint.replay)
const required: Readonly<Record<string, string>> = { symbols: 'SPY,QQQ', index: 'SPY' }

function addressOf({ path, params }: (typeof endpoints)[number]): string {
  const query = Object.entries(params).flatMap(([name, { in: place, required: needed }]) =>
    place === 'query' && needed ? [`${name}=${required[name]}`] : []
  )
  return `${path.replace(/\{\w+\}/, 'SPY')}?${query.join('&')}`
}

if (!hasEngine) console.log('skipped: the engine of the archive is not installed, so nothing can be recorded')

describe.runIf(hasEngine)('what the service answered live', () => {
  let service: Service
  let replay = ''
  const answered = new Map<string, string>()

  beforeAll(async () => {
    const data = temporaryFolder()
    service = await startService(data, [...settings, '--record', 'seen', '--record-every', '1'])
    replay = /replay\s+(\S+)/.exec(service.stdout())![1]
    const { alpha } = service.keys
    for (const endpoint of replayed) {
      const { status, text } = await service.ask(addressOf(endpoint), alpha)
      answered.set(endpoint.id, `${status} ${text}`)
    }
  })

  test.each(
    replayed.map((endpoint) => [endpoint.id, endpoint] as const)
  )('%s answers the same bytes', async (id, endpoint) => {
    const expected = answered.get(id)
    const same = async () => {
      const again = await ask(`${replay}${addressOf(endpoint)}&at=${moment}`, service.keys.alpha)
      return `${again.status} ${again.text}` === expected ? again : undefined
    }
    const { headers } = await eventually(`the bytes of ${id}`, same, 15)
    expect(expected).toMatch(/^200 /)
    expect(headers.get('x-replay-at')).toBe(moment)
    expect(headers.get('x-replay-fidelity')).toBe('recorded')
  })

  test('is still there after a restart, and after the process was killed', async () => {
    const [endpoint] = replayed
    await service.stop('SIGKILL')
    const again = await startService(service.data, [...settings, '--record', 'off'])
    const address = /replay\s+(\S+)/.exec(again.stdout())![1]
    const { status, text } = await ask(`${address}${addressOf(endpoint)}&at=${moment}`, again.keys.alpha)
    expect(`${status} ${text}`).toBe(answered.get(endpoint.id))
    await again.stop()
  })
})
