import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRecording } from '../../src/app/running-recording.ts'
import { rememberSource } from '../../src/archive/archive-folder.ts'
import { readConfig } from '../../src/config/config.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import { plainConnector } from '../support/declared-connector.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { ladder, sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'

const quiet = {
  events: new MarketEventBus(),
  onChange: () => {},
  onUnwritable: () => {},
  onError: () => {},
  onDamage: () => {},
  onFileError: () => {}
}

test.skipIf(!hasEngine)('session files lie beside the archive, unless they are switched off', async () => {
  const data = dataFolder()
  for (const [settings, bytes] of [
    [{}, 0],
    [{ 'replay-files': '0' }, undefined]
  ] as const) {
    const config = readConfig({ data, ...settings }, {})
    const recording = await openRecording(config, { name: 'synthetic', synthetic: true }, quiet)
    expect(recording.sessionFiles?.bytes).toBe(bytes)
    await recording.close()
  }
})

describe.skipIf(!hasEngine)('where the snapshots of an archive come from', () => {
  test('is what recorded them before, where the source of today records nothing', async () => {
    const data = dataFolder()
    mkdirSync(join(data, 'history'))
    rememberSource(join(data, 'history'), 'real', 'cboe-files')
    const recording = await openRecording(
      readConfig({ data, source: 'cboe', record: 'off' }, {}),
      { name: 'cboe', synthetic: false },
      quiet
    )
    expect(recording.origin()).toBe('cboe-files')
    await recording.close()
  })

  test('is the source of today and those before it, where that records too', async () => {
    const data = dataFolder()
    const config = readConfig({ data, source: 'cboe' }, {})
    for (const [name, origin] of [
      ['cboe-files', 'cboe-files'],
      ['cboe', 'cboe-files, cboe']
    ] as const) {
      const recording = await openRecording(config, { name, synthetic: false }, quiet)
      expect(recording.origin()).toBe(origin)
      await recording.close()
    }
  })

  test('names a source that serves where another fails from its first snapshot on', async () => {
    const data = dataFolder()
    const events = new MarketEventBus()
    const config = readConfig({ data, source: 'cboe', record: 'seen' }, {})
    const alternatives = [plainConnector('tradier'), plainConnector('cboe')]
    const source = { name: 'tradier or cboe', synthetic: false, alternatives }
    const recording = await openRecording(config, source, { ...quiet, events })
    expect(recording.origin()).toBe('tradier')
    const series = [{ date: '2026-08-28', strikes: ladder(90, 110, 5), oi: 10 }]
    const chain = sketched({ symbol: 'TEST', date: '2026-07-29', time: '10:00', spot: 100, series })
    events.emit('chainSwapped', priced({ ...chain, source: 'cboe' }))
    expect(recording.origin()).toBe('tradier, cboe')
    await recording.close()
  })
})
