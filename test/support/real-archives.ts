import { afterAll, beforeAll, expect } from 'vitest'
import { decodeSnapshot } from '../../src/archive/codec/decode-snapshot.ts'
import { withKeptDays } from '../../src/archive/kept-days.ts'
import { openHistory } from '../../src/archive/open.ts'
import { withSessionFiles } from '../../src/archive/session-files/with-session-files.ts'
import { alwaysFiled } from './always-filed.ts'
import { dataFolder, startBridge } from './engine.ts'
import { withKeptSnapshots } from './kept-snapshots.ts'
import type { LookAheadOptions } from './look-ahead.ts'
import { restored } from './replay.ts'

/** Later than every session and every write: all sessions are over and settled. */
const END_OF_SESSIONS = Date.parse('2100-01-01T00:00:00Z')

/**
 * Archives of the real engine for the tests that follow, with lists of days and read snapshots in memory and, if `filed`,
 * session files. Several are needed at once but a process can open one folder only, so each is a separate database.
 */
export function realArchives({
  filed = false
} = {}): Pick<LookAheadOptions, 'open'> & Required<Pick<LookAheadOptions, 'restore'>> {
  let bridge: Awaited<ReturnType<typeof startBridge>>
  let archives = 0
  const fails: unknown[] = []
  beforeAll(async () => {
    bridge = await startBridge(dataFolder())
  })
  afterAll(async () => {
    await bridge?.close()
    expect(fails).toEqual([])
  })
  return {
    async open() {
      const history = bridge.addressOf(`archive_${archives++}`)
      const { store: plain } = await openHistory({ data: '', history, recordVersion: 1 })
      const kept = withKeptDays(plain!, { version: plain!.daysVersion })
      if (!filed) return withKeptSnapshots(kept)
      const options = {
        folder: dataFolder(),
        maxBytes: 2 ** 30,
        shared: false,
        now: () => END_OF_SESSIONS,
        onError: (error: unknown) => fails.push(error)
      }
      const { store, files } = withSessionFiles(kept, options)
      return withKeptSnapshots(alwaysFiled(store, files))
    },
    restore: (snapshot, dividends) => restored({ ...snapshot, packed: decodeSnapshot(snapshot) }, dividends)
  }
}
