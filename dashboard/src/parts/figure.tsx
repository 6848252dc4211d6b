interface FigureProps {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
  readonly tone?: 'call' | 'put' | 'flip' | undefined
}

/** A figure of a strip with its name above it and what it is of below. */
export function Figure({ name, value, note, tone }: FigureProps) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class={tone}>{value}</dd>
      <dd class="note">{note}</dd>
    </div>
  )
}
