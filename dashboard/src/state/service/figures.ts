import { batch, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { type AnswerOf, ApiError, type GetPath, type ParamsOf } from 'gammawall/client'
import type { Dealers } from '../page/place.ts'
import { isStreamed } from '../stream/stream-state.ts'
import { type Asked, ask } from './ask.ts'
import { endOutage, isCounted, recordAnswer, recordRefusal } from './freshness.ts'
import { FRUGAL, pollPace, USUAL, untilDue, untilSeen } from './pace.ts'
import { isPassed, nextMoment, pendingAnswers, prefetched, type Question, question } from './question.ts'
import { isSignedIn } from './sign-in.ts'

/** A dealer model as answers name it; the convention goes without a name. */
export type Model = Exclude<Dealers, 'convention'>

/** The dealer model of a request or an answer; undefined: the convention. */
export function modelOf(named: unknown): Model | undefined {
  return (named as { readonly dealer_model?: Model } | undefined)?.dealer_model
}

/** The answers of one endpoint. The last good answer stays until a newer one replaces it. */
export interface Figures<Path extends GetPath> {
  readonly answer: ReadonlySignal<AnswerOf<Path> | undefined>
  /** Why the newest request failed; undefined if it did not. */
  readonly trouble: ReadonlySignal<ApiError | undefined>
  readonly isAsking: ReadonlySignal<boolean>
  /** Applies a streamed value to the answer. */
  patch(change: (answer: AnswerOf<Path>) => AnswerOf<Path>): void
  /** Requests now and whenever the question changes, until the returned function is called. */
  start(): () => void
}

interface Options<Path extends GetPath> {
  /**
   * Parameters of the request; undefined: nothing to request. A change of a signal that is read here makes a new
   * request.
   */
  readonly params: (asked: Question) => ParamsOf<Path> | undefined
  /** Overrides the moment of the page. */
  readonly at?: (asked: Question) => string | undefined
  /** Whether the loaded answer covers the question, so that no request is needed. */
  readonly suffices?: (answer: AnswerOf<Path>, asked: Question) => boolean
  /** Whether the age of this answer is shown as the age of the page's data. */
  readonly isMain?: true
  /** How often live figures are requested while the stream brings the rest, milliseconds. */
  readonly every?: number
  /** Whether they rest on whole days and hardly change within a session. */
  readonly isDaily?: true
  /**
   * How long a question must stay unchanged before it is requested, milliseconds, if figures of its symbol are shown
   * already. Keeps a moving slider from making requests.
   */
  readonly rest?: number
}

/**
 * Requests and keeps the figures of an endpoint. A newer question aborts the older request, so a late answer is never
 * shown.
 */
export function figures<Path extends GetPath>(path: Path, options: Options<Path>): Figures<Path> {
  const {
    params,
    at = (asked) => asked.at,
    suffices,
    isMain = false,
    isDaily = false,
    rest = 0,
    every = 60_000
  } = options
  const answer = signal<AnswerOf<Path>>()
  const trouble = signal<ApiError>()
  const isAsking = signal(false)
  const prepared = prefetched<Asked<AnswerOf<Path>>>()
  /** Symbol of the loaded figures. */
  let shown: string | undefined

  async function load(wanted: ParamsOf<Path>, moment: string | undefined, gaveUp: AbortSignal) {
    batch(() => {
      isAsking.value = true
      pendingAnswers.value++
    })
    try {
      const given = await (prepared.take(wanted, moment) ?? ask(path, wanted, { at: moment, signal: gaveUp }))
      if (gaveUp.aborted) return
      batch(() => {
        answer.value = given.answer
        trouble.value = undefined
        recordAnswer(path, given, isMain)
      })
    } catch (error) {
      if (gaveUp.aborted) return
      if (!(error instanceof ApiError)) throw error
      batch(() => {
        // The last answer does not fit if the request names another dealer model.
        if (modelOf(wanted) !== modelOf(answer.peek())) answer.value = undefined
        trouble.value = error
        recordRefusal(path, error)
      })
    } finally {
      batch(() => {
        pendingAnswers.value--
        if (!gaveUp.aborted) isAsking.value = false
      })
    }
  }

  /** Requests the next moment of a playing replay in advance. */
  function prepare(asked: Question) {
    const next = nextMoment.peek()
    if (next === undefined) return
    const then = { ...asked, at: next }
    const [wanted, moment, held] = [params(then), at(then), answer.peek()]
    if (wanted === undefined || moment === undefined || (held !== undefined && suffices?.(held, then))) return
    prepared.keep(wanted, moment, (signal) => ask(path, wanted, { at: moment, signal }))
  }

  function start(): () => void {
    const stop = effect(() => {
      const asked = question.value
      if (!isSignedIn.value) return undefined
      const wanted = params(asked)
      if (wanted === undefined) {
        trouble.value = undefined
        return undefined
      }
      const moment = at(asked)
      const held = answer.peek()
      if (held !== undefined && moment !== undefined && suffices?.(held, asked)) return undefined
      const gaveUp = new AbortController()
      const again = async () => {
        for (let isFirst = true; !gaveUp.signal.aborted; isFirst = false) {
          const isCarried = isStreamed.peek() && !isCounted()
          // The pace of the plan is requested after the first interval, not while the page opens.
          const pace = isDaily ? FRUGAL : isCarried ? every : isFirst && !isCounted() ? USUAL : await pollPace()
          await untilDue(pace, isCarried && !isDaily, gaveUp.signal)
          await untilSeen(gaveUp.signal)
          if (!gaveUp.signal.aborted) await load(wanted, moment, gaveUp.signal)
        }
      }
      untracked(async () => {
        if (rest > 0 && shown === asked.symbol) {
          do await new Promise((resolve) => setTimeout(resolve, rest))
          while (isPassed(asked) && !gaveUp.signal.aborted)
        }
        if (gaveUp.signal.aborted) return
        await load(wanted, moment, gaveUp.signal)
        if (gaveUp.signal.aborted) return
        shown = asked.symbol
        if (moment === undefined) void again()
        else prepare(asked)
      })
      return () => {
        gaveUp.abort()
        isAsking.value = false
      }
    })
    return () => {
      stop()
      prepared.forget()
      endOutage(path)
    }
  }

  const patch: Figures<Path>['patch'] = (change) => {
    const held = answer.peek()
    if (held !== undefined) answer.value = change(held)
  }
  return { answer, trouble, isAsking, patch, start }
}

/** Starts several figures; the returned function stops all of them. */
export function startAll(all: readonly Pick<Figures<GetPath>, 'start'>[]): () => void {
  const stops = all.map((each) => each.start())
  return () => {
    for (const stop of stops) stop()
  }
}
