import { computed, signal } from '@preact/signals'
import { place, turn } from '../page/address.ts'
import { addressOf, type Place, readPlace } from '../page/place.ts'
import { KeptDocuments } from '../service/kept-documents.ts'
import { withPanel } from './layout-changes.ts'
import { readShared, sharedText } from './layout-text.ts'
import { type Layout, type PanelSpec, type Part, panelsOf, readLayout } from './layouts.ts'
import { FIRST_LAYOUT, NEW_ROOT, PRESETS } from './preset-layouts.ts'

/** Layouts of the reader: own ones, and presets that were changed. */
export const ownLayouts = new KeptDocuments({
  kind: 'layouts',
  read: readLayout,
  nameOf: ({ name }: Layout) => `The panels of ${name}`
})

/** Presets and own layouts by their ids, presets first. */
export const layouts = computed(
  (): ReadonlyMap<string, Layout> =>
    new Map([
      ...Object.entries(PRESETS),
      ...[...ownLayouts.held.value].map(([id, { document }]) => [id, document] as const)
    ])
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
  if (shared.peek() === undefined) ownLayouts.put(openId.peek(), after)
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

export const newLayout = (name: string): Layout => ({ name, root: NEW_ROOT, green: PRESETS[FIRST_LAYOUT]!.green })
