import { place } from '../state/page/address.ts'
import { DEALER_WORDS } from '../state/service/dealer-model.ts'
import { modelOf } from '../state/service/figures.ts'
import type { Shown } from './panel.tsx'

/** Names the dealer model of some answers; undefined if it is the convention. */
export function modelWords(of: readonly Pick<Shown, 'answer'>[]): string | undefined {
  const model = of.map(({ answer }) => modelOf(answer.value)).find((each) => each !== undefined)
  return model && `dealers ${DEALER_WORDS[model]}`
}

export function ModelWord({ of }: { readonly of: readonly Pick<Shown, 'answer'>[] }) {
  const words = modelWords(of)
  return words === undefined ? null : <em class="model">{words}</em>
}

/** Marks figures that exist for the convention only, while another model is chosen. `of`: which of several figures. */
export function ConventionWord({ of }: { readonly of?: string }) {
  if (place.value.dealers === 'convention') return null
  return <em class="model plain">{of === undefined ? '' : `${of} `}by the convention</em>
}
