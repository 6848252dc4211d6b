import { type CapturePlace, endOfCapture } from '../connectors/port/capture-place.ts'
import type { Log } from '../server/operations/log.ts'
import type { Shutdown } from './shutdown.ts'

/** How often the log looks whether raw answers are still kept, milliseconds: any thread may have met a full disk. */
const LOOK = 1000

/** Says once in the log that raw answers are no longer kept. What they were kept of goes on. */
export function logCaptureEnd(place: CapturePlace | undefined, log: Pick<Log, 'warn'>, shutdown: Shutdown): void {
  if (place === undefined) return
  const looking = setInterval(() => {
    const sentence = endOfCapture(place)
    if (sentence === undefined) return
    clearInterval(looking)
    log.warn(sentence)
  }, LOOK)
  looking.unref()
  shutdown.add(async () => clearInterval(looking))
}
