interface FactProps {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
}

/** A row of a table of facts: a figure with its name and what it is of. */
export function Fact({ name, value, note }: FactProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="n">{value}</td>
      <td class="n note">{note}</td>
    </tr>
  )
}
