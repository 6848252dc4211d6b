import pino from 'pino'
import type { RequestRecord } from './record.ts'

export type Log = pino.Logger

/**
 * JSON lines on standard error, written in batches: a line costs a microsecond rather than a system call. What is
 * logged is listed field by field, so neither keys nor query strings can slip in.
 */
export function createLog(level: string): { readonly log: Log; readonly flush: () => void } {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 8192, periodicFlush: 500 })
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  const flush = () => {
    try {
      destination.flushSync()
    } catch {
      // The stream was never opened, or is gone already: there is nothing left to write to.
    }
  }
  return { log, flush }
}

/** The access log: one line a request. A 5xx carries its cause. */
export function logRequest(log: Log, { error, ...request }: RequestRecord): void {
  if (error !== undefined) log.error({ ...request, err: error }, 'request failed')
  else log.info(request, 'request')
}
