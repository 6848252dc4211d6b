import { batch, effect, type ReadonlySignal, signal } from '@preact/signals'
import { type AnswerOf, ApiError, type BodyOf, type PostPath } from 'gammawall/client'
import { client } from './ask.ts'
import { endOutage, recordRefusal } from './freshness.ts'
import { isSignedIn } from './sign-in.ts'

/** The answers to a changing body. The last good answer stays until a newer one replaces it. */
export interface Posted<Path extends PostPath> {
  readonly answer: ReadonlySignal<AnswerOf<Path> | undefined>
  readonly trouble: ReadonlySignal<ApiError | undefined>
  readonly isAsking: ReadonlySignal<boolean>
  /** Requests whenever the body changes, until the returned function is called. */
  start(): () => void
}

/** How long a body must stay unchanged before it is sent, milliseconds, so that a moving slider makes no requests. */
export const REST = 150

/**
 * Posts a body whenever it changes and keeps the answer. A newer body aborts the older request; without a body there is
 * no answer.
 */
export function posted<Path extends PostPath>(path: Path, body: () => BodyOf<Path> | undefined): Posted<Path> {
  const answer = signal<AnswerOf<Path>>()
  const trouble = signal<ApiError>()
  const isAsking = signal(false)

  async function load(wanted: BodyOf<Path>, gaveUp: AbortSignal): Promise<void> {
    try {
      const given = await client.post(path, wanted, { signal: gaveUp })
      if (gaveUp.aborted) return
      batch(() => {
        answer.value = given
        trouble.value = undefined
        isAsking.value = false
        endOutage(path)
      })
    } catch (error) {
      if (gaveUp.aborted) return
      if (!(error instanceof ApiError)) throw error
      batch(() => {
        trouble.value = error
        isAsking.value = false
        recordRefusal(path, error)
      })
    }
  }

  function start(): () => void {
    const stop = effect(() => {
      const wanted = body()
      if (wanted === undefined || !isSignedIn.value) {
        answer.value = undefined
        trouble.value = undefined
        return undefined
      }
      const gaveUp = new AbortController()
      isAsking.value = true
      const timer = setTimeout(() => void load(wanted, gaveUp.signal), REST)
      return () => {
        clearTimeout(timer)
        gaveUp.abort()
        isAsking.value = false
      }
    })
    return () => {
      stop()
      endOutage(path)
    }
  }
  return { answer, trouble, isAsking, start }
}
