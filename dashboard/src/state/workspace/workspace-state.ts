import { computed, signal } from '@preact/signals'
import { place, turn } from '../page/address.ts'
import { addressOf, type Place, readPlace } from '../page/place.ts'
import { withPanel } from './layout-changes.ts'
import { readShared, sharedText } from './layout-text.ts'
import { type Layout, type PanelSpec, type Part, panelsOf, readLayout } from './layouts.ts'
import { FIRST_LAYOUT, NEW_ROOT, PRESETS } from './preset-layouts.ts'

/** A layout of the reader. */
export interface Held {
  readonly layout: Layout
  /** Text that the service held at the last exchange; undefined if it never had this layout. */
  readonly base?: Readonly<Record<string, unknown>> | undefined
}

const KEPT = 'layouts'

/** The browser's copy, for the first picture. */
function fromBrowser(): ReadonlyMap<string, Held> {
  try {
    const entries = Object.entries(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, Partial<Held>>)
    return new Map(
      entries.flatMap(([id, { layout, base }]) => {
        const read = readLayout(layout)
        return read === undefined ? [] : [[id, { layout: read, base }] as const]
      })
    )
  } catch {
    return new Map()
  }
}

/** Layouts of the reader by their ids: own ones, and presets that were changed. */
export const held = signal(fromBrowser())

export function hold(layouts: ReadonlyMap<string, Held>): void {
  held.value = layouts
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(layouts)))
}

/** Puts a layout in place of what has its id. */
export function holdOne(id: string, layout: Layout, base = held.peek().get(id)?.base): void {
  hold(new Map(held.peek()).set(id, { layout, base }))
}

/** Presets and own layouts by their ids, presets first. */
export const layouts = computed(
  (): ReadonlyMap<string, Layout> =>
    new Map([...Object.entries(PRESETS), ...[...held.value].map(([id, { layout }]) => [id, layout] as const)])
)

/** The layout in the address that somebody shared; it becomes one's own by keeping it. */
export const shared = computed(() => (place.value.shared === undefined ? undefined : readShared(place.value.shared)))

export const openId = computed(() => place.value.layout ?? FIRST_LAYOUT)
/** The layout that is shown. Undefined: there is none of that id. */
export const openLayout = computed(() =>
  place.value.shared === undefined ? layouts.value.get(openId.value) : shared.value
)

/** Number of the panel that takes the focus once it is drawn. */
export const focused = signal<number>()
export const panels = computed((): readonly PanelSpec[] =>
  openLayout.value === undefined ? [] : panelsOf(openLayout.value.root)
)

/** A change of a shared layout stays in its address, one of any other is kept for the reader. */
export function changeLayout(change: (layout: Layout) => Layout): void {
  const before = openLayout.peek()
  if (before === undefined) return
  const after = change(before)
  if (shared.peek() === undefined) holdOne(openId.peek(), after)
  else turn({ shared: sharedText(after) })
}

/** Changes how the panels are arranged. */
export function arrange(change: (root: Part) => Part): void {
  changeLayout((layout) => ({ ...layout, root: change(layout.root) }))
}

export function setPanel(at: number, change: Partial<PanelSpec>): void {
  arrange((root) => withPanel(root, at, change))
}

/** Changes settings of a panel, as `turn` does for the page. */
export function turnPanel(at: number, change: Partial<Place>): void {
  const { query } = panels.peek()[at]!
  setPanel(at, { query: queryOf({ ...readPlace(`#/overview/SPY?${query}`), ...change }) })
}

const queryOf = (own: Place) => addressOf(own).split('?')[1] ?? ''

/** Changes symbol, moment or expirations of the green link. */
export function turnGreen(change: Partial<Place>): void {
  changeLayout((layout) => ({ ...layout, green: addressOf({ ...readPlace(layout.green), ...change }) }))
}

/** An id for a name that no layout has yet. */
export function freeId(name: string): string {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 34) || 'layout'
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`
    if (!layouts.peek().has(id)) return id
  }
}

export const newLayout = (name: string): Layout => ({ name, root: NEW_ROOT, green: PRESETS[FIRST_LAYOUT]!.green })
