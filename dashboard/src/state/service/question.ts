import { effect, signal, untracked } from '@preact/signals'
import { place } from '../page/address.ts'
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

/** Whether the page already shows another symbol or moment. */
export const isPassed = ({ symbol, at }: Question) =>
  place.peek().symbol !== symbol || untracked(() => momentOfPage()) !== at

/** The recorded moment behind that of the page. Undefined: live, or not known yet. */
function momentOfPage(): string | undefined {
  const { symbol, at } = place.value
  return at === undefined ? undefined : recordedBy(symbol, at)
}

/** Makes `question` follow the address, from one recorded moment to the next. */
export function followPlace(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const { symbol } = place.value
    const at = momentOfPage()
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
