import type { CardFigure } from '../state/page/card-figure.ts'
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
  /** The figure whose card the value opens. */
  readonly of?: CardFigure | undefined
}

/** A figure with its name above and a note below. */
export function Figure({ name, value, note, tone, method, of }: FigureProps) {
  return (
    <div class="figure">
      <dt>
        <MethodLink method={method}>{name}</MethodLink>
      </dt>
      <dd class={tone} title={value === NONE ? WHY_NONE : undefined}>
        <CardButton of={of} name={name} value={value} />
      </dd>
      <dd class="note">{note}</dd>
    </div>
  )
}
