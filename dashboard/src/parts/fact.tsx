import { NONE } from './format.ts'
import { MethodLink, WHY_NONE } from './method-link.tsx'

interface FactProps {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
  /** Page of docs/methods about the figure. */
  readonly method?: string | undefined
}

/** A row of a table: a figure with its name and a note. */
export function Fact({ name, value, note, method }: FactProps) {
  return (
    <tr>
      <th scope="row">
        <MethodLink method={method}>{name}</MethodLink>
      </th>
      <td class="n" title={value === NONE ? WHY_NONE : undefined}>
        {value}
      </td>
      <td class="n note">{note}</td>
    </tr>
  )
}
