import pino from 'pino'
import { ApiError } from '../../api/error.ts'
import type { RequestRecord } from '../http/exchange.ts'
import { openAccessLog } from './access-log.ts'

export type Log = pino.Logger

export interface Logging {
  readonly log: Log
  /**
   * Logs one request. For a 5xx status it also logs the cause: a sentence for an expected error, a stack trace for any
   * other.
   */
  readonly request: (record: RequestRecord) => void
  readonly flush: () => Promise<void>
}

/**
 * Creates a log that writes JSON lines to standard error. Lines are written in batches, not with one system call each.
 */
export function createLog(level: string): Logging {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 500 })
  const access = openAccessLog(2)
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  const request = (record: RequestRecord) => {
    const { error } = record
    const announced = error instanceof ApiError && error.code === 'coming_soon'
    if (error !== undefined && !announced) logFailure(log, record)
    else if (log.isLevelEnabled('info')) access.add(record)
  }
  const flush = async () => {
    const isRead = await access.flush()
    try {
      if (isRead) destination.flushSync()
      else destination.destroy() // waiting for its reader could keep the process from ending
    } catch {
      // The stream was never opened, or is closed already: there is nothing left to write to.
    }
  }
  return { log, request, flush }
}

function logFailure(log: Log, { error, ...fields }: RequestRecord): void {
  if (error instanceof ApiError) log.warn({ ...fields, reason: error.message }, 'request failed')
  else log.error({ ...fields, err: error }, 'request failed')
}
