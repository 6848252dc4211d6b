import type { MarketEventBus } from '../live/events.ts'
import { migrateRecords } from '../live/record-migration.ts'
import type { Ticker } from '../market/units.ts'
import type { Log } from '../server/operations/log.ts'
import type { Engine } from '../workers/engine.ts'
import type { Recording } from './recording.ts'
import type { Shutdown } from './shutdown.ts'

/** Makes daily records of older formulas anew, behind everything else, and says in one line what came of it. */
export function startRecordMigration(
  { store, outdated, watch }: Recording,
  { engine, events }: { readonly engine: Engine; readonly events: MarketEventBus },
  log: Log,
  shutdown: Shutdown
): void {
  if (store === undefined || outdated === undefined || watch === undefined) return
  const stopping = new AbortController()
  const onRecords = (symbol: Ticker) => events.emit('daysWritten', { symbol, written: 'records' })
  const options = { store, engine, signal: stopping.signal, onRecords }
  const done = outdated()
    .then((days) => migrateRecords(days, options))
    .then(
      ({ migrated, left, failure }) => {
        const text = 'daily records of older formulas were made anew; those without a recorded close stay as they were'
        if (failure !== undefined) log.warn({ migrated, left, err: failure }, `${text}, and so do those that failed`)
        else if (migrated + left > 0) log.info({ migrated, left }, text)
      },
      (error) => {
        if (!shutdown.begun) log.error({ err: error }, 'daily records of older formulas could not be made anew')
      }
    )
  shutdown.add(() => {
    stopping.abort()
    return done
  })
}
