import pino from 'pino'
import { ApiError } from '../api/error.ts'
import { lineWriter } from './line-writer.ts'
import type { RequestRecord } from './record.ts'

export type Log = pino.Logger

export interface Logging {
  readonly log: Log
  /** The access log: one line a request. A 5xx carries its cause: words where it was to be expected, else a stack. */
  readonly request: (record: RequestRecord) => void
  readonly flush: () => void
}

/**
 * JSON lines on standard error, written in batches rather than with a system call each. What is
 * logged of a request is listed field by field, so neither keys nor query strings can slip in.
 */
export function createLog(level: string): Logging {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 500 })
  const access = lineWriter(2)
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  const request = (record: RequestRecord) => {
    const { error } = record
    const announced = error instanceof ApiError && error.code === 'coming_soon' // nothing failed, it is not there yet
    if (error !== undefined && !announced) logFailure(log, record)
    else if (log.isLevelEnabled('info')) access.add(accessLine(record))
  }
  const flush = () => {
    try {
      access.flush()
      destination.flushSync()
    } catch {
      // The stream was never opened, or is gone already: there is nothing left to write to.
    }
  }
  return { log, request, flush }
}

function logFailure(log: Log, { error, ...fields }: RequestRecord): void {
  if (error instanceof ApiError) log.warn({ ...fields, reason: error.message }, 'request failed')
  else log.error({ ...fields, err: error }, 'request failed')
}

/** The line pino would write, of fields that are known beforehand: this is done for every request. */
function accessLine({ id, method, route, path, status, plan, userId, seconds, bytes }: RequestRecord): string {
  const caller = plan === undefined ? '' : `,"plan":${quoted(plan)},"userId":"${userId}"`
  const what = `"method":"${method}","route":"${route}","path":${quoted(path)}`
  const outcome = `"status":${status},"seconds":${sixDecimals(seconds)},"bytes":${bytes}`
  return `{"level":30,"time":"${now()}","id":"${id}",${what}${caller},${outcome},"msg":"request"}\n`
}

const mostQuoted = 5000
const alreadyQuoted = new Map<string, string>()

/**
 * A path or a name of a plan as JSON text, remembered: the same ones come again and again. Nearly none needs an escape;
 * one with other characters is written as addresses are.
 */
function quoted(text: string): string {
  let written = alreadyQuoted.get(text)
  if (written === undefined) {
    written = /^[\w/.:^=,-]*$/.test(text) ? `"${text}"` : JSON.stringify(encodeURI(text))
    if (alreadyQuoted.size >= mostQuoted) alreadyQuoted.clear()
    alreadyQuoted.set(text, written)
  }
  return written
}

/** What toFixed(6) writes, several times as fast where a request took less than a second. */
function sixDecimals(seconds: number): string {
  const microseconds = Math.round(seconds * 1e6)
  return microseconds < 1e6 ? `0.${`${microseconds}`.padStart(6, '0')}` : seconds.toFixed(6)
}

let second = 0
let written = ''

/** The current time, ISO 8601; the part that changes once a second is written once a second. */
function now(): string {
  const instant = Date.now()
  const whole = Math.floor(instant / 1000)
  if (whole !== second) {
    second = whole
    written = new Date(whole * 1000).toISOString().slice(0, 20)
  }
  return `${written}${`${instant - whole * 1000}`.padStart(3, '0')}Z`
}
