import { Drop } from '../../parts/drop.tsx'
import { withAdded, withoutPanel, withSize, withSwapped } from '../../state/workspace/layout-changes.ts'
import { LINKED, MOST_PANELS, type PanelSpec, type Part } from '../../state/workspace/layouts.ts'
import { arrange, focused, panels } from '../../state/workspace/workspace-state.ts'

const NEW: PanelSpec = { kind: 'chart', symbol: LINKED, link: 'blue', query: '', size: 1 }

interface Act {
  readonly name: string
  readonly change: (root: Part, at: number) => Part
  /** Number of the panel that has the focus afterwards. */
  readonly focus: (at: number) => number
  readonly isPossible?: (at: number, count: number) => boolean
}

const hasRoom = (_: number, count: number) => count < MOST_PANELS
const stays = (at: number) => at

const ACTS: readonly Act[] = [
  {
    name: 'Add to the right',
    change: (root, at) => withAdded(root, at, 'columns', NEW),
    focus: (at) => at + 1,
    isPossible: hasRoom
  },
  {
    name: 'Add below',
    change: (root, at) => withAdded(root, at, 'rows', NEW),
    focus: (at) => at + 1,
    isPossible: hasRoom
  },
  { name: 'Wider', change: (root, at) => withSize(root, at, 'columns', 1), focus: stays },
  { name: 'Narrower', change: (root, at) => withSize(root, at, 'columns', -1), focus: stays },
  { name: 'Taller', change: (root, at) => withSize(root, at, 'rows', 1), focus: stays },
  { name: 'Lower', change: (root, at) => withSize(root, at, 'rows', -1), focus: stays },
  {
    name: 'Move back',
    change: (root, at) => withSwapped(root, at, -1),
    focus: (at) => at - 1,
    isPossible: (at) => at > 0
  },
  {
    name: 'Move on',
    change: (root, at) => withSwapped(root, at, 1),
    focus: (at) => at + 1,
    isPossible: (at, count) => at < count - 1
  },
  { name: 'Remove', change: withoutPanel, focus: (at) => Math.max(0, at - 1), isPossible: (_, count) => count > 1 }
]

/** Buttons that move, resize and remove a panel. */
export function TileArrange({ at }: { readonly at: number }) {
  const count = panels.value.length
  return (
    <Drop
      kind="chip arrange"
      name={
        <>
          <span aria-hidden="true">⋯</span>
          <span class="hidden">Arrange panel {at + 1}</span>
        </>
      }
    >
      {ACTS.map(({ name, change, focus, isPossible }) => (
        <button
          key={name}
          type="button"
          class="chip"
          disabled={isPossible?.(at, count) === false}
          onClick={() => {
            const next = focus(at)
            if (next !== at || name === 'Remove') focused.value = next
            arrange((root) => change(root, at))
          }}
        >
          {name}
        </button>
      ))}
    </Drop>
  )
}
