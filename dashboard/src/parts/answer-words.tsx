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

/** Says in the caption of a panel what `answerWords` says. */
export function AnswerWords({ of }: { readonly of: Of }) {
  const words = answerWords(of)
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
