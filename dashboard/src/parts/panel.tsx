import type { ReadonlySignal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import type { ComponentChildren } from 'preact'
import type { EmbeddablePanel } from '../state/page/embeddable-panels.ts'
import type { SessionPart } from '../state/service/ask.ts'
import { AnswerWords, fileWords } from './answer-words.tsx'
import { Empty, type Way } from './empty.tsx'
import { MethodLink } from './method-link.tsx'
import { PanelMenu, type Table } from './panel-menu.tsx'
import { isLoading, loadedShare, partWords, sentenceOf } from './sentences.ts'
import { Upgrade } from './upgrade.tsx'

/** The part of `Figures` that a panel reads. */
export interface Shown {
  readonly answer: ReadonlySignal<unknown>
  readonly trouble: ReadonlySignal<ApiError | undefined>
  readonly isAsking: ReadonlySignal<boolean>
  readonly part?: ReadonlySignal<SessionPart | undefined>
  readonly set?: ReadonlySignal<string | undefined>
}

interface CaptionProps {
  readonly title: string
  /** Page of docs/methods about the figures. */
  readonly method?: string | undefined
  readonly legend?: ComponentChildren
  readonly children?: ComponentChildren
}

/** `place`: position of one of several captions in a panel. */
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
  /** Buttons in the caption that change the picture. */
  readonly actions?: ComponentChildren
  /** Shown instead of the contents if the answer is empty. */
  readonly empty?: ComponentChildren | undefined
  /** The way on from there; undefined: by the reason. */
  readonly way?: Way | undefined
  /** Name of the panel for other pages; undefined: it cannot be embedded. */
  readonly embed?: EmbeddablePanel | undefined
  /** The figures as a table, for export. */
  readonly table?: (() => Table) | undefined
}

/**
 * A panel with its caption, menu and state. The last good picture stays: a new request dims the caption only, and a
 * refusal is shown only while there are no figures.
 */
export function Panel({ name, title, method, legend, of, actions, empty, way, embed, table, children }: PanelProps) {
  return (
    <section class={`panel ${name}`} aria-label={title} {...stateOf(of)}>
      <Caption title={title} method={method} legend={legend}>
        <AnswerWords of={of} />
        <PartWord of={of} />
        {actions}
        {table !== undefined && (
          <PanelMenu name={name} title={title} table={table} embed={embed} words={fileWords(of)} />
        )}
      </Caption>
      <Contents of={of} empty={empty} way={way} method={method}>
        {children}
      </Contents>
    </section>
  )
}

/** Says what the figures cover while prints are still being read. */
export function PartWord({ of }: { readonly of: readonly Shown[] }) {
  const part = of.map((each) => each.part?.value).find((each) => each !== undefined)
  return part === undefined ? null : <em class="model">{partWords(part)}</em>
}

/** Attributes that tell the style sheet whether an answer is pending. */
export function stateOf(of: readonly Shown[]) {
  const isLoaded = of.every(({ trouble }) => trouble.value === undefined || !isLoading(trouble.value))
  const isAsking = !isLoaded || of.some((each) => each.isAsking.value)
  const isFirst = of.every((each) => each.answer.value === undefined)
  return { 'aria-busy': isAsking, 'data-state': isAsking ? (isFirst ? 'loading' : 'renewing') : 'still' }
}

/** Why there are no figures: a refusal in words, or how far they have been loaded. */
function Trouble({ error, method }: { readonly error: ApiError; readonly method: string | undefined }) {
  const share = loadedShare(error)
  return (
    <Empty code={error.code} method={method} role={isLoading(error) ? 'status' : undefined}>
      {sentenceOf(error)}
      {error.code === 'tier_restricted' && <Upgrade />}
      {share !== undefined && <progress value={share}>{Math.floor(100 * share)} %</progress>}
    </Empty>
  )
}

type ContentsProps = Pick<PanelProps, 'of' | 'empty' | 'way' | 'method' | 'children'>

export function Contents({ of, empty, way, method, children }: ContentsProps) {
  const lacking = of.find((each) => each.answer.value === undefined && each.trouble.value !== undefined)
  const trouble = lacking?.trouble.value
  if (trouble !== undefined) return <Trouble error={trouble} method={method} />
  if (empty !== undefined)
    return (
      <Empty way={way} method={method}>
        {empty}
      </Empty>
    )
  const isPending = of.some(({ answer, isAsking }) => answer.value === undefined && isAsking.value)
  return (
    <>
      {isPending && <p class="pending">Loading.</p>}
      {children}
    </>
  )
}
