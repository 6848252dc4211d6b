import { effect, untracked } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { follow, keptTrouble, loadDocuments } from '../service/kept.ts'
import { send } from '../service/send.ts'
import { readLayout } from './layouts.ts'
import { type Held, held, hold, holdOne } from './workspace-state.ts'

/** Takes the layouts that the service keeps, and has it keep the changes, until the returned function is called. */
export function followLayouts(): () => void {
  let isOver = false
  const stops = new Map<string, () => void>()
  let stop = () => {}
  void loadDocuments(['layouts']).then((documents) => {
    if (documents === undefined || isOver) return
    const found = new Map([...documents].map(([path, value]) => [path.slice('layouts/'.length), value]))
    const known = [...found].flatMap(([id, value]): (readonly [string, Held])[] => {
      const layout = readLayout(value)
      return layout === undefined ? [] : [[id, { layout, isKept: true }]]
    })
    const own = [...held.peek()].filter(([id, { isKept }]) => !isKept && !found.has(id))
    hold(new Map([...known, ...own]))
    stop = effect(() => {
      const ids = [...held.value.keys()]
      untracked(() => {
        for (const id of ids) if (!stops.has(id)) stops.set(id, followOne(id, found.get(id)))
        for (const [id, end] of stops)
          if (!ids.includes(id)) {
            end()
            stops.delete(id)
            found.delete(id)
          }
      })
    })
  })
  return () => {
    isOver = true
    stop()
    for (const end of stops.values()) end()
  }
}

function followOne(id: string, found: Readonly<Record<string, unknown>> | undefined): () => void {
  const layout = () => held.value.get(id)?.layout
  return follow(
    {
      kind: 'layouts',
      id,
      name: `The panels of ${held.peek().get(id)?.layout.name}`,
      read: () => layout() && { ...layout()! },
      take: (value) => {
        const read = readLayout(value)
        if (read !== undefined) holdOne(id, read, true)
      },
      onKept: () => {
        const now = held.peek().get(id)
        if (now?.isKept === false) holdOne(id, now.layout, true)
      }
    },
    found
  )
}

/** Removes a layout; of a preset that was changed, the change. */
export async function removeLayout(id: string): Promise<void> {
  const before = held.peek().get(id)
  const others = new Map(held.peek())
  others.delete(id)
  hold(others)
  if (before?.isKept !== true) return
  try {
    await send('DELETE', `/v1/me/layouts/${id}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code !== 'document_not_found') keptTrouble.value = error
  }
}
