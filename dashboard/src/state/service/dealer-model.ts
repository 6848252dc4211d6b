import { computed, signal } from '@preact/signals'
import type { AnswerOf, GetPath } from 'gammawall/client'
import { expirations, place } from '../page/address.ts'
import type { Dealers } from '../page/place.ts'
import { type Figures, figures, type Model, modelOf } from './figures.ts'

/** Short names of the models. */
export const DEALER_WORDS: Readonly<Record<Model, string>> = {
  all_short: 'all short',
  index_overwriting: 'overwriting',
  tape: 'by the tape'
}

/** The chosen model; undefined: the convention, which is the default of every answer. */
const model = computed(() => (place.value.dealers === 'convention' ? undefined : place.value.dealers))

/** The query parameter of answers that take a model. */
export function byModel(): { readonly dealer_model?: Model } {
  return model.value === undefined ? {} : { dealer_model: model.value }
}

/** Applies a streamed value to an answer, unless the answer is of another model. */
export function patchByModel<Path extends GetPath>(
  held: Figures<Path>,
  change: (answer: AnswerOf<Path>) => AnswerOf<Path>
): void {
  held.patch((answer) => (modelOf(answer) === model.peek() ? change(answer) : answer))
}

/** Applies a streamed value as `patchByModel` does, unless the answer is of another set of expirations. */
export function patchBySet<Path extends GetPath>(
  held: Figures<Path>,
  change: (answer: AnswerOf<Path>) => AnswerOf<Path>
): void {
  if (held.set.peek() === (expirations.peek() ?? 'all')) patchByModel(held, change)
}

/** Whether the choice of models is open. Models are compared only then, or once one is chosen. */
export const isComparisonRequested = signal(false)

/** Net exposures by each dealer model. */
export const comparison = figures('/v1/exposure/models/{symbol}', {
  params: ({ symbol }) => (isComparisonRequested.value || model.value !== undefined ? { symbol } : undefined),
  bySet: true
})

/** Share of the models that agree with the convention about the regime; undefined if unknown. */
export const agreement = computed(() => comparison.answer.value?.agreement ?? undefined)

/** On which side customers are shown to stand; undefined if unknown. */
export const customers = computed(() => comparison.answer.value?.customers ?? undefined)

/** Why a model has no figures for the symbol; undefined if it has. */
export function reasonOf(id: Dealers): string | undefined {
  return comparison.answer.value?.models.find((each) => each.id === id)?.reason ?? undefined
}
