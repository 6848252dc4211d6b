import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readsTapes } from '../../src/api/inputs/inputs.ts'
import { backUp } from '../../src/cli/backup/back-up.ts'
import { restore } from '../../src/cli/backup/restore.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { hasEngine } from '../support/engine.ts'
import { ask, eventually, type Service, startService, temporaryFolder } from '../support/started-service.ts'

// The whole way of a snapshot, on the service as it is built: seen live, recorded, read back, restored, answered.

const moment = '2026-07-29T11:00:00'
const settings = ['--as-of', '2026-07-29T11:00', '--universe', 'SPY', '--enable', 'exposure-history']
// Sums over all symbols are asked for last: they show the tapes that have been read by then.
const ofSymbols = ({ path }: (typeof endpoints)[number]) => path.includes('{')
const replayable = endpoints.filter((endpoint) => endpoint.replay)
const replayed = [...replayable.filter(ofSymbols), ...replayable.filter((endpoint) => !ofSymbols(endpoint))]
const required: Readonly<Record<string, string>> = { symbols: 'SPY,QQQ', index: 'SPY', resolution: '1m' }

/** An answer without where its data come from: what was recorded says so. */
const sourceless = (text: string) => text.replace(/"source":"(synthetic|recorded)"/, '"source":"…"')

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
    service = await startService(temporaryFolder(), [...settings, '--record', 'seen', '--record-every', '1'])
    replay = /replay\s+(\S+)/.exec(service.stdout())![1]
  })

  test.each(replayed.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s answers the same bytes',
    async (id, endpoint) => {
      const { alpha } = service.keys
      // A tape and the indices are read when they are first asked for: until then a live answer says so, or lacks them. Its
      // million prints take a busy machine a while to read and to record.
      const same = async () => {
        const { status, text } = await service.ask(addressOf(endpoint), alpha)
        const again = await ask(`${replay}${addressOf(endpoint)}&at=${moment}`, alpha)
        if (status !== 200 || again.status !== 200 || sourceless(again.text) !== sourceless(text)) return undefined
        answered.set(id, text)
        return again
      }
      const { headers } = await eventually(`the bytes of ${id}`, same, 110)
      expect(headers.get('x-replay-at')).toBe(moment)
      const readsChain = ofSymbols(endpoint) || !readsTapes(endpoint.needs)
      expect(headers.get('x-replay-fidelity')).toBe(readsChain ? 'recorded' : null)
    },
    120_000
  )

  test('is in a backup that was made meanwhile, with the accounts', async () => {
    const backup = join(temporaryFolder(), 'copy')
    const now = () => new Date()
    const { files, users } = await backUp(service.data, backup, now)
    expect([users, files.length > 20]).toEqual([5, true])
    const data = join(temporaryFolder(), 'data')
    await restore(backup, data, now)
    const again = await startService(data, [...settings, '--record', 'off'])
    const address = /replay\s+(\S+)/.exec(again.stdout())![1]
    for (const endpoint of replayed.filter(ofSymbols).slice(0, 20)) {
      const { text } = await ask(`${address}${addressOf(endpoint)}&at=${moment}`, service.keys.alpha)
      expect(text).toBe(answered.get(endpoint.id))
    }
    await again.stop()
  })

  test('is still there after a restart, and after the process was killed', async () => {
    const [endpoint] = replayed
    await service.stop('SIGKILL')
    const again = await startService(service.data, [...settings, '--record', 'off'])
    const address = /replay\s+(\S+)/.exec(again.stdout())![1]
    const { text } = await ask(`${address}${addressOf(endpoint)}&at=${moment}`, again.keys.alpha)
    expect(text).toBe(answered.get(endpoint.id))
    await again.stop()
  })
})
