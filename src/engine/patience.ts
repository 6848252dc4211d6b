import { SourceError } from '../connectors/connector.ts'

/** A source that says nothing for this long is not waited for, milliseconds. */
const longestLoad = 20_000

/** Waits for a source no longer than `longestLoad`, whether it heeds the signal or not. */
export async function patiently<Found>(ask: (signal: AbortSignal) => Promise<Found>): Promise<Found> {
  const patience = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new SourceError('timeout', `the source did not answer within ${longestLoad / 1000} seconds`)
      reject(error)
      patience.abort(error)
    }, longestLoad).unref()
  })
  try {
    return await Promise.race([ask(patience.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
