import { NONE } from './format.ts'
import { MethodLink, WHY_NONE } from './method-link.tsx'

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
  readonly tone?: 'call' | 'put' | 'flip' | undefined
  /** The page that says how it is made. */
  readonly method?: string | undefined
}

/** A figure of a strip with its name above it and what it is of below. */
export function Figure({ name, value, note, tone, method }: FigureProps) {
  return (
    <div class="figure">
      <dt>
        <MethodLink method={method}>{name}</MethodLink>
      </dt>
      <dd class={tone} title={value === NONE ? WHY_NONE : undefined}>
        {value}
      </dd>
      <dd class="note">{note}</dd>
    </div>
  )
}
