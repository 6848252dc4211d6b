import pino from 'pino'
import { ApiError } from '../../api/error.ts'
import type { RequestRecord } from '../http/exchange.ts'
import { openAccessLog } from './access-log.ts'

export type Log = pino.Logger

export interface Logging {
  readonly log: Log
  /** Logs one request. A 5xx carries its cause: a sentence if it was to be expected, else a stack trace. */
  readonly request: (record: RequestRecord) => void
  readonly flush: () => Promise<void>
}

/** Writes JSON lines to standard error, in batches rather than with a system call each. */
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
      else destination.destroy() // it would wait for its reader at the very end
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
