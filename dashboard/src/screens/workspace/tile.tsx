import { computed, type ReadonlySignal } from '@preact/signals'
import { Suspense } from 'preact/compat'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Empty } from '../../parts/empty.tsx'
import { FocusContext, useFocus } from '../../parts/focus-context.ts'
import { dayOf, newYork } from '../../state/day/time.ts'
import { place as page } from '../../state/page/address.ts'
import { isTicker, type Place } from '../../state/page/place.ts'
import { startAll } from '../../state/service/figures.ts'
import type { PanelSpec } from '../../state/workspace/layouts.ts'
import { focusName, focusOf, shownBy } from '../../state/workspace/panel-subjects.ts'
import { focused, openLayout, panels, setPanel } from '../../state/workspace/workspace-state.ts'
import { ChartChoices } from './chart-choices.tsx'
import { ChartTile } from './chart-tile.tsx'
import { TileArrange } from './tile-arrange.tsx'
import { TILE_PANELS } from './tile-panels.tsx'
import { TileSubject } from './tile-subject.tsx'
import { KIND_NAMES } from './workspace-words.ts'

interface Props {
  /** Number of the panel, from 0. */
  readonly at: number
}

/** The type of a dragged symbol. */
export const DRAGGED = 'text/plain'

/** A panel of the layout with its symbol, its link and its moment. */
export function Tile({ at }: Props) {
  // A panel that is being removed stays drawn until it is gone.
  const spec = useMemo(() => {
    let last = panels.peek()[at]!
    return computed(() => (last = panels.value[at] ?? last))
  }, [at])
  const name = focusName(spec.value)
  const held = useMemo(() => focusOf(spec.peek()), [name])
  useEffect(() => held.leave, [held])
  return (
    <FocusContext.Provider value={held.focus}>
      <Framed at={at} about={name} spec={spec} />
    </FocusContext.Provider>
  )
}

interface FramedProps extends Props {
  /** Names what the panel is about. */
  readonly about: string
  readonly spec: ReadonlySignal<PanelSpec>
}

function Framed({ at, about, spec }: FramedProps) {
  const { day } = useFocus()
  const place = useMemo(
    () => computed((): Place => shownBy(spec.value, openLayout.value?.green ?? '', page.value)),
    [spec]
  )
  useEffect(() => day.session.start(), [day])
  const box = useRef<HTMLElement>(null)
  const isWanted = focused.value === at
  useEffect(() => {
    if (!isWanted) return
    box.current?.querySelector('summary')?.focus()
    focused.value = undefined
  }, [isWanted])
  const { kind, link } = spec.value
  const { symbol } = place.value
  return (
    <section
      class="panel tile"
      ref={box}
      id={`panel-${at + 1}`}
      data-link={link}
      aria-label={`Panel ${at + 1}, ${KIND_NAMES[kind]} of ${symbol}`}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(DRAGGED)) event.preventDefault()
      }}
      onDrop={(event) => {
        const dropped = event.dataTransfer?.getData(DRAGGED).toUpperCase() ?? ''
        if (!isTicker(dropped)) return
        event.preventDefault()
        setPanel(at, { symbol: dropped })
      }}
    >
      <header class="tile-head">
        <TileSubject at={at} spec={spec.value} symbol={symbol} />
        {kind === 'chart' && <ChartChoices at={at} place={place.value} />}
        <Moment />
        <TileArrange at={at} />
      </header>
      <div class="tile-body">
        <Unknown symbol={symbol} />
        {kind === 'chart' ? (
          <ChartTile key={about} at={at} spec={spec} place={place} />
        ) : (
          <OtherPanel key={`${about} ${kind}`} kind={kind} />
        )}
      </div>
    </section>
  )
}

/** The moment of the panel's figures, which another link or a held moment makes another one than that of the page. */
function Moment() {
  const { figuresAt } = useFocus().day
  if (figuresAt.value === undefined) return <time>–</time>
  const wall = newYork(figuresAt.value)
  return (
    <time>
      {dayOf(wall.slice(0, 10))} {wall.slice(11, 16)} <small>ET</small>
    </time>
  )
}

function Unknown({ symbol }: { readonly symbol: string }) {
  const { day, subject } = useFocus()
  if (subject.isPage || day.unknownSymbol.value === undefined) return null
  return (
    <Empty code="symbol_not_found">
      {`${symbol} is not known here${day.unknownSymbol.value.isReplay ? ' at that moment' : ''}.`}
    </Empty>
  )
}

function OtherPanel({ kind }: { readonly kind: keyof typeof TILE_PANELS }) {
  const { exposures } = useFocus()
  const { Panel, figures } = TILE_PANELS[kind]
  useEffect(() => startAll(figures(exposures)), [exposures, figures])
  return (
    <Suspense fallback={<p class="empty" aria-busy="true" />}>
      <Panel />
    </Suspense>
  )
}
