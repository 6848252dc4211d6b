import type { Card } from '../state/page/place.ts'
import { CardButton } from './card-button.tsx'
import { NONE } from './format.ts'
import { MethodLink, WHY_NONE } from './method-link.tsx'

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
  readonly tone?: 'call' | 'put' | 'flip' | undefined
  /** Page of docs/methods about the figure. */
  readonly method?: string | undefined
  /** The card that the value opens. */
  readonly card?: Card
}

/** A figure with its name above and a note below. */
export function Figure({ name, value, note, tone, method, card }: FigureProps) {
  return (
    <div class="figure">
      <dt>
        <MethodLink method={method}>{name}</MethodLink>
      </dt>
      <dd class={tone} title={value === NONE ? WHY_NONE : undefined}>
        <CardButton card={card} name={name} value={value} />
      </dd>
      <dd class="note">{note}</dd>
    </div>
  )
}
