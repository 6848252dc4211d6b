import type { CardFigure } from '../state/page/card-figure.ts'
import { CardButton } from './card-button.tsx'
import { NONE } from './format.ts'
import { MethodLink, WHY_NONE } from './method-link.tsx'

interface FactProps {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
  /** Page of docs/methods about the figure. */
  readonly method?: string | undefined
  /** The figure whose card the value opens. */
  readonly of?: CardFigure | undefined
}

/** A row of a table: a figure with its name and a note. */
export function Fact({ name, value, note, method, of }: FactProps) {
  return (
    <tr>
      <th scope="row">
        <MethodLink method={method}>{name}</MethodLink>
      </th>
      <td class="n" title={value === NONE ? WHY_NONE : undefined}>
        <CardButton of={of} name={name} value={value} />
      </td>
      <td class="n note">{note}</td>
    </tr>
  )
}
