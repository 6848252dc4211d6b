import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { answerWords } from '../../parts/answer-words.tsx'
import { setWords } from '../../parts/expiration-words.ts'
import { MethodLink } from '../../parts/method-link.tsx'
import { stateOf } from '../../parts/panel.tsx'
import { dayOf, newYork } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import { closeCard, isOpenedHere } from '../../state/page/card.ts'
import { type CardFigure, keyOf } from '../../state/page/card-figure.ts'
import type { Card, Explained, Tab } from '../../state/page/place.ts'
import { sourceOf } from '../../state/screens/card-sources.ts'
import {
  attribution,
  bands,
  cardFigures,
  explain,
  isExplained,
  models,
  past,
  tab,
  tabsOf
} from '../../state/screens/card-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { CARD_NAMES, figureText } from './card-names.ts'
import { HistoryTab } from './history-tab.tsx'
import { RestsTab } from './rests-tab.tsx'
import { SureTab } from './sure-tab.tsx'
import { WhyTab } from './why-tab.tsx'
import '../../style/card.css'

const TAB_NAMES: Readonly<Record<Tab, string>> = {
  why: 'Why',
  rests: 'Rests on',
  sure: 'How sure',
  history: 'History'
}

/** Parts of a card that explain its figure. */
const EXPLANATIONS: Readonly<Record<Exclude<Tab, 'history'>, ComponentType<{ readonly card: Explained }>>> = {
  why: WhyTab,
  rests: RestsTab,
  sure: SureTab
}

function Part({ card }: { readonly card: Card }) {
  if (tab.value === 'history' || !isExplained(card)) return <HistoryTab card={card} />
  const Explanation = EXPLANATIONS[tab.value]
  return <Explanation card={card} />
}

/** The open card of a figure: why it changed, what it rests on, how sure it is, its history. */
export default function FigureCard() {
  useEffect(() => startAll(cardFigures), [])
  const { card, cardSet: set } = place.value
  return card === undefined ? null : <OpenCard key={keyOf({ card, set })} card={card} set={set} />
}

function OpenCard(figure: CardFigure) {
  const { card, set } = figure
  const list = useRef<HTMLDivElement>(null)
  const focusTab = () => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  useEffect(() => {
    if (isOpenedHere()) focusTab()
  }, [])
  const source = sourceOf(figure)
  useEffect(() => source.of.start(), [])
  const tabs = tabsOf(card)
  const { name, method, unit } = CARD_NAMES[card]
  // A figure that is still being loaded is not one that is missing.
  const isLoading = source.of.answer.value === undefined && source.of.isAsking.value
  const value = isLoading ? '…' : figureText(card, source.value())
  const step = (event: KeyboardEvent) => {
    const next = tabAfter(tabs, tab.value, event.key)
    if (next === undefined) return
    event.preventDefault()
    turn({ tab: next })
    requestAnimationFrame(focusTab)
  }
  return (
    <section
      class="card"
      aria-label={`${name} ${value}`}
      {...stateOf([explain, attribution, bands, models, past].filter((each) => each.isAsking.value))}
    >
      <header>
        <h2>
          <MethodLink method={method}>{name}</MethodLink> <b>{value}</b> {unit !== undefined && <small>{unit}</small>}
        </h2>
        <button
          type="button"
          class="close"
          aria-label="Close the card"
          title="Close (Escape)"
          onClick={() => closeCard(figure)}
        >
          ×
        </button>
      </header>
      <p class="of">
        {[
          place.value.symbol,
          momentText(source.of.answer.value?.as_of),
          set === undefined ? pageWords(figure) : setWords(set)
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div class="tabs" role="tablist" aria-label={name} ref={list} onKeyDown={step}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`card-${each}`}
            aria-selected={each === tab.value}
            aria-controls="card-contents"
            tabIndex={each === tab.value ? 0 : -1}
            onClick={() => turn({ tab: each })}
          >
            {TAB_NAMES[each]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll" role="tabpanel" id="card-contents" aria-labelledby={`card-${tab.value}`} tabIndex={0}>
        <Part card={card} />
      </div>
    </section>
  )
}

/** Dealer model and expirations of a figure of the page. Max pain has none: it is of all open options. */
const pageWords = (figure: CardFigure) => (figure.card === 'max_pain' ? undefined : answerWords([sourceOf(figure).of]))

/** A moment of an answer in New York. */
function momentText(asOf: string | undefined): string | undefined {
  if (asOf === undefined) return undefined
  const wall = newYork(Date.parse(asOf))
  return `${dayOf(wall.slice(0, 10))} ${wall.slice(11, 16)}`
}

/** The tab that a key leads to; undefined for other keys. */
function tabAfter(tabs: readonly Tab[], tab: Tab, key: string): Tab | undefined {
  const at = tabs.indexOf(tab)
  if (key === 'ArrowRight') return tabs[(at + 1) % tabs.length]
  if (key === 'ArrowLeft') return tabs.at(at - 1)
  if (key === 'Home') return tabs[0]
  return key === 'End' ? tabs.at(-1) : undefined
}
