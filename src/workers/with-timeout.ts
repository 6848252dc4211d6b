import { SourceError } from '../connectors/port/source-error.ts'

/** A source that says nothing for this long is not waited for where it does not say otherwise, milliseconds. */
const LOAD_TIMEOUT = 20_000

/** Waits for a source no longer than the limit, milliseconds, whether it heeds the signal or not. */
export async function withTimeout<Found>(
  ask: (signal: AbortSignal) => Promise<Found>,
  limit = LOAD_TIMEOUT
): Promise<Found> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new SourceError('timeout', `the source did not answer within ${limit / 1000} seconds`)
      reject(error)
      abort.abort(error)
    }, limit).unref()
  })
  try {
    return await Promise.race([ask(abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
