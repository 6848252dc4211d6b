import { effect, untracked } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { follow, keptTrouble, loadDocuments, type Value } from '../service/kept.ts'
import { send } from '../service/send.ts'
import { isSignedIn } from '../service/sign-in.ts'
import { readLayout } from './layouts.ts'
import { type Held, held, hold, holdOne } from './workspace-state.ts'

let end: (() => void) | undefined

/**
 * Takes the layouts that the service keeps, and has it keep the changes from the first call on, also on other screens: a
 * change is sent a little later than it is made.
 */
export function keepLayouts(): void {
  if (end !== undefined) return
  end = followLayouts()
  const stop = effect(() => {
    if (isSignedIn.value) return
    end?.()
    end = undefined
    queueMicrotask(() => stop())
  })
}

/** Whether a layout was changed here after the service was last heard of. */
const isUnsent = ({ layout, base }: Held) =>
  base === undefined || JSON.stringify(layout) !== JSON.stringify(readLayout(base))

function followLayouts(): () => void {
  let isOver = false
  const stops = new Map<string, () => void>()
  let stop = () => {}
  void loadDocuments(['layouts']).then((documents) => {
    if (documents === undefined || isOver) return
    const found = new Map([...documents].map(([path, value]) => [path.slice('layouts/'.length), value]))
    hold(merged(held.peek(), found))
    stop = effect(() => {
      const ids = [...held.value.keys()]
      untracked(() => {
        for (const id of ids) if (!stops.has(id)) stops.set(id, followOne(id, found.get(id)))
        for (const [id, leave] of stops)
          if (!ids.includes(id)) {
            leave()
            stops.delete(id)
            found.delete(id)
          }
      })
    })
  })
  return () => {
    isOver = true
    stop()
    for (const leave of stops.values()) leave()
  }
}

/**
 * The layouts of the service, with those here that it does not know yet. A layout that it no longer has is dropped, unless
 * it was changed here.
 */
function merged(here: ReadonlyMap<string, Held>, found: ReadonlyMap<string, Value>): ReadonlyMap<string, Held> {
  const there = [...found].flatMap(([id, value]): (readonly [string, Held])[] => {
    const layout = readLayout(value)
    return layout === undefined ? [] : [[id, { layout, base: value }]]
  })
  const unsent = [...here].filter(([, each]) => isUnsent(each))
  return new Map([
    ...there,
    ...unsent.map(([id, each]) => [id, found.has(id) ? each : { layout: each.layout }] as const)
  ])
}

function followOne(id: string, found: Value | undefined): () => void {
  const now = held.peek().get(id)!
  const entry = {
    kind: 'layouts',
    id,
    name: `The panels of ${now.layout.name}`,
    read: () => {
      const layout = held.value.get(id)?.layout
      return layout && { ...layout }
    },
    take: (value: Value) => {
      const read = readLayout(value)
      if (read !== undefined) holdOne(id, read, value)
    },
    onKept: (value: Value) => {
      const layout = held.peek().get(id)?.layout
      if (layout !== undefined) holdOne(id, layout, value)
    }
  } as const
  if (found === undefined) return follow(entry, undefined)
  // Without a base there are two layouts of one name: the empty one is a state that neither has, so the reader is asked.
  return isUnsent(now) ? follow(entry, now.base ?? {}, true) : follow(entry, found)
}

/** Removes a layout; of a preset that was changed, the change. */
export async function removeLayout(id: string): Promise<void> {
  const before = held.peek().get(id)
  const others = new Map(held.peek())
  others.delete(id)
  hold(others)
  if (before?.base === undefined) return
  try {
    await send('DELETE', `/v1/me/layouts/${id}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code !== 'document_not_found') keptTrouble.value = error
  }
}
