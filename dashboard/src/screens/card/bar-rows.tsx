/** A figure with its name, drawn from zero. */
export interface BarRow {
  readonly name: string
  readonly value: number
  readonly text: string
}

interface Props {
  readonly title: string
  readonly note?: string
  readonly rows: readonly BarRow[]
  /** Whether the sign of a value has no colour. */
  readonly isPlain?: boolean
}

/** Figures as bars on one scale, with negative ones to the left of zero. */
export function BarRows({ title, note, rows, isPlain = false }: Props) {
  if (rows.length === 0) return null
  const values = rows.map(({ value }) => value)
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const percentOf = (value: number) => (high === low ? 0 : (100 * value) / (high - low))
  const tone = (value: number) => (isPlain ? 'plain' : value < 0 ? 'put' : 'call')
  return (
    <table class="card-rows">
      <caption>
        {title} {note !== undefined && <small>{note}</small>}
      </caption>
      <tbody>
        {rows.map(({ name, value, text }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="drawn">
              <i
                class={tone(value)}
                style={{
                  left: `${percentOf(Math.min(value, 0) - low)}%`,
                  width: `${percentOf(Math.abs(value))}%`
                }}
              />
            </td>
            <td class="n">{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
