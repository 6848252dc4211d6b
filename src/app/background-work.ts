import type { DatabaseStore } from '../archive/clickhouse/database-store.ts'
import { renewRecords } from '../live/days/outdated-records.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import type { WaitingDay } from '../market/figure-row.ts'
import type { Ticker } from '../market/units.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import type { FigureMaker, MadeFigures } from '../replay/figure-maker.ts'
import type { Log } from '../server/operations/log.ts'
import type { Engine } from '../workers/engine.ts'
import type { RunningRecording } from './running-recording.ts'
import type { Shutdown } from './shutdown.ts'

export interface FigureBacklogOptions {
  readonly store: Pick<DatabaseStore, 'waitingFigures'>
  readonly maker: Pick<FigureMaker, 'make'>
  /** Current market time. */
  readonly now: () => Instant
  readonly signal: AbortSignal
}

const CHECK_EVERY = 15 * MILLISECONDS_PER_MINUTE
/**
 * Snapshots younger than this are left alone, milliseconds: the service is still computing their figures, and not all
 * of their prints are archived yet.
 */
const SETTLED_AFTER = 15 * MILLISECONDS_PER_MINUTE
/** Pause between two rows, milliseconds, so that other work can use the machine. */
const REST_BETWEEN_ROWS = 20

/**
 * Computes figures that archived snapshots lack. Figures are missing if formulas or assumptions changed, snapshots were
 * imported, or prints arrived later. The closes of all days come first, newest first, so that a year of closes is soon
 * complete.
 */
export async function makeWaitingFigures({ store, maker, now, signal }: FigureBacklogOptions): Promise<MadeFigures> {
  const days = await store.waitingFigures(now() - SETTLED_AFTER)
  const parts = [...days.map(closeOf), ...days.map(restOf)].filter(({ moments }) => moments.length > 0)
  const rest = () => new Promise<void>((resolve) => setTimeout(resolve, REST_BETWEEN_ROWS))
  let made = 0
  let failure: Error | undefined
  for (const part of parts) {
    if (signal.aborted) break
    const outcome = await maker.make(part, { signal, rest })
    made += outcome.made
    failure ??= outcome.failure
  }
  return { made, failure }
}

const closeOf = (day: WaitingDay): WaitingDay => ({ ...day, moments: day.moments.slice(-1) })
const restOf = (day: WaitingDay): WaitingDay => ({ ...day, moments: day.moments.slice(0, -1) })

/**
 * Computes missing figures in the background, once at the start and then every quarter of an hour. Logs the outcome of
 * each round in one line.
 */
export function startFigureBacklog(
  options: Omit<FigureBacklogOptions, 'signal'>,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  shutdown: Shutdown
): void {
  const stopping = new AbortController()
  let loggedFailure: string | undefined
  const check = async () => {
    try {
      const { made, failure } = await makeWaitingFigures({ ...options, signal: stopping.signal })
      const text = 'figures over time were made of recorded snapshots'
      if (failure !== undefined && failure.message !== loggedFailure)
        log.warn({ made, err: failure }, `${text}; some could not be`)
      else if (made > 0) log.info({ made }, text)
      loggedFailure = failure?.message
    } catch (error) {
      if (!shutdown.begun) log.error({ err: error }, 'figures over time could not be made; it is tried again')
    }
  }
  let checking = check()
  const timer = setInterval(() => {
    checking = checking.then(check)
  }, CHECK_EVERY).unref()
  shutdown.add(() => {
    clearInterval(timer)
    stopping.abort()
    return checking
  })
}

/** Recomputes, in the background, daily records that older formulas computed. Logs the outcome in one line. */
export function startRecordMigration(
  { store, outdated, watch }: RunningRecording,
  { engine, events }: { readonly engine: Engine; readonly events: MarketEventBus },
  log: Log,
  shutdown: Shutdown
): void {
  if (store === undefined || outdated === undefined || watch === undefined) return
  const stopping = new AbortController()
  const onRecords = (symbol: Ticker) => events.emit('daysWritten', { symbol, written: 'records' })
  const options = { store, engine, signal: stopping.signal, onRecords }
  const done = outdated()
    .then((days) => renewRecords(days, options))
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
