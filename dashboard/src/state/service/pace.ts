import { effect } from '@preact/signals'
import { isHidden } from '../page/reader.ts'
import { isStreamed } from '../stream/stream-state.ts'
import { ask } from './ask.ts'
import { isCounted } from './freshness.ts'
import { embedToken, isSignedIn } from './sign-in.ts'

/** Milliseconds between requests if the pace of the plan is unknown. */
export const USUAL = 15_000
/** Shortest interval, milliseconds. */
const LEAST = 5000
/** Interval if the plan limits requests per day, milliseconds. */
export const FRUGAL = 300_000

let asked: Promise<number> | undefined

/** Forgets the pace on sign-out, since the next key may belong to another plan. */
export function followPlan(): void {
  effect(() => {
    if (!isSignedIn.value) asked = undefined
  })
}

/** Milliseconds between requests of live figures without a stream: as often as the plan has newer data. */
export async function pollPace(): Promise<number> {
  if (isCounted()) return FRUGAL
  // A panel's token cannot read the account.
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

/** Waits until the page is visible, or `gaveUp` aborts. */
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

/**
 * Waits `pace` milliseconds or until `gaveUp` aborts. If the stream brings the rest, ends as soon as the stream is
 * lost.
 */
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
