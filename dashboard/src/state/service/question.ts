import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { at, expirations, place } from '../page/address.ts'
import type { Place } from '../page/place.ts'
import { recordedBy } from './recorded.ts'

/** The symbol and the moment that all figures of a page are requested for. */
export interface Question {
  readonly symbol: string
  /** A past moment in New York; undefined: live. */
  readonly at: string | undefined
}

/** How long pending answers of one moment delay the next moment, milliseconds. */
const PATIENCE = 400

/** Number of pending answers to the newest question. */
export const pendingAnswers = signal(0)

/**
 * The question that is being answered. While the time slider moves, one moment is requested and the newest position
 * waits; positions in between are skipped.
 */
export const question = signal<Question>({ symbol: place.peek().symbol, at: place.peek().at })

/** Figures are requested for a subject and shown under it: the page, or a panel with a symbol or a moment of its own. */
export interface Subject {
  readonly place: ReadonlySignal<Place>
  /** Signals of their own, so that other changes of the place request nothing again. */
  readonly at: ReadonlySignal<string | undefined>
  readonly expirations: ReadonlySignal<string | undefined>
  readonly question: ReadonlySignal<Question>
  /** Whether it is the page itself: the stream brings its figures, and its answers say how fresh the page is. */
  readonly isPage: boolean
}

export const PAGE: Subject = { place, at, expirations, question, isPage: true }

/** The subject of a panel with a place of its own. Where its moment is that of the page, it changes as seldom as the page asks. */
export function subjectAt(own: ReadonlySignal<Place>): Subject {
  let last: Question | undefined
  const next = (): Question => {
    const { symbol, at: wall } = own.value
    const from = wall === place.value.at ? question.value.at : wall
    const moment = from === undefined ? undefined : recordedBy(symbol, from)
    const isSame = last?.symbol === symbol && last.at === moment
    const isUnknown = wall !== undefined && moment === undefined
    if (last === undefined || !(isSame || isUnknown)) last = { symbol, at: moment ?? wall }
    return last
  }
  return {
    place: own,
    at: computed(() => own.value.at),
    expirations: computed(() => own.value.expirations),
    question: computed(next),
    isPage: false
  }
}

/** Whether the subject already shows another symbol or moment. */
export const isPassed = ({ symbol, at }: Question, { place }: Subject = PAGE) =>
  place.peek().symbol !== symbol || untracked(() => momentAt(place.value)) !== at

/** The recorded moment behind that of a place. Undefined: live, or not known yet. */
function momentAt({ symbol, at }: Place): string | undefined {
  return at === undefined ? undefined : recordedBy(symbol, at)
}

/** Makes `question` follow the address, from one recorded moment to the next. */
export function followPlace(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const { symbol } = place.value
    const at = momentAt(place.value)
    const asked = question.peek()
    const isUnknown = at === undefined && place.value.at !== undefined
    if (isUnknown || (symbol === asked.symbol && at === asked.at)) return
    clearTimeout(timer)
    const isScrubbing = symbol === asked.symbol && at !== undefined && asked.at !== undefined
    const next = () => {
      question.value = { symbol, at }
    }
    if (!isScrubbing || pendingAnswers.value === 0) next()
    else timer = setTimeout(next, PATIENCE)
  })
}

/** The next moment of a playing replay, in New York; undefined while nothing plays. */
export const nextMoment = signal<string>()

/** Holds one answer that was requested in advance. */
export function prefetched<Answer>() {
  let kept: { readonly name: string; readonly answer: Promise<Answer>; readonly gaveUp: AbortController } | undefined
  const nameOf = (params: object, moment: string | undefined) => `${moment} ${JSON.stringify(params)}`
  const forget = () => {
    kept?.gaveUp.abort()
    kept = undefined
  }
  return {
    forget,
    keep(params: object, moment: string, ask: (signal: AbortSignal) => Promise<Answer>): void {
      const name = nameOf(params, moment)
      if (kept?.name === name) return
      forget()
      const gaveUp = new AbortController()
      const answer = ask(gaveUp.signal)
      answer.catch(() => {}) // The caller of `take` sees the error.
      kept = { name, answer, gaveUp }
    },
    /** The prepared answer to exactly this request, once. Any other prepared answer is dropped. */
    take(params: object, moment: string | undefined): Promise<Answer> | undefined {
      const isIt = kept?.name === nameOf(params, moment)
      const answer = isIt ? kept?.answer : undefined
      if (!isIt) kept?.gaveUp.abort()
      kept = undefined
      return answer
    }
  }
}
