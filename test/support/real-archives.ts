import { afterAll, beforeAll } from 'vitest'
import { decodeSnapshot } from '../../src/archive/codec/decode.ts'
import { openHistory } from '../../src/archive/open.ts'
import { dataFolder, startBridge } from './engine.ts'
import type { LookAheadOptions } from './look-ahead.ts'
import { restored } from './replay.ts'

/**
 * Archives of the real engine for the tests that follow. Several are needed at once and a process holds one folder, so
 * each is a database of its own.
 */
export function realArchives(): Pick<LookAheadOptions, 'open'> & Required<Pick<LookAheadOptions, 'restore'>> {
  let bridge: Awaited<ReturnType<typeof startBridge>>
  let archives = 0
  beforeAll(async () => {
    bridge = await startBridge(dataFolder())
  })
  afterAll(() => bridge?.close())
  return {
    async open() {
      const history = bridge.addressOf(`archive_${archives++}`)
      const { store } = await openHistory({ data: '', history, recordVersion: 1 })
      return store!
    },
    restore: (snapshot, dividends) => restored({ ...snapshot, packed: decodeSnapshot(snapshot) }, dividends)
  }
}
