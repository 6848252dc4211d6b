import { dayOf, newYork } from '../state/day/time.ts'
import { expirations, place } from '../state/page/address.ts'
import { isCalendarSet } from '../state/page/expiration-set.ts'
import { DEALER_WORDS } from '../state/service/dealer-model.ts'
import { modelOf } from '../state/service/figures.ts'
import { setWords } from './expiration-words.ts'
import { useFocus } from './focus-context.ts'
import type { Shown } from './panel.tsx'

type Of = readonly Pick<Shown, 'answer' | 'set'>[]

const joined = (words: readonly (string | undefined)[]) =>
  words.filter((each) => each !== undefined).join(', ') || undefined

function modelWords(of: Of): string | undefined {
  const model = of.map(({ answer }) => modelOf(answer.value)).find((each) => each !== undefined)
  return model && `dealers ${DEALER_WORDS[model]}`
}

/** The set of expirations of some answers. Undefined if they take none, or if all is chosen and shown. */
function setOf(of: Of): string | undefined {
  const set = of.map((each) => each.set?.value).find((each) => each !== undefined)
  return set === 'all' && expirations.value === undefined ? undefined : set
}

/** Names dealer model and expirations of some answers; undefined if they are the convention and all. */
export function answerWords(of: Of): string | undefined {
  const set = setOf(of)
  return joined([modelWords(of), set && setWords(set)])
}

/** Words for files, with every date of a set. */
export function fileWords(of: Of): string | undefined {
  const set = setOf(of)
  const isOfDates = set !== undefined && set !== 'all' && !isCalendarSet(set)
  return joined([modelWords(of), isOfDates ? `expiring ${set.replaceAll(',', ' ')}` : set && setWords(set)])
}

/** Names the part of a picture that is by the convention and of all expirations, if something else is chosen: `set`. */
export function defaultWords(part?: string, set = expirations.value): string | undefined {
  const words = joined([
    place.value.dealers === 'convention' ? undefined : 'by the convention',
    set === undefined ? undefined : 'of all expirations'
  ])
  return words === undefined || part === undefined ? words : `${part} ${words}`
}

/** Figures may be this much older than the moment in the head without a word, milliseconds: they come once a minute. */
const LATE = 120_000

/** The moment of the oldest of some answers, if it is not that of the head: 14:30, or with its day. */
function momentWords(of: Of, now: number | undefined): string | undefined {
  const known = of.map(({ answer }) =>
    Date.parse((answer.value as { readonly as_of?: string } | undefined)?.as_of ?? '')
  )
  const oldest = Math.min(...known.filter((each) => !Number.isNaN(each)))
  if (now === undefined || !(now - oldest > LATE) || !Number.isFinite(oldest)) return undefined
  const [wall, head] = [newYork(oldest), newYork(now)]
  const time = wall.slice(11, 16)
  return wall.slice(0, 10) === head.slice(0, 10) ? time : `${dayOf(wall.slice(0, 10))} ${time}`
}

/** Says in the caption of a panel what `answerWords` says, and the moment of its figures if the head has another one. */
export function AnswerWords({ of }: { readonly of: Of }) {
  const words = joined([answerWords(of), momentWords(of, useFocus().day.figuresAt.value)])
  return words === undefined ? null : <em class="model">{words}</em>
}

/** Marks figures by the convention and of all expirations, while something else is chosen. `of`: which of several figures. */
export function DefaultWords({ of }: { readonly of?: string }) {
  return <Plain words={defaultWords(of, useFocus().subject.expirations.value)} />
}

/** Marks figures that exist for the convention only, while another model is chosen. `of`: which of several figures. */
export function ConventionWord({ of }: { readonly of?: string }) {
  if (place.value.dealers === 'convention') return null
  return <Plain words={of === undefined ? 'by the convention' : `${of} by the convention`} />
}

/** Marks figures that exist for all expirations only, while a set is chosen. */
export function AllExpirationsWord() {
  return <Plain words={expirations.value === undefined ? undefined : 'of all expirations'} />
}

function Plain({ words }: { readonly words: string | undefined }) {
  return words === undefined ? null : <em class="model plain">{words}</em>
}
