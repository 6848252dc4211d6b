import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, noChromium } from '../support/chromium.ts'
import { eventually, projectRoot, type Service, startService, temporaryFolder } from '../support/started-service.ts'
import { openPage } from './browser.ts'
import { servePage } from './page-server.ts'

if (chromiumPath === undefined) console.log(`skipped: the client in a browser: ${noChromium}`)

const metrics = [
  'exposure.summary.underlying_price',
  'exposure.summary.exposures.net_gex',
  'exposure.summary.exposures.net_dex',
  'exposure.summary.exposures.net_vex',
  'exposure.summary.exposures.net_chex',
  'exposure.summary.gamma_flip',
  'exposure.gex.strikes[atm].net_gex',
  'maxpain.current.max_pain_strike',
  'stockquote.current.mid',
  'exposure.summary.regime'
]

let service: Service
beforeAll(async () => {
  if (chromiumPath === undefined) return undefined
  service = await startService(temporaryFolder(), ['--universe', 'SPY', '--clock', 'demo', '--history', 'off'])
  return () => service.stop()
})

test.skipIf(chromiumPath === undefined)(
  'a page takes a ticket, listens to ten metrics through the built client and draws them changing',
  async () => {
    const ticket = async () => (await service.ask('/v1/stream/ticket', service.keys.alpha, { method: 'POST' })).text
    const task = { url: service.base, streamUrl: service.stream, metrics }
    const page = await servePage(join(projectRoot, 'dist/src/client'), task, ticket)
    onTestFinished(page.close)
    const opened = openPage(page.address)
    onTestFinished(opened.close)

    const { drawn, refusals } = await eventually(
      'the page to draw every metric and half of them to change',
      () => {
        const { latest } = page.seen
        const moved = latest?.drawn.filter(({ updates }) => new Set(updates.map(({ value }) => value)).size >= 2) ?? []
        return moved.length >= 5 && latest?.drawn.every(({ updates }) => updates.length >= 1) ? latest : undefined
      },
      90
    )
    expect(refusals).toEqual([])
    expect(drawn.map(({ metric }) => metric)).toEqual(metrics)
    for (const { metric, text, updates } of drawn) {
      const { value } = updates.at(-1)!
      expect([metric, text]).toEqual([metric, typeof value === 'number' ? value.toLocaleString('en-US') : value])
      const sequence = updates.map(({ seq }) => seq)
      expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b))
    }
  },
  120_000
)
