import { effect } from '@preact/signals'
import { isHidden } from '../page/reader.ts'
import { isStreamed } from '../stream/stream-state.ts'
import { ask } from './ask.ts'
import { isCounted } from './freshness.ts'
import { embedToken, isSignedIn } from './sign-in.ts'

/** Where it is not known what the plan gives, live figures are asked for this often, milliseconds. */
export const USUAL = 15_000
/** Oftener nobody reads them, milliseconds. */
const LEAST = 5000
/** With a counted number of requests a day a page asks less often, milliseconds. */
export const FRUGAL = 300_000

let asked: Promise<number> | undefined

/** Forgets the pace of the plan on signing out: the next key may be of another plan. */
export function followPlan(): void {
  effect(() => {
    if (!isSignedIn.value) asked = undefined
  })
}

/** How often live figures are asked for without a stream, milliseconds: as often as the plan has newer ones. */
export async function pollPace(): Promise<number> {
  if (isCounted()) return FRUGAL
  // The token of a panel opens no account.
  if (embedToken.peek() !== undefined) return USUAL
  asked ??= ask('/v1/account', {}, { at: undefined, signal: AbortSignal.timeout(30_000) }).then(
    ({ answer }) => Math.max(LEAST, answer.capabilities.freshness_seconds * 1000),
    () => {
      asked = undefined
      return USUAL
    }
  )
  return asked
}

/** Waits until somebody looks at the page, or `gaveUp`. */
export function untilSeen(gaveUp: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined
    const go = () => {
      stop?.()
      resolve()
    }
    stop = effect(() => {
      if (!isHidden.value || gaveUp.aborted) queueMicrotask(go)
    })
    gaveUp.addEventListener('abort', go, { once: true })
  })
}

/** Waits so many milliseconds, or `gaveUp`; where the stream carries the rest, no longer than it lasts. */
export function untilDue(pace: number, isCarried: boolean, gaveUp: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      stop?.()
      resolve()
    }
    const timer = setTimeout(go, pace)
    const stop = isCarried
      ? effect(() => {
          if (!isStreamed.value) queueMicrotask(go)
        })
      : undefined
    if (gaveUp.aborted) go()
    else gaveUp.addEventListener('abort', go, { once: true })
  })
}
