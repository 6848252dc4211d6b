import { effect, signal } from '@preact/signals'
import { place } from '../page/address.ts'

/** What all figures of a page are asked about. */
export interface Question {
  readonly symbol: string
  /** a past moment in New York; undefined: live */
  readonly at: string | undefined
}

/** How long the answers of one moment hold up the next one, milliseconds. */
const PATIENCE = 400

/** Answers to the newest question that are still on their way. */
export const onTheWay = signal(0)

/**
 * The question that is being answered. While the time slider moves, one moment is in flight and the newest position
 * waits; all between them are never asked.
 */
export const question = signal<Question>({ symbol: place.peek().symbol, at: place.peek().at })

/** Whether the page wants something newer already, which is asked about next. */
export const isPassed = ({ symbol, at }: Question) => place.peek().symbol !== symbol || place.peek().at !== at

/** Moves `question` after the place that is shown. */
export function followPlace(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const { symbol, at } = place.value
    const asked = question.peek()
    if (symbol === asked.symbol && at === asked.at) return
    clearTimeout(timer)
    const isScrubbing = symbol === asked.symbol && at !== undefined && asked.at !== undefined
    const next = () => {
      question.value = { symbol, at }
    }
    if (!isScrubbing || onTheWay.value === 0) next()
    else timer = setTimeout(next, PATIENCE)
  })
}

/** The moment of a replay that comes next while it plays, in New York; undefined while nothing plays. */
export const ahead = signal<string>()

/** One answer that was asked for before it was wanted. */
export function keptAhead<Answer>() {
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
      answer.catch(() => {}) // told to whoever takes it
      kept = { name, answer, gaveUp }
    },
    /** The answer to exactly this question, once; another one is forgotten. */
    take(params: object, moment: string | undefined): Promise<Answer> | undefined {
      const isIt = kept?.name === nameOf(params, moment)
      const answer = isIt ? kept?.answer : undefined
      if (!isIt) kept?.gaveUp.abort()
      kept = undefined
      return answer
    }
  }
}
