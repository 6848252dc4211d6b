import { join } from 'node:path'
import type { DatabaseStore } from '../../src/archive/clickhouse/database-store.ts'
import { withKeptDays } from '../../src/archive/kept-days.ts'
import { openHistory } from '../../src/archive/open.ts'
import { withSessionFiles } from '../../src/archive/session-files/with-session-files.ts'
import { alwaysFiled } from '../support/always-filed.ts'
import { storeSuite, suiteVersion } from './store-suite.ts'

// Everything the archive owes, where days are kept in memory and snapshots are read out of files wherever they can be.
storeSuite(async (data) => {
  const { store: plain } = await openHistory({ data, history: 'embedded', recordVersion: suiteVersion })
  const options = {
    folder: join(data, 'history-images'),
    maxBytes: 2 ** 30,
    shared: false,
    now: () => Date.parse('2100-01-01T00:00:00Z')
  }
  const onError = (error: unknown) => {
    throw error
  }
  const { store, files } = withSessionFiles(withKeptDays<DatabaseStore>(plain!), { ...options, onError })
  return { store: alwaysFiled(store, files), close: () => store.close() }
})
