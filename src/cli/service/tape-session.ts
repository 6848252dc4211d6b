import { listenForStop, type SignalSource } from '../../app/stop-signal.ts'
import { RequestError } from '../../client/request-error.ts'
import { pause } from '../../connectors/port/pause.ts'
import { backOff } from '../../pacing/back-off.ts'
import type { Terminal } from '../terminal.ts'
import { isShown, NewPrints, type TaggedPrint, type TapeFilter, type TapePrint, tapeLine } from './tape-prints.ts'

export interface TapeRequest {
  readonly symbol: string
  readonly filter: TapeFilter
  /** Prints one JSON object per line instead of text. */
  readonly json: boolean
  /** Requests the newest prints, at most `MAX_PRINTS`. They arrive newest first. */
  readonly newest: (signal: AbortSignal) => Promise<readonly TapePrint[]>
}

export const MAX_PRINTS = 500
const SHOWN_AT_START = 20
/** Milliseconds between two requests: `first` as a rule, growing up to `longest` while requests fail. */
const pauses = { first: 1000, longest: 30_000 }
/**
 * Error codes after which the command tries again: prints are still loading, their source does not respond, there were
 * too many requests, or the service restarts.
 */
const temporary: readonly string[] = [
  'data_loading',
  'upstream_unavailable',
  'source_unavailable',
  'too_many_requests',
  'unreachable'
]

/**
 * Writes the new prints of a symbol, one per line, until a signal arrives or the reader closes the output. Retries
 * after temporary failures. Throws if the service refuses for good or is unreachable at the start.
 */
export async function tapeSession(
  { symbol, filter, json, newest }: TapeRequest,
  { out, err, left }: Terminal,
  signals: SignalSource
): Promise<void> {
  const stop = listenForStop(signals)
  const ended = new AbortController()
  for (const end of [stop.requested, ...(left ? [left] : [])]) void end.then(() => ended.abort())
  const show = (row: TaggedPrint) => out(json ? JSON.stringify({ symbol, ...row }) : tapeLine(symbol, row))
  const prints = new NewPrints()
  let hasStarted = false
  try {
    for (let failures = 0; !ended.signal.aborted; await pause(backOff(failures + 1, pauses), ended.signal)) {
      let answer: readonly TapePrint[]
      try {
        answer = await newest(ended.signal)
        failures = 0
      } catch (error) {
        if (ended.signal.aborted) return
        if (!isTemporary(error, hasStarted)) throw error
        if (failures++ === 0) err(`${error.message}; trying again`)
        continue
      }
      const { rows, full } = prints.select(answer, MAX_PRINTS)
      if (full) err(`more than ${MAX_PRINTS} prints arrived since the previous line: those in between are not shown`)
      const shown = rows.filter((row) => isShown(row, filter))
      for (const row of hasStarted ? shown : shown.slice(-SHOWN_AT_START)) show(row)
      hasStarted = true
    }
  } finally {
    stop.dispose()
  }
}

/** Whether to retry after an error. A service that is unreachable at the start most likely has another address. */
function isTemporary(error: unknown, hasStarted: boolean): error is RequestError {
  if (!(error instanceof RequestError) || !temporary.includes(error.code)) return false
  return hasStarted || error.code !== 'unreachable'
}
