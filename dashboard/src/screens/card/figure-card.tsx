import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { answerWords } from '../../parts/answer-words.tsx'
import { MethodLink } from '../../parts/method-link.tsx'
import { stateOf } from '../../parts/panel.tsx'
import { maxPain } from '../../state/chart/chart-state.ts'
import { dayOf, newYork } from '../../state/day/time.ts'
import { place, turn } from '../../state/page/address.ts'
import { closeCard, isOpenedHere } from '../../state/page/card.ts'
import { type Card, TABS, type Tab } from '../../state/page/place.ts'
import { attribution, bands, cardFigures, explain, isNet, models, past } from '../../state/screens/card-state.ts'
import { levels, summary } from '../../state/screens/overview-state.ts'
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

const CONTENTS: Readonly<Record<Tab, ComponentType<{ readonly card: Card }>>> = {
  why: WhyTab,
  rests: RestsTab,
  sure: SureTab,
  history: HistoryTab
}

/** Answers whose figure the card names: those of the page. Max pain is that of the last bar. */
const sourceOf = (card: Card) => (isNet(card) ? summary : levels)

/** The figure as the page shows it. */
function shownValue(card: Card): number | null | undefined {
  if (isNet(card)) return summary.answer.value?.exposures[card]
  const now = levels.answer.value?.levels
  if (card === 'max_pain') return maxPain.value
  return card === 'magnet' ? now?.zero_dte_magnet : now?.[card]
}

/** The open card of a figure: why it changed, what it rests on, how sure it is, its history. */
export default function FigureCard() {
  useEffect(() => startAll(cardFigures), [])
  const { card } = place.value
  return card === undefined ? null : <OpenCard card={card} />
}

function OpenCard({ card }: { readonly card: Card }) {
  const tabs = useRef<HTMLDivElement>(null)
  const focusTab = () => tabs.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  useEffect(() => {
    if (isOpenedHere()) focusTab()
  }, [card])
  const { symbol, tab } = place.value
  const { name, method, unit } = CARD_NAMES[card]
  const value = figureText(card, shownValue(card))
  const Shown = CONTENTS[tab]
  const step = (event: KeyboardEvent) => {
    const next = tabAfter(tab, event.key)
    if (next === undefined) return
    event.preventDefault()
    turn({ tab: next })
    requestAnimationFrame(focusTab)
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    closeCard(card)
  }
  const of = sourceOf(card)
  return (
    <section
      class="card"
      aria-label={`${name} ${value}`}
      onKeyDown={leave}
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
          onClick={() => closeCard(card)}
        >
          ×
        </button>
      </header>
      <p class="of">
        {[symbol, momentText(of.answer.value?.as_of), card === 'max_pain' ? undefined : answerWords([of])]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div class="tabs" role="tablist" aria-label={name} ref={tabs} onKeyDown={step}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`card-${each}`}
            aria-selected={each === tab}
            aria-controls="card-contents"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => turn({ tab: each })}
          >
            {TAB_NAMES[each]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <div class="scroll" role="tabpanel" id="card-contents" aria-labelledby={`card-${tab}`} tabIndex={0}>
        <Shown card={card} />
      </div>
    </section>
  )
}

/** A moment of an answer in New York. */
function momentText(asOf: string | undefined): string | undefined {
  if (asOf === undefined) return undefined
  const wall = newYork(Date.parse(asOf))
  return `${dayOf(wall.slice(0, 10))} ${wall.slice(11, 16)}`
}

/** The tab that a key leads to; undefined for other keys. */
function tabAfter(tab: Tab, key: string): Tab | undefined {
  const at = TABS.indexOf(tab)
  if (key === 'ArrowRight') return TABS[(at + 1) % TABS.length]
  if (key === 'ArrowLeft') return TABS.at(at - 1)
  if (key === 'Home') return TABS[0]
  return key === 'End' ? TABS.at(-1) : undefined
}
