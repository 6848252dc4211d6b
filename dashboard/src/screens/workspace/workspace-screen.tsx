import { computed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { session } from '../../state/day/day.ts'
import { hrefOf, place } from '../../state/page/address.ts'
import { isNarrow } from '../../state/page/reader.ts'
import { isSplit, type Part, panelsOf } from '../../state/workspace/layouts.ts'
import { openLayout, ownLayouts } from '../../state/workspace/workspace-state.ts'
import { LayoutBar } from './layout-bar.tsx'
import { Tile } from './tile.tsx'
import { Watchlist } from './watchlist.tsx'
import '../../style/workspace.css'

/** Whether the service has answered: nine panels ask for much, which a reader who is not signed in is refused. */
const isReached = computed(() => session.held.value !== undefined || session.trouble.value !== undefined)

/** Panels as the reader arranged them, each with a symbol of its own or that of a link. */
export default function Workspace() {
  return isReached.value ? <Panels /> : <main class="waiting" aria-busy="true" />
}

function Panels() {
  useEffect(() => ownLayouts.keep(), [])
  const layout = openLayout.value
  return (
    <main class="workspace">
      <h1 class="hidden">Workspace{layout === undefined ? '' : `: ${layout.name}`}</h1>
      <LayoutBar />
      <Watchlist />
      {layout === undefined ? (
        <p class="empty">
          {place.value.shared === undefined
            ? 'There is no layout of that name any more.'
            : 'This address holds no layout.'}{' '}
          <a href={hrefOf({ layout: undefined, shared: undefined })}>Open the first one</a>
        </p>
      ) : (
        <div class="tiles">
          {isNarrow.value ? <Column root={layout.root} /> : <Arranged part={layout.root} first={0} />}
        </div>
      )}
    </main>
  )
}

/** All panels below each other. */
function Column({ root }: { readonly root: Part }) {
  return (
    <>
      {panelsOf(root).map((_, at) => (
        <Tile key={at} at={at} />
      ))}
    </>
  )
}

/** A part of the arrangement. `first`: number of its first panel. */
function Arranged({ part, first }: { readonly part: Part; readonly first: number }) {
  if (!isSplit(part))
    return (
      <div class="slot" style={{ flexGrow: part.size }}>
        <Tile at={first} />
      </div>
    )
  let next = first
  return (
    <div class={`split ${part.split}`} style={{ flexGrow: part.size }}>
      {part.parts.map((each, i) => {
        const own = next
        next += panelsOf(each).length
        return <Arranged key={i} part={each} first={own} />
      })}
    </div>
  )
}
