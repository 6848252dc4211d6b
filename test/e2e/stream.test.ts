import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectTo, refusalOf } from '../stream/running.ts'
import { freePort } from '../support/free-port.ts'
import {
  ask,
  eventually,
  greeted,
  launch,
  metric,
  program,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

const settings = ['--universe', 'SPY', '--workers', '1', '--clock', 'demo', '--history', 'off']

test('the service streams what it serves, tells its clients that it stops, and ends', async () => {
  const service = await startService(join(temporaryFolder(), 'data'), settings)
  const { alpha, free } = service.keys
  await eventually('SPY to be held', async () =>
    (await metric(service, 'gammawall_snapshots_held')) === 1 ? true : undefined
  )
  expect((await refusalOf(service.stream.replace(/^ws/, 'http'), { 'x-api-key': free! })).status).toBe(403)
  const client = await connectTo(service.stream, { 'x-api-key': alpha! }, { deflate: true })
  const items = ['exposure.gex.net_gex', 'exposure.gex.strikes[atm].net_gex', 'exposure.zero_dte.strikes'].map((id) => {
    return { symbol: 'SPY', metric: id, cadence_ms: 1000 }
  })
  const ack = await client.ask({ action: 'subscribe_many', items })
  const ids = (ack['results'] as readonly { readonly sub_id: string }[]).map(({ sub_id }) => sub_id)
  for (const id of ids) {
    const fits = (frame: object) => 'sub_id' in frame && frame.sub_id === id && !('snapshot' in frame)
    const update = await client.next(fits)
    const { json } = await service.ask('/v1/exposure/gex/SPY', alpha)
    expect(Date.parse(String(json?.['as_of']))).toBeGreaterThanOrEqual(update['ts'] as number)
  }
  expect(await metric(service, 'gammawall_stream_subscriptions')).toBe(3)
  const draining = client.next(({ code }) => code === 'draining')
  service.child.kill('SIGTERM')
  await draining
  client.socket.close()
  const { code, stderr } = await service.ended
  expect([code, stderr.includes('"level":50')]).toEqual([0, false])
})

test('the stream and REST can share a port', async () => {
  const data = join(temporaryFolder(), 'data')
  const port = await freePort()
  const flags = [...settings, '--drain', '0', '--data', data, '--port', `${port}`, '--stream-port', `${port}`]
  const service = await greeted(launch(process.execPath, [program, 'serve', ...flags]), data)
  expect(service.stream.replace(/^ws/, 'http')).toBe(service.base)
  expect((await ask(`${service.base}/ws`)).status).toBe(426)
  expect((await service.stop()).code).toBe(0)
})
