import { batch, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { type AnswerOf, ApiError, type GetPath, type ParamsOf } from 'gammawall/client'
import type { Dealers } from '../page/place.ts'
import { isStreamed } from '../stream/stream-state.ts'
import { type Asked, ask } from './ask.ts'
import { answered, endOutage, isCounted, refused } from './freshness.ts'
import { FRUGAL, pollPace, USUAL, untilDue, untilSeen } from './pace.ts'
import { ahead, isPassed, keptAhead, onTheWay, type Question, question } from './question.ts'
import { isSignedIn } from './sign-in.ts'

/** A dealer model that answers name; the convention is never named. */
export type Model = Exclude<Dealers, 'convention'>

/** The dealer model that a question or an answer names; undefined: the convention. */
export function modelOf(named: unknown): Model | undefined {
  return (named as { readonly dealer_model?: Model } | undefined)?.dealer_model
}

/** The figures of one endpoint as a page holds them: the last good answer stays until a newer one replaces it. */
export interface Figures<Path extends GetPath> {
  readonly answer: ReadonlySignal<AnswerOf<Path> | undefined>
  /** Why the newest question has no answer; undefined while it has one. */
  readonly trouble: ReadonlySignal<ApiError | undefined>
  /** Whether an answer is on its way. */
  readonly isAsking: ReadonlySignal<boolean>
  /** Puts a newer part into the answer, as the stream brings it. */
  patch(change: (answer: AnswerOf<Path>) => AnswerOf<Path>): void
  /** Asks now and whenever the question changes, until the returned function is called. */
  start(): () => void
}

interface Options<Path extends GetPath> {
  /** The parameters for a question; undefined: there is nothing to ask. Signals read here are asked about too. */
  readonly params: (asked: Question) => ParamsOf<Path> | undefined
  /** Another moment than that of the page. */
  readonly at?: (asked: Question) => string | undefined
  /** Whether the answer that is held says all about a question. */
  readonly suffices?: (answer: AnswerOf<Path>, asked: Question) => boolean
  /** Whether the age of these figures is that of the page: they rest on the whole chain, of this moment alone. */
  readonly isMain?: true
  /** How often live figures are asked for while the stream brings the rest, milliseconds. */
  readonly every?: number
  /** Whether they rest on whole days: a session changes little of them. */
  readonly isDaily?: true
  /**
   * How long a question has to rest before it is asked, milliseconds, while older figures of its symbol are shown: what a
   * slider passes is not asked.
   */
  readonly rest?: number
}

/** The figures of an endpoint. A newer question gives the older one up, so a late answer is never shown. */
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
  const prepared = keptAhead<Asked<AnswerOf<Path>>>()
  /** The symbol that the figures held are of. */
  let shown: string | undefined

  async function load(wanted: ParamsOf<Path>, moment: string | undefined, gaveUp: AbortSignal) {
    batch(() => {
      isAsking.value = true
      onTheWay.value++
    })
    try {
      const given = await (prepared.take(wanted, moment) ?? ask(path, wanted, { at: moment, signal: gaveUp }))
      if (gaveUp.aborted) return
      batch(() => {
        answer.value = given.answer
        trouble.value = undefined
        answered(path, given, isMain)
      })
    } catch (error) {
      if (gaveUp.aborted) return
      if (!(error instanceof ApiError)) throw error
      batch(() => {
        // What was answered by another model is no last good answer to this question.
        if (modelOf(wanted) !== modelOf(answer.peek())) answer.value = undefined
        trouble.value = error
        refused(path, error)
      })
    } finally {
      batch(() => {
        onTheWay.value--
        if (!gaveUp.aborted) isAsking.value = false
      })
    }
  }

  /** Asks the next moment of a replay ahead, so that it is there when it is wanted. */
  function prepare(asked: Question) {
    const next = ahead.peek()
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
          // What the plan has is asked for once it matters, and not while the page is opened.
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

/** Starts several figures at once; the returned function stops them all. */
export function startAll(all: readonly Pick<Figures<GetPath>, 'start'>[]): () => void {
  const stops = all.map((each) => each.start())
  return () => {
    for (const stop of stops) stop()
  }
}
