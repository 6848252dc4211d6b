import pino from 'pino'
import { ApiError } from '../../api/error.ts'
import { MAX_ADDRESS_LENGTH } from '../http/exchange.ts'
import type { RequestRecord } from '../http/record.ts'
import { flat } from './flat-text.ts'
import { lineWriter } from './line-writer.ts'

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

/**
 * The line pino would write, of fields that are known beforehand: this is done for every request. A text of few pieces
 * is made and written in half the time of one of many, so those that come again and again are put together beforehand.
 */
function accessLine({ id, method, route, path, status, plan, userId, seconds, bytes }: RequestRecord): string {
  const outcome = `"status":${status},"seconds":${sixDecimals(seconds)},"bytes":${bytes}`
  return `${stamp()}${id}${askedText(method, route, path)}${callerText(plan, userId)}${outcome},"msg":"request"}\n`
}

const MAX_REMEMBERED = 5000

interface Asked {
  readonly method: string
  readonly route: string
  readonly text: string
}

const asked = new Map<string, Asked>()

/** What was asked for, remembered by its path: nearly always it is asked for in one way. */
function askedText(method: string, route: string, path: string): string {
  const known = asked.get(path)
  if (known !== undefined && known.method === method && known.route === route) return known.text
  const text = flat(`","method":"${method}","route":"${route}","path":${quoted(path)},`)
  return path.length > MAX_ADDRESS_LENGTH ? text : remember(asked, path, { method, route, text }).text
}

interface Caller {
  readonly plan: string
  readonly text: string
}

const callers = new Map<string, Caller>()

/** Who asked, remembered by user; nothing where no key was sent. */
function callerText(plan: string | undefined, userId: string | undefined): string {
  if (plan === undefined || userId === undefined) return ''
  const known = callers.get(userId)
  if (known?.plan === plan) return known.text
  return remember(callers, userId, { plan, text: flat(`"plan":${quoted(plan)},"userId":"${userId}",`) }).text
}

function remember<Value>(where: Map<string, Value>, key: string, value: Value): Value {
  if (where.size >= MAX_REMEMBERED) where.clear()
  where.set(key, value)
  return value
}

/** A path or the name of a plan as JSON text. Nearly none needs an escape; others are written as addresses are. */
function quoted(text: string): string {
  return /^[\w/.:^=,-]*$/.test(text) ? `"${text}"` : JSON.stringify(encodeURI(text))
}

/** What toFixed(6) writes, several times as fast where a request took less than a second. */
function sixDecimals(seconds: number): string {
  const microseconds = Math.round(seconds * 1e6)
  return microseconds < 1e6 ? `0.${`${microseconds}`.padStart(6, '0')}` : seconds.toFixed(6)
}

let stamped = 0
let stampText = ''

/** How every line begins, up to the request id, with the current time (ISO 8601): written once a millisecond. */
function stamp(): string {
  const now = Date.now()
  if (now !== stamped) {
    stamped = now
    stampText = flat(`{"level":30,"time":"${new Date(now).toISOString()}","id":"`)
  }
  return stampText
}
