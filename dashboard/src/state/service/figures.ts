import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { type AnswerOf, ApiError, type GetPath, type ParamsOf } from 'gammawall/client'
import { paramsOfSet } from '../page/expiration-set.ts'
import type { Dealers } from '../page/place.ts'
import { isStreamed } from '../stream/stream-state.ts'
import { type Asked, ask, type SessionPart } from './ask.ts'
import { endOutage, isCounted, recordAnswer, recordRefusal } from './freshness.ts'
import { FRUGAL, pollPace, USUAL, untilDue, untilSeen } from './pace.ts'
import { isPassed, nextMoment, PAGE, pendingAnswers, prefetched, type Question, type Subject } from './question.ts'
import { recordedBy } from './recorded.ts'
import { isSignedIn } from './sign-in.ts'
import { isOf, isOfPage, isOfSymbol, type Stamp, stampOf } from './stamp.ts'

/** A dealer model as answers name it; the convention goes without a name. */
export type Model = Exclude<Dealers, 'convention'>

/** The dealer model of a request or an answer; undefined: the convention. */
export function modelOf(named: unknown): Model | undefined {
  return (named as { readonly dealer_model?: Model } | undefined)?.dealer_model
}

/** Pause before figures of a part of the session are requested again, milliseconds: the rest is read in seconds. */
const REST_OF_SESSION = 3000

/**
 * The answers of one endpoint. The last good answer stays until a newer one replaces it, unless the page shows another
 * symbol or an earlier moment by then: there is no answer at once.
 */
export interface Figures<Path extends GetPath> {
  readonly answer: ReadonlySignal<AnswerOf<Path> | undefined>
  /** The newest answer, whatever it is of, for the few things that hold for every symbol or moment. */
  readonly held: ReadonlySignal<{ readonly answer: AnswerOf<Path>; readonly stamp: Stamp } | undefined>
  /** Why the newest request failed; undefined if it did not. */
  readonly trouble: ReadonlySignal<ApiError | undefined>
  readonly isAsking: ReadonlySignal<boolean>
  /** The part of the session that the answer covers; undefined if all of it. */
  readonly part: ReadonlySignal<SessionPart | undefined>
  /**
   * The set of expirations that the answer is of, as in the address, or `all`. Undefined: there is no answer, or the
   * endpoint takes no set.
   */
  readonly set: ReadonlySignal<string | undefined>
  /** Applies a streamed value to the answer. */
  patch(change: (answer: AnswerOf<Path>) => AnswerOf<Path>): void
  /**
   * Requests now and whenever the question changes, until the returned function is called. Several users share the
   * requests.
   */
  start(): () => void
}

interface Options<Path extends GetPath> {
  /**
   * Parameters of the request; undefined: nothing to request. A change of a signal that is read here makes a new
   * request.
   */
  readonly params: (asked: Question) => ParamsOf<Path> | undefined
  /** Adds a set of expirations to the parameters: that of the subject, or another one; undefined: all. */
  readonly bySet?: 'expirations' extends keyof ParamsOf<Path> ? true | (() => string | undefined) : never
  /** Overrides the moment of the page. */
  readonly at?: (asked: Question) => string | undefined
  /** Whether an answer about the symbol covers the moment of the subject, so that it is cut and not requested again. */
  readonly suffices?: (answer: AnswerOf<Path>, asked: Pick<Question, 'at'>) => boolean
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
 * Requests and keeps the figures of an endpoint for the page, or for another subject. A newer question aborts the older
 * request, so a late answer is never shown.
 */
export function figures<Path extends GetPath>(
  path: Path,
  options: Options<Path>,
  subject: Subject = PAGE
): Figures<Path> {
  const { place, expirations, isPage } = subject
  const { at = (asked) => asked.at, suffices, isMain = false, isDaily = false, rest = 0, every = 60_000 } = options
  const bySet: true | (() => string | undefined) | undefined = options.bySet
  const params = (asked: Question): ParamsOf<Path> | undefined => {
    const own = options.params(asked)
    if (own === undefined || bySet === undefined) return own
    return { ...own, ...paramsOfSet(bySet === true ? expirations.value : bySet()) }
  }
  const held = signal<{ readonly answer: AnswerOf<Path>; readonly stamp: Stamp }>()
  const refusal = signal<{ readonly error: ApiError; readonly stamp: Stamp }>()
  const isAsking = signal(false)
  const part = signal<SessionPart>()
  const prepared = prefetched<Asked<AnswerOf<Path>>>()
  /** Whether the answer can be cut to the moment of the page, though it reaches further. */
  const reachesPage = (loaded: AnswerOf<Path>, stamp: Stamp) =>
    isOfSymbol(stamp, place.value) && place.value.at !== undefined && suffices?.(loaded, place.value) === true
  const answer = computed(() => {
    const loaded = held.value
    if (loaded === undefined) return undefined
    return isOfPage(loaded.stamp, place.value) || reachesPage(loaded.answer, loaded.stamp) ? loaded.answer : undefined
  })
  const trouble = computed(() => {
    const newest = refusal.value
    return newest !== undefined && isOfSymbol(newest.stamp, place.value) ? newest.error : undefined
  })

  const set = computed(() =>
    bySet !== undefined && answer.value !== undefined ? (held.value?.stamp.set ?? 'all') : undefined
  )

  async function load(wanted: ParamsOf<Path>, moment: string | undefined, stamp: Stamp, gaveUp: AbortSignal) {
    batch(() => {
      isAsking.value = true
      pendingAnswers.value++
    })
    try {
      const given = await (prepared.take(wanted, moment) ?? ask(path, wanted, { at: moment, signal: gaveUp }))
      if (gaveUp.aborted) return
      batch(() => {
        held.value = { answer: given.answer, stamp }
        refusal.value = undefined
        part.value = given.part
        if (isPage) recordAnswer(path, given, isMain)
      })
    } catch (error) {
      if (gaveUp.aborted) return
      if (!(error instanceof ApiError)) throw error
      batch(() => {
        // The last answer does not fit if the request names another dealer model or another set of expirations.
        const last = held.peek()
        if (modelOf(wanted) !== modelOf(last?.answer) || stamp.set !== last?.stamp.set) held.value = undefined
        // Where a plan ends at the last close, the page asks for that close next.
        const isAskedAgain = isPage && options.at === undefined && moment === undefined && 'page_at' in error.detail
        refusal.value = isAskedAgain ? undefined : { error, stamp }
        if (isPage) recordRefusal(path, error)
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
    const then = { ...asked, at: next && untracked(() => recordedBy(asked.symbol, next)) }
    if (then.at === undefined || then.at === asked.at) return
    const [wanted, moment, loaded] = [params(then), at(then), answer.peek()]
    if (wanted === undefined || moment === undefined || (loaded !== undefined && suffices?.(loaded, then))) return
    prepared.keep(wanted, moment, (signal) => ask(path, wanted, { at: moment, signal }))
  }

  function begin(): () => void {
    const stop = effect(() => {
      const asked = subject.question.value
      if (!isSignedIn.value) return undefined
      const wanted = params(asked)
      if (wanted === undefined) {
        refusal.value = undefined
        return undefined
      }
      const moment = at(asked)
      const loaded = held.peek()
      const isHeld = loaded !== undefined && isOf(asked.symbol, loaded.stamp)
      if (isHeld && moment !== undefined && suffices?.(loaded.answer, asked)) return undefined
      const stamp = stampOf(wanted, asked, moment, options.at === undefined)
      const gaveUp = new AbortController()
      const again = async () => {
        for (let isFirst = true; !gaveUp.signal.aborted; isFirst = false) {
          const isCarried = isPage && isStreamed.peek() && !isCounted()
          const refused = trouble.peek()
          const isLoading = refused?.code === 'data_loading' || refused?.code === 'loading'
          // The pace of the plan is requested after the first interval, not while the page opens.
          const pace = isDaily ? FRUGAL : isCarried ? every : isFirst && !isCounted() ? USUAL : await pollPace()
          // Loading takes seconds, even where the figures change once a day.
          if (isLoading) await untilDue(refused.retryAfter ?? USUAL, false, gaveUp.signal)
          else if (part.peek() !== undefined) await untilDue(REST_OF_SESSION, false, gaveUp.signal)
          else await untilDue(pace, isCarried && !isDaily, gaveUp.signal)
          await untilSeen(gaveUp.signal)
          if (!gaveUp.signal.aborted) await load(wanted, moment, stamp, gaveUp.signal)
        }
      }
      untracked(async () => {
        if (rest > 0 && held.peek()?.stamp.symbol === asked.symbol) {
          do await new Promise((resolve) => setTimeout(resolve, rest))
          while (isPassed(asked, subject) && !gaveUp.signal.aborted)
        }
        if (gaveUp.signal.aborted) return
        await load(wanted, moment, stamp, gaveUp.signal)
        if (gaveUp.signal.aborted) return
        if (moment === undefined) void again()
        else if (isPage) prepare(asked)
      })
      return () => {
        gaveUp.abort()
        isAsking.value = false
      }
    })
    return () => {
      stop()
      prepared.forget()
      if (isPage) endOutage(path)
    }
  }

  let users = 0
  let end = () => {}

  function start(): () => void {
    if (users++ === 0) end = begin()
    return () => {
      if (--users === 0) end()
    }
  }

  const patch: Figures<Path>['patch'] = (change) => {
    const loaded = held.peek()
    if (loaded !== undefined && answer.peek() !== undefined) held.value = { ...loaded, answer: change(loaded.answer) }
  }
  return { answer, held, trouble, isAsking, part, set, patch, start }
}

/** Starts several figures; the returned function stops all of them. */
export function startAll(all: readonly Pick<Figures<GetPath>, 'start'>[]): () => void {
  const stops = all.map((each) => each.start())
  return () => {
    for (const stop of stops) stop()
  }
}
