import { StorageError } from '../accounts/storage-error.ts'
import type { Damage } from '../archive/history-error.ts'
import type { StandingDoubt } from '../live/chains/doubts.ts'
import type { SourceState } from '../live/chains/source-state.ts'
import type { LiveMarket } from '../live/live-market.ts'
import { isoInstant, MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import type { HealthCheck, HealthDetails, HealthReport } from '../server/operations/health-endpoint.ts'
import type { JobProgress, JobRunner } from '../server/operations/job-runner.ts'
import type { Foundations } from './foundations.ts'
import type { RunningMarket } from './running-market.ts'
import type { RunningRecording } from './running-recording.ts'
import { bandHealth, customerHealth, settlementHealth } from './settlement-check.ts'

export function healthChecks(
  foundations: Foundations,
  { live, recording, sourceState, settlements }: RunningMarket,
  jobs?: Pick<JobRunner, 'progress'>
): readonly HealthCheck[] {
  const { storage } = foundations
  return [
    { name: 'accounts', check: () => accountsHealth(foundations) },
    { name: 'market_data', check: () => marketHealth(live, sourceState) },
    { name: 'earnings', check: () => earningsHealth(live) },
    { name: 'history', check: () => historyHealth(recording, jobs?.progress) },
    { name: 'storage', check: () => storage.check().then(() => storageHealth(foundations)) },
    ...(settlements === undefined
      ? []
      : [
          { name: 'open_interest_estimate', check: () => settlementHealth(settlements) },
          { name: 'exposure_bands', check: () => bandHealth(settlements) },
          { name: 'customer_sides', check: () => customerHealth(settlements) }
        ])
  ]
}

/** Milliseconds after which a database that was not read counts as silent. */
const SILENT_FOR = 2000

/**
 * Health of the accounts: degraded while their database is silent, unhealthy once keys are no longer believed for that,
 * and from a start that found acknowledged changes missing to the next start.
 */
function accountsHealth({ database: { loss, directory }, accounts }: Foundations): HealthReport {
  if (loss !== undefined) return { status: 'Unhealthy', details: { reason: loss } }
  const age = directory.age()
  if (age < SILENT_FOR) return { status: 'Healthy' }
  const status = accounts.areOutdated ? 'Unhealthy' : 'Degraded'
  return { status, details: { reason: 'their database does not answer', seconds: Math.floor(age / 1000) } }
}

/** Why the data folder cannot be written; undefined if it can. */
export function storageFailure({ storage, unwritten }: Foundations): string | undefined {
  const counts = unwritten()
  const reason = storage.failure ?? (counts instanceof StorageError ? counts.reason : undefined)
  return reason && `the data folder cannot be written: ${reason}`
}

function storageHealth(foundations: Foundations): HealthReport {
  const reason = storageFailure(foundations)
  return reason === undefined ? { status: 'Healthy' } : { status: 'Unhealthy', details: { reason } }
}

/** Removes the cause after the colon: /health is public, and a cause may contain addresses in the local network. */
function withoutCause(reason: string): string {
  return reason.split(': ')[0]
}

const MAX_DAMAGE_SHOWN = 20

/**
 * Health of the archive: unhealthy once damaged files were met, degraded while writes to it fail. Details say how far the
 * past of a synthetic market is made.
 */
function historyHealth(recording: RunningRecording, progress: JobProgress | undefined): HealthReport {
  const damage = recording.damage()
  if (damage.length > 0) {
    const reason = 'files are damaged: stop the service and run gammawall history verify'
    return { status: 'Unhealthy', details: { reason, damaged: damage.slice(0, MAX_DAMAGE_SHOWN).map(damageShown) } }
  }
  const state = recording.state()
  if (state === undefined) return { status: 'Healthy' }
  const { failure, written, waiting, lost } = state
  const { symbol, stored = 0 } = progress ?? {}
  const making = progress && {
    making: progress.what,
    ...(symbol !== undefined && { making_of: symbol, stored }),
    made: progress.done,
    to_make: progress.total
  }
  return { status: failure === undefined ? 'Healthy' : 'Degraded', details: { written, waiting, lost, ...making } }
}

const damageShown = ({ path, reason }: Damage) => ({ path, reason })

/** Health of the earnings calendar. Without a calendar it is healthy, and the details say that there is none. */
function earningsHealth({ earningsState }: LiveMarket): HealthReport {
  if (earningsState === 'empty') return { status: 'Healthy', details: { calendar: 'no earnings calendar is loaded' } }
  if (earningsState !== 'unreachable') return { status: 'Healthy' }
  return { status: 'Degraded', details: { calendar: 'the source of the earnings calendar does not answer' } }
}

/** The market data becomes unhealthy once chains of one symbol have looked wrong for this long, milliseconds. */
const UNHEALTHY_AFTER = 30 * MILLISECONDS_PER_MINUTE
const MAX_DOUBTS_SHOWN = 20

const doubtShown = ({ symbol, since, reason, message, settledBy }: StandingDoubt) => ({
  symbol,
  since: isoInstant(since),
  kind: reason,
  reason: `${message}; held back until ${settledBy}`
})

/**
 * Health of the market data. It is degraded while nothing is loaded, some symbols have old or doubted chains or still
 * those that were recorded before the start, or the clock is behind, and unhealthy if a doubt lasts long. Details include how many responses of the source were refused
 * since the start.
 */
function marketHealth(live: LiveMarket, { silence, refusals, lastRefusal }: SourceState): HealthReport {
  const loaded = [...live.loaded()]
  const stale = loaded.filter(({ chain }) => live.isStale(chain)).length
  const restored = loaded.filter(({ isRestored }) => isRestored).length
  const behind = live.clockBehindBy
  const { doubts } = live
  const isWell = loaded.length > 0 && stale === 0 && restored === 0 && behind === undefined && doubts.length === 0
  const isDoubtedLong = doubts.some(({ since }) => Date.now() - since >= UNHEALTHY_AFTER)
  const details: HealthDetails = {
    ...(silence !== undefined && {
      unreachable_since: isoInstant(silence.since),
      reason: withoutCause(silence.reason)
    }),
    ...(stale > 0 && { stale_symbols: stale }),
    ...(restored > 0 && { recorded_symbols: restored }),
    ...(behind !== undefined && { clock_behind_seconds: Math.round(behind / 1000) }),
    ...(doubts.length > 0 && { doubted: doubts.length, doubts: doubts.slice(0, MAX_DOUBTS_SHOWN).map(doubtShown) }),
    ...(lastRefusal !== undefined && { refused: refusals, last_refusal: lastRefusal })
  }
  return { status: isDoubtedLong ? 'Unhealthy' : isWell ? 'Healthy' : 'Degraded', details }
}
