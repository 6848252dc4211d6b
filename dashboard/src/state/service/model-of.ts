import type { Dealers } from '../page/place.ts'

/** Other than the convention, by which answers go where none is asked for. */
export type Model = Exclude<Dealers, 'convention'>

/** The model of what dealers hold that a question or an answer names; undefined: the convention. */
export function modelOf(said: unknown): Model | undefined {
  return (said as { readonly dealer_model?: Model } | undefined)?.dealer_model
}
