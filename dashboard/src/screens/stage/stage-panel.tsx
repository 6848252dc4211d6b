import type { ComponentChildren, ComponentType } from 'preact'
import { ladder } from '../../charts/ladder.tsx'
import { priceChart } from '../../charts/price-chart.tsx'
import { AnswerWords, ConventionWord, DefaultWords, defaultWords, fileWords } from '../../parts/answer-words.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Caption, type Shown, stateOf } from '../../parts/panel.tsx'
import { PanelMenu, type Table } from '../../parts/panel-menu.tsx'
import type { Stage } from '../../state/day/price-stage.ts'
import { place, turn } from '../../state/page/address.ts'
import type { EmbeddablePanel } from '../../state/page/embeddable-panels.ts'
import { Crosshair, stepper } from './crosshair.tsx'
import { Toggle } from './toggle.tsx'

/** One half of a stage: its caption and notes. */
interface Half {
  readonly title: string
  /** Page of docs/methods about the figures. */
  readonly method: string
  readonly legend: ComponentChildren
  /** Buttons in the caption that change the picture. */
  readonly actions?: ComponentChildren
  /** The part of the picture that follows the convention whichever dealer model is chosen. */
  readonly byConvention?: string | undefined
  /** The part that is of all expirations too, whichever set is chosen. */
  readonly byDefault?: string | undefined
  /** Why nothing is drawn. */
  readonly note?: ComponentChildren
}

interface StageProps {
  readonly of: readonly Shown[]
  readonly price: Half
  readonly strikes: Half
  /** Base name of exported files. */
  readonly name: string
  readonly title: string
  readonly table: () => Table
  /** Name of the panel for other pages; undefined: it cannot be embedded. */
  readonly embed?: EmbeddablePanel
}

interface StageOptions {
  readonly stage: Stage
  /** Description for screen readers. */
  readonly label: string
  /** Shows the figures of the strike under the pointer. */
  readonly tip: ComponentType<{ readonly strike: number }>
}

/** A panel in which price and strikes share one vertical axis, so that a level is one line through both. */
export function stagePanel({ stage, label, tip }: StageOptions) {
  const [PriceChart, Ladder, step] = [priceChart(stage), ladder(stage), stepper(stage)]
  return ({ of, price, strikes, name, title, table, embed }: StageProps) => (
    <section
      class="panel stage"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its crosshair
      tabIndex={0}
      onKeyDown={step}
      {...stateOf(of)}
    >
      <Caption title={price.title} method={price.method} legend={price.legend}>
        {price.actions}
        <PanelMenu name={name} title={title} table={table} embed={embed} words={wordsOf(of, price)} />
      </Caption>
      <Caption title={strikes.title} method={strikes.method} legend={strikes.legend} place="right">
        <RootScale />
        {strikes.actions}
      </Caption>
      <div class="price">
        <PriceChart />
        {price.byConvention !== undefined && <ConventionWord of={price.byConvention} />}
        {price.byDefault !== undefined && <DefaultWords of={price.byDefault} />}
        <Note of={price} />
      </div>
      <div class="ladder">
        <Ladder />
        <AnswerWords of={of} />
        <Note of={strikes} />
      </div>
      <div class="over">
        <Crosshair stage={stage} tip={tip} />
      </div>
    </section>
  )
}

/** Names dealer model and expirations of a picture, and the parts that do not follow the choice. */
function wordsOf(of: readonly Shown[], { byConvention, byDefault }: Half): string | undefined {
  const isOther = byConvention !== undefined && place.value.dealers !== 'convention'
  const others = isOther ? `${byConvention} by the convention` : byDefault && defaultWords(byDefault)
  return [fileWords(of), others].filter((each) => each !== undefined).join(', ') || undefined
}

/** Words that hold a link of their own need no other way on. */
function Note({ of: { note, method } }: { readonly of: Pick<Half, 'note' | 'method'> }) {
  if (note === undefined) return null
  if (typeof note !== 'string') return <p class="note-in">{note}</p>
  return (
    <Empty kind="note-in" method={method}>
      {note}
    </Empty>
  )
}

function RootScale() {
  const isRoot = place.value.scale === 'root'
  return (
    <Toggle
      name="Root scale"
      sign="√"
      hint="Root or linear scale (k)"
      isOn={isRoot}
      act={() => turn({ scale: isRoot ? 'linear' : 'root' })}
    />
  )
}

interface MapToggleProps {
  readonly name: string
  readonly hint: string
}

/** Switch of the map behind the price. */
export function MapToggle({ name, hint }: MapToggleProps) {
  const isOn = place.value.map
  return <Toggle name={name} sign="▒" hint={`${hint} (m)`} isOn={isOn} act={() => turn({ map: !isOn })} />
}
