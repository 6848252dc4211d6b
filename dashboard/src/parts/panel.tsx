import type { ReadonlySignal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import type { ComponentChildren } from 'preact'
import type { EmbeddablePanel } from '../state/page/embeddable-panels.ts'
import { MethodLink } from './method-link.tsx'
import { ModelWord, modelWords } from './model-word.tsx'
import { PanelMenu, type Table } from './panel-menu.tsx'
import { sentenceOf } from './sentences.ts'

/** What a panel needs to know of the figures that it shows. */
export interface Shown {
  readonly answer: ReadonlySignal<unknown>
  readonly trouble: ReadonlySignal<ApiError | undefined>
  readonly isAsking: ReadonlySignal<boolean>
}

interface CaptionProps {
  readonly title: string
  /** The page of docs/methods that says how its figures are made. */
  readonly method?: string | undefined
  readonly legend?: ComponentChildren
  readonly children?: ComponentChildren
}

/** `place`: where it stands, of several in one panel. */
export function Caption({ title, method, legend, place, children }: CaptionProps & { readonly place?: 'right' }) {
  return (
    <header class={place === undefined ? 'caption' : `caption ${place}`}>
      <h2>
        <MethodLink method={method}>{title}</MethodLink>
      </h2>
      {legend !== undefined && <p class="legend">{legend}</p>}
      {children}
    </header>
  )
}

interface PanelProps extends CaptionProps {
  readonly name: string
  readonly of: readonly Shown[]
  /** Switches of the picture, in the caption. */
  readonly actions?: ComponentChildren
  /** Instead of the contents, where there is an answer that holds nothing. */
  readonly empty?: ComponentChildren | undefined
  /** The name under which pages of others may show the panel; undefined: they may not. */
  readonly embed?: EmbeddablePanel | undefined
  /** The figures as a table, for the menu. */
  readonly table?: (() => Table) | undefined
}

/**
 * A panel in any of its states. It never loses its last good picture: a newer question only dims its caption, and a
 * refusal stands in place of the figures only while there are none.
 */
export function Panel({ name, title, method, legend, of, actions, empty, embed, table, children }: PanelProps) {
  return (
    <section class={`panel ${name}`} aria-label={title} {...stateOf(of)}>
      <Caption title={title} method={method} legend={legend}>
        <ModelWord of={of} />
        {actions}
        {table !== undefined && (
          <PanelMenu name={name} title={title} table={table} embed={embed} model={modelWords(of)} />
        )}
      </Caption>
      <Contents of={of} empty={empty}>
        {children}
      </Contents>
    </section>
  )
}

/** Attributes by which the style sheet shows that an answer is on its way. */
export function stateOf(of: readonly Shown[]) {
  const isAsking = of.some((each) => each.isAsking.value)
  const isFirst = of.every((each) => each.answer.value === undefined)
  return { 'aria-busy': isAsking, 'data-state': isAsking ? (isFirst ? 'loading' : 'renewing') : 'still' }
}

export function Contents({ of, empty, children }: Pick<PanelProps, 'of' | 'empty' | 'children'>) {
  const lacking = of.find((each) => each.answer.value === undefined && each.trouble.value !== undefined)
  const trouble = lacking?.trouble.value
  if (trouble !== undefined) return <p class="empty">{sentenceOf(trouble)}</p>
  if (empty !== undefined) return <p class="empty">{empty}</p>
  return <>{children}</>
}
