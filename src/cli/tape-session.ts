import { ApiError } from '../client/api-error.ts'
import { pause } from '../connectors/port/pause.ts'
import { backOff } from '../pacing/back-off.ts'
import type { Terminal } from './command.ts'
import { listenForStop, type Signals } from './signals.ts'
import { isShown, NewPrints, type TapeFilter, type TapePrint, type TapeRow, tapeLine } from './tape-rows.ts'

export interface TapeWanted {
  readonly symbol: string
  readonly filter: TapeFilter
  /** A JSON object to a line instead of text. */
  readonly json: boolean
  /** The newest prints, newest first, at most `MAX_PRINTS`. */
  readonly newest: (signal: AbortSignal) => Promise<readonly TapePrint[]>
}

/** Prints that one answer can hold. */
export const MAX_PRINTS = 500
/** Prints that are shown at the start, of those that there are. */
const AT_FIRST = 20
/** Milliseconds from one answer to the next question; longer after each failure, up to the last. */
const pauses = { first: 1000, longest: 30_000 }
/** Refusals that go by: a tape is being read, its source is silent, the service is started again. */
const passing: readonly string[] = ['upstream_unavailable', 'source_unavailable', 'too_many_requests', 'unreachable']

/**
 * Prints a tape as it grows, a line for each print, until a signal arrives or the output is closed. Throws when the
 * service refuses it for good, or does not answer at the start; anything else is told and tried again.
 */
export async function tapeSession(
  { symbol, filter, json, newest }: TapeWanted,
  { out, err, left }: Terminal,
  signals: Signals
): Promise<void> {
  const stop = listenForStop(signals)
  const ended = new AbortController()
  for (const end of [stop.asked, ...(left ? [left] : [])]) void end.then(() => ended.abort())
  const show = (row: TapeRow) => out(json ? JSON.stringify({ symbol, ...row }) : tapeLine(symbol, row))
  const prints = new NewPrints()
  let begun = false
  try {
    for (let failures = 0; !ended.signal.aborted; await pause(backOff(failures + 1, pauses), ended.signal)) {
      let answer: readonly TapePrint[]
      try {
        answer = await newest(ended.signal)
        failures = 0
      } catch (error) {
        if (ended.signal.aborted) return
        if (!passes(error, begun)) throw error
        if (failures++ === 0) err(`${error.message}; trying again`)
        continue
      }
      const { rows, full } = prints.take(answer, MAX_PRINTS)
      if (full) err(`more than ${MAX_PRINTS} prints came since the line before: those in between are not shown`)
      const shown = rows.filter((row) => isShown(row, filter))
      for (const row of begun ? shown : shown.slice(-AT_FIRST)) show(row)
      begun = true
    }
  } finally {
    stop.forget()
  }
}

/** A service that does not answer at the start is most likely somewhere else. */
function passes(error: unknown, begun: boolean): error is ApiError {
  if (!(error instanceof ApiError) || !passing.includes(error.code)) return false
  return begun || error.code !== 'unreachable'
}
