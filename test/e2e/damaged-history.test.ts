import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../imports/take.ts'
import { hasEngine } from '../support/engine.ts'
import { ask, gammawall, startService, temporaryFolder } from '../support/started-service.ts'

// A block of the archive that was damaged on the disk, met by somebody who asks for its day.

/** Two closes in weeks of their own, so that each lies in a part of its own. */
const table = [
  'date,symbol,expiration,strike,right,bid,ask,open_interest,underlying_price',
  ...['2026-06-03', '2026-06-10'].flatMap((date) =>
    [95, 100, 105].flatMap((strike) =>
      ['C', 'P'].map((right) => `${date},KEEN,2026-08-21,${strike},${right},4.9,5.1,100,100`)
    )
  ),
  ''
].join('\n')

/** Changes one bit of the snapshots of the week that begins on a day. */
function damage(data: string, monday: string): void {
  const folder = join(data, 'history/data/gammawall/option_images')
  const part = readdirSync(folder).find((name) => name.startsWith(monday))!
  const path = join(folder, part, 'data.bin')
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1] ^= 1
  writeFileSync(path, bytes)
}

if (!hasEngine) console.log('skipped: the engine of the archive is not installed')

test.skipIf(!hasEngine)(
  'a damaged day is refused with its code, the others answer, and /health names the file',
  async () => {
    const data = temporaryFolder()
    const { code, stderr } = await gammawall('import', 'csv', folderWith({ 'a.csv': table }), '--data', data)
    expect(code, stderr).toBe(0)
    damage(data, '20260608')
    const service = await startService(data, ['--replay-from', '2026-06-01'])
    const past = (date: string) => ask(`${service.replay}/v1/exposure/gex/KEEN?at=${date}T16:00:00`, service.keys.alpha)
    expect((await past('2026-06-03')).status).toBe(200)
    const refused = await past('2026-06-10')
    expect([refused.status, refused.json?.['error']]).toEqual([500, 'history_damaged'])
    expect(refused.text).not.toContain(data)
    expect((await past('2026-06-03')).status).toBe(200)
    const health = await ask(`${service.base}/health`)
    expect(health.text).toMatch(/Unhealthy/)
    expect(health.text).toMatch(/20260608_/)
    await service.stop()
  }
)
