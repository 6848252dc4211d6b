import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { actOf } from '../../parts/key-presses.ts'
import { go, place } from '../../state/page/address.ts'
import { isPaletteOpen } from '../../state/page/palette.ts'
import { type PaletteEntry, paletteMatches } from '../../state/page/palette-entries.ts'
import { isTicker } from '../../state/page/place.ts'
import { SCREEN_IDS, SCREENS } from '../../state/page/screens.ts'
import { stars } from '../../state/page/stars.ts'
import { loadSymbols, recent, symbols } from '../../state/service/symbols.ts'
import { layouts } from '../../state/workspace/workspace-state.ts'
import '../../style/palette.css'

/** Actions by their keys, which do the same. */
const ACTIONS: readonly PaletteEntry[] = [
  ['a', 'Alert line in the chart'],
  ['c', 'Compare'],
  ['v', 'Table of the seen bars'],
  ['y', 'Why: the card of the first figure'],
  ['l', 'Live'],
  [' ', 'Play or pause'],
  ['m', 'Gamma map behind the price'],
  ['d', 'Today only: what expires today'],
  ['0', 'Fit the price window'],
  ['k', 'Scale: root or linear'],
  ['e', 'Export the first panel'],
  ['[', 'Previous symbol'],
  [']', 'Next symbol'],
  ['f', 'Full screen'],
  ['t', 'Dark or light'],
  ['?', 'Keys']
].map(([key, name]) => ({ kind: 'action', key: key!, name: name! }))

const screens = SCREEN_IDS.map(
  (id): PaletteEntry => ({ kind: 'screen', name: SCREENS[id].title, key: SCREENS[id].key })
)

const others = (): readonly PaletteEntry[] => [
  ...screens,
  ...[...layouts.value].map(([id, { name }]): PaletteEntry => ({ kind: 'layout', name, id })),
  ...ACTIONS
]

function entriesFor(typed: string): readonly PaletteEntry[] {
  const known = [...new Set([...recent.value, ...stars.value, ...(typed === '' ? [] : symbols.value)])]
  const found = paletteMatches(typed, known, others())
  const wanted = typed.trim().toUpperCase()
  return !isTicker(wanted) || known.includes(wanted) ? found : [...found, { kind: 'symbol', name: wanted }]
}

/** One field for symbols, screens and actions. Enter takes the highlighted entry, which is the best as soon as one types. */
export default function Palette() {
  const box = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const typed = useSignal('')
  const highlighted = useSignal(0)
  useEffect(() => {
    box.current?.showModal()
    field.current?.focus()
    void loadSymbols()
  }, [])
  const entries = entriesFor(typed.value)
  const take = ({ kind, name, key, id }: PaletteEntry) => {
    // Closed first: the focus goes back, and then where the entry leads.
    box.current?.close()
    if (kind === 'layout') return go({ screen: 'workspace', layout: id, shared: undefined })
    if (kind !== 'symbol') return actOf(key!)
    if (name !== place.peek().symbol) go({ symbol: name, expiry: undefined, range: undefined, legs: undefined })
  }
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) highlighted.value = (highlighted.value + by + entries.length) % Math.max(1, entries.length)
    else if (event.key === 'Enter') {
      const chosen = entries[highlighted.value]
      if (chosen !== undefined) take(chosen)
    } else return
    event.preventDefault()
    document.querySelector(`#palette-${highlighted.value}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog
      id="palette"
      title="Go to a symbol or a screen, or do something"
      box={box}
      onClose={() => {
        isPaletteOpen.value = false
      }}
    >
      <input
        class="field"
        ref={field}
        role="combobox"
        aria-label="Symbol, screen or action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${highlighted.value}`}
        autocomplete="off"
        spellcheck={false}
        placeholder="QQQ, flow, dark …"
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          highlighted.value = 0
        }}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label="Offers">
        {entries.map((entry, i) => (
          <div
            key={`${entry.kind} ${entry.id ?? entry.name}`}
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === highlighted.value}
            onPointerDown={(event) => {
              event.preventDefault() // the field keeps the focus
              take(entry)
            }}
          >
            <span>{entry.name}</span>
            <small>{entry.kind}</small>
            {entry.key !== undefined && <kbd>{entry.key === ' ' ? 'space' : entry.key}</kbd>}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p class="hint">Nothing is called that.</p>}
    </Dialog>
  )
}
