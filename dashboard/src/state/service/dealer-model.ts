import { computed, signal } from '@preact/signals'
import type { AnswerOf, GetPath } from 'gammawall/client'
import { place } from '../page/address.ts'
import type { Dealers } from '../page/place.ts'
import { type Figures, figures, type Model, modelOf } from './figures.ts'

/** What dealers are taken to hold, in a few words. */
export const DEALER_WORDS: Readonly<Record<Model, string>> = {
  all_short: 'all short',
  index_overwriting: 'overwriting',
  tape: 'by the tape'
}

/** The model that is asked for; undefined: the convention, by which answers go of themselves. */
const model = computed(() => (place.value.dealers === 'convention' ? undefined : place.value.dealers))

/** The parameter of an answer that takes a model. */
export function byModel(): { readonly dealer_model?: Model } {
  return model.value === undefined ? {} : { dealer_model: model.value }
}

/** Puts a newer part into an answer, as the stream brings it, unless the answer still goes by another model. */
export function patchByModel<Path extends GetPath>(
  held: Figures<Path>,
  change: (answer: AnswerOf<Path>) => AnswerOf<Path>
): void {
  held.patch((answer) => (modelOf(answer) === model.peek() ? change(answer) : answer))
}

/** Whether somebody looks at the choice of models: only then they are compared, or once one is chosen. */
export const isLookedAt = signal(false)

/** The same sums by every model. */
export const comparison = figures('/v1/exposure/models/{symbol}', {
  params: ({ symbol }) => (isLookedAt.value || model.value !== undefined ? { symbol } : undefined)
})
const compared = computed(() => {
  const answer = comparison.answer.value
  return answer?.symbol === place.value.symbol ? answer : undefined
})

/** The share of the models whose regime is that of the convention; undefined where it is not known. */
export const agreement = computed(() => compared.value?.agreement ?? undefined)

/** Why a model has no figures of the symbol; undefined while it has some. */
export function reasonOf(id: Dealers): string | undefined {
  return compared.value?.models.find((each) => each.id === id)?.reason ?? undefined
}
