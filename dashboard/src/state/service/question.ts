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
