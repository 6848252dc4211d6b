import { StorageError } from '../accounts/storage-error.ts'
import type { SourceState } from '../live/chains/source-state.ts'
import type { LiveMarket } from '../live/live-market.ts'
import { isoInstant } from '../market/units.ts'
import type { HealthCheck, HealthDetails, HealthReport } from '../server/operations/health-checks.ts'
import type { Foundations } from './foundations.ts'
import type { RunningMarket } from './running-market.ts'
import type { RunningRecording } from './running-recording.ts'
import { settlementHealth } from './settlement-check.ts'

/** What /health looks at, part by part. */
export function healthChecks(
  foundations: Foundations,
  { live, recording, sourceState, settlements }: RunningMarket
): readonly HealthCheck[] {
  const { database, storage } = foundations
  return [
    { name: 'accounts', check: () => (database.generation() === '' ? 'Unhealthy' : 'Healthy') },
    { name: 'market_data', check: () => marketHealth(live, sourceState) },
    { name: 'earnings', check: () => earningsHealth(live) },
    { name: 'history', check: () => historyHealth(recording) },
    { name: 'storage', check: () => storage.check().then(() => storageHealth(foundations)) },
    ...(settlements === undefined
      ? []
      : [{ name: 'open_interest_estimate', check: () => settlementHealth(settlements) }])
  ]
}

/** Why counts of requests cannot be kept safe; undefined where they are. */
export function storageFailure({ storage, quota }: Foundations): string | undefined {
  const reason = storage.failure ?? (quota.failure instanceof StorageError ? quota.failure.reason : undefined)
  return reason && `the data folder cannot be written: ${reason}`
}

function storageHealth(foundations: Foundations): HealthReport {
  const reason = storageFailure(foundations)
  return reason === undefined ? { status: 'Healthy' } : { status: 'Unhealthy', details: { reason } }
}

/** Everybody may read /health: the addresses within a network that a cause names are for the log alone. */
function withoutCause(reason: string): string {
  return reason.split(': ')[0]
}

/** Degraded while the archive refuses writes. What is recorded is told where anything is. */
function historyHealth(recording: RunningRecording): HealthReport {
  const state = recording.state()
  if (state === undefined) return { status: 'Healthy' }
  const { failure, written, waiting, lost } = state
  return { status: failure === undefined ? 'Healthy' : 'Degraded', details: { written, waiting, lost } }
}

/** A service without a calendar is well: it says so, since its earnings endpoints answer nothing else. */
function earningsHealth({ earningsState }: LiveMarket): HealthReport {
  if (earningsState === 'empty') return { status: 'Healthy', details: { calendar: 'no earnings calendar is loaded' } }
  if (earningsState !== 'unreachable') return { status: 'Healthy' }
  return { status: 'Degraded', details: { calendar: 'the source of the earnings calendar does not answer' } }
}

/**
 * Degraded while nothing is loaded yet, while some symbols live on their last good chain, or while the clock is behind.
 * What was refused since the start is told, whether all is well by now or not.
 */
function marketHealth(live: LiveMarket, { silence, refusals, lastRefusal }: SourceState): HealthReport {
  const loaded = [...live.loaded()]
  const stale = loaded.filter(({ chain }) => live.isStale(chain)).length
  const behind = live.clockBehindBy
  const isWell = loaded.length > 0 && stale === 0 && behind === undefined
  const details: HealthDetails = {
    ...(silence !== undefined && {
      unreachable_since: isoInstant(silence.since),
      reason: withoutCause(silence.reason)
    }),
    ...(stale > 0 && { stale_symbols: stale }),
    ...(behind !== undefined && { clock_behind_seconds: Math.round(behind / 1000) }),
    ...(lastRefusal !== undefined && { refused: refusals, last_refusal: lastRefusal })
  }
  return { status: isWell ? 'Healthy' : 'Degraded', details }
}
