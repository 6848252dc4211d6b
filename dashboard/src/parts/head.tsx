import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { change, figuresAt, moment, spot } from '../state/day/day.ts'
import { clock, dayOf, newYork } from '../state/day/time.ts'
import { hrefOf, place } from '../state/page/address.ts'
import { brand } from '../state/page/brand.ts'
import { openKeys } from '../state/page/open-dialogs.ts'
import { openPalette } from '../state/page/palette.ts'
import { changeTheme } from '../state/page/reader.ts'
import { SCREENS, type Screen, type ScreenEntry, type ScreenLinkedBy, screensLinkedBy } from '../state/page/screens.ts'
import { freshness, isSynthetic } from '../state/service/freshness.ts'
import { fitHead } from './fit-head.ts'
import { percent, price } from './format.ts'
import { ScreenMenu } from './screen-menu.tsx'
import { stateNow } from './state-now.ts'
import { SymbolField } from './symbol-field.tsx'

/** Icons of the screens with `link: 'icon'`, in a square of 16. */
const ICONS: Readonly<Record<ScreenLinkedBy<'icon'>, ComponentChildren>> = {
  workspace: (
    <path d="M2.5 2.5h4.25v4.25H2.5zM9.25 2.5h4.25v4.25H9.25zM2.5 9.25h4.25v4.25H2.5zM9.25 9.25h4.25v4.25H9.25z" />
  ),
  alerts: <path d="M3 11.5h10l-1.5-2V6.75a3.5 3.5 0 0 0-7 0V9.5zM6.5 13.5h3" />,
  account: (
    <>
      <circle cx="8" cy="5.5" r="2.75" />
      <path d="M2.5 14a5.5 5.5 0 0 1 11 0" />
    </>
  )
}

/** Names symbol, price and moment in the title of the window. */
function usePageTitle() {
  const { symbol, at, screen } = place.value
  const now = spot.value === undefined ? '' : ` ${price(spot.value)}`
  const when = at === undefined ? '' : `, ${dayOf(at.slice(0, 10))} ${at.slice(11, 16)}`
  const title = `${symbol}${now}${when} · ${SCREENS[screen].title}`
  // Before the next frame, so that the title never names another symbol than the page.
  useLayoutEffect(() => {
    document.title = title
  }, [title])
}

function Spot() {
  usePageTitle()
  const moved = change.value
  return (
    <p class="spot">
      <strong>{price(spot.value)}</strong>
      {moved !== undefined && (
        <span class="moved">
          {moved.dollars < 0 ? '▼' : '▲'} <span class="dollars">{price(Math.abs(moved.dollars))}</span>{' '}
          {percent(moved.percent, 'signed', 2)} <small>on the day</small>
        </span>
      )}
    </p>
  )
}

/** The moment of the figures, with its weekday where that is not the day of the page. */
function whenWords(): string {
  const [figures, now] = [figuresAt.value, moment.value]
  if (figures === undefined || now === undefined) return '–'
  const wall = newYork(figures)
  const day = wall.slice(0, 10)
  return day === newYork(now).slice(0, 10) ? clock(figures) : `${dayOf(day).slice(0, 3)} ${wall.slice(11, 16)}`
}

function StateLine() {
  const { tone, word, note } = stateNow()
  return (
    <a class={`state ${tone}`} href={hrefOf({ screen: 'status' })} title={`${note ?? word} (${SCREENS.status.key})`}>
      <span class="dot" aria-hidden="true" />
      <b>{word}</b>
      {note !== undefined && tone !== 'live' && <span class="note">{note}</span>}
      <time>
        {whenWords()} <small>ET</small>
      </time>
    </a>
  )
}

/** Quality score below which it is said. */
const GOOD = 85

/** Says when the data behind the figures is not good. */
function DataBadge() {
  const { quality } = freshness.value
  if (quality === undefined || quality >= GOOD) return null
  return (
    <a class="badge" href={hrefOf({ screen: 'status' })} title={`Quality of the data: ${Math.floor(quality)} of 100`}>
      Data {Math.floor(quality)}
    </a>
  )
}

const titleOf = (screen: Screen) => `${SCREENS[screen].title} (${SCREENS[screen].key})`

/** Whether a link leads to the shown screen, or to the one that it stands in. */
function currentOf(id: Screen, shown: Screen): 'page' | 'true' | undefined {
  const entry: ScreenEntry = SCREENS[shown]
  return id === shown ? 'page' : entry.within === id ? 'true' : undefined
}

export function Head() {
  const { screen } = place.value
  const head = useRef<HTMLElement>(null)
  const hasBadge = isSynthetic()
  const { quality = GOOD } = freshness.value
  const isPoor = quality < GOOD
  useEffect(() => fitHead(head.current!), [hasBadge, isPoor])
  return (
    <header class="head" ref={head}>
      <a class="mark" href={hrefOf({ screen: 'overview' })} aria-label={`${brand.name}, overview`}>
        <img src="./mark.svg" alt="" width="24" height="24" />
      </a>
      <SymbolField />
      <Spot />
      <nav aria-label="Screens">
        {screensLinkedBy('tab').map((id) => (
          <a key={id} href={hrefOf({ screen: id })} aria-current={currentOf(id, screen)} title={titleOf(id)}>
            {SCREENS[id].title}
          </a>
        ))}
      </nav>
      <ScreenMenu screens={[...screensLinkedBy('tab'), 'workspace']} label="⋯" title="All screens">
        <button type="button" onClick={openPalette}>
          Find
        </button>
      </ScreenMenu>
      {hasBadge && (
        <span class="badge" title="Synthetic data: none of these prices was ever quoted">
          Synthetic
        </span>
      )}
      <DataBadge />
      <StateLine />
      <div class="tools">
        <button
          type="button"
          class="icon find"
          onClick={openPalette}
          aria-label="Find a symbol, screen or action (ctrl+k)"
          title="Symbols, screens, actions (ctrl+k)"
        >
          <svg
            viewBox="0 0 16 16"
            width="16"
            height="16"
            aria-hidden="true"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
          >
            <path d="M10.2 10.2 14 14M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0" />
          </svg>
        </button>
        <button type="button" class="icon" onClick={openKeys} aria-label="Keys (?)" title="Keys (?)">
          ?
        </button>
        <button
          type="button"
          class="icon"
          onClick={changeTheme}
          aria-label="Dark or light (t)"
          title="Dark or light (t)"
        >
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.5" />
            <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
          </svg>
        </button>
        {screensLinkedBy('icon').map((id) => (
          <a
            key={id}
            class={`icon to-${id}`}
            href={hrefOf({ screen: id })}
            aria-current={screen === id ? 'page' : undefined}
            title={titleOf(id)}
          >
            <span class="hidden">{SCREENS[id].title}</span>
            <svg
              viewBox="0 0 16 16"
              width="16"
              height="16"
              aria-hidden="true"
              fill="none"
              stroke="currentColor"
              stroke-width="1.5"
            >
              {ICONS[id]}
            </svg>
          </a>
        ))}
      </div>
    </header>
  )
}
