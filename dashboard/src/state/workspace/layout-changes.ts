import { isSplit, MOST_PANELS, type PanelSpec, type Part, panel, panelsOf, type Split } from './layouts.ts'

/** Changes of an arrangement. Panels go by their number, from 0, in the order of `panelsOf`. */

/** Applies a change to the panel of a number. Undefined: the panel goes. */
function mapped(part: Part, at: number, change: (panel: PanelSpec) => Part | undefined): Part | undefined {
  if (!isSplit(part)) return at === 0 ? change(part) : part
  let before = 0
  const parts = part.parts.flatMap((each) => {
    const count = panelsOf(each).length
    const own = at - before
    before += count
    const made = own >= 0 && own < count ? mapped(each, own, change) : each
    return made === undefined ? [] : [made]
  })
  return parts.length === 0 ? undefined : unnested({ ...part, parts })
}

/** A split of one part is that part; a split the same way within a split is taken apart. */
function unnested(part: Split): Part {
  const [only] = part.parts
  if (part.parts.length === 1) return { ...only!, size: part.size }
  const parts = part.parts.flatMap((each) => (isSplit(each) && each.split === part.split ? each.parts : [each]))
  return { ...part, parts }
}

export function withPanel(root: Part, at: number, change: Partial<PanelSpec>): Part {
  return mapped(root, at, (before) => panel({ ...before, ...change }))!
}

/** Adds a panel beside or below another. */
export function withAdded(root: Part, at: number, way: Split['split'], added: PanelSpec): Part {
  if (panelsOf(root).length >= MOST_PANELS) return root
  return mapped(root, at, (before) => {
    const { size } = before
    const half = Math.ceil(size / 2)
    return {
      split: way,
      parts: [
        { ...before, size: half },
        { ...added, size: half }
      ],
      size
    }
  })!
}

/** Takes a panel out. The last one stays. */
export function withoutPanel(root: Part, at: number): Part {
  return mapped(root, at, () => undefined) ?? root
}

/** Lets a panel change places with the one before or after it. Sizes stay where they are. */
export function withSwapped(root: Part, at: number, by: 1 | -1): Part {
  const panels = panelsOf(root)
  const [one, other] = [panels[at], panels[at + by]]
  if (one === undefined || other === undefined) return root
  return withPanel(withPanel(root, at, { ...other, size: one.size }), at + by, { ...one, size: other.size })
}

/** Gives a panel more or less of the room of the nearest split that goes one way. */
export function withSize(part: Part, at: number, way: Split['split'], by: 1 | -1): Part {
  if (!isSplit(part)) return part
  let before = 0
  const holds = part.parts.map((each) => {
    const own = at - before
    before += panelsOf(each).length
    return own >= 0 && at < before ? own : undefined
  })
  const isInside = part.parts.some((each, i) => holds[i] !== undefined && hasSplit(each, holds[i]!, way))
  return {
    ...part,
    parts: part.parts.map((each, i) => {
      if (holds[i] === undefined) return each
      if (isInside) return withSize(each, holds[i], way, by)
      return part.split === way ? { ...each, size: Math.min(12, Math.max(1, each.size + by)) } : each
    })
  }
}

/** Whether a panel lies in a split of that way. */
function hasSplit(part: Part, at: number, way: Split['split']): boolean {
  if (!isSplit(part)) return false
  if (part.split === way) return true
  let before = 0
  return part.parts.some((each) => {
    const own = at - before
    before += panelsOf(each).length
    return own >= 0 && at < before && hasSplit(each, own, way)
  })
}
