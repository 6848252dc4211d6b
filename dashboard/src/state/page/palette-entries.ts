/** An entry of the palette. */
export interface PaletteEntry {
  readonly kind: 'symbol' | 'screen' | 'layout' | 'action'
  readonly name: string
  /** The key that does the same, if there is one. */
  readonly key?: string
  /** Id of a layout. */
  readonly id?: string
}

/** Most symbols that the palette offers. */
const MOST_SYMBOLS = 6

/** How well a name fits what was typed, 0 best; undefined: it does not. */
function rankOf({ kind, name }: PaletteEntry, typed: string): number | undefined {
  const [text, wanted] = [name.toLowerCase(), typed.toLowerCase()]
  if (text === wanted) return 0
  if (kind !== 'symbol' && text.startsWith(wanted)) return 1
  if (kind === 'symbol' && text.startsWith(wanted)) return 2
  if (kind !== 'symbol' && text.split(/[\s-]+/).some((word) => word.startsWith(wanted))) return 3
  return text.includes(wanted) ? 4 : undefined
}

/**
 * The entries that fit what was typed, the best first and within a rank in their order. `symbols`: the known ones, those
 * of the reader first.
 */
export function paletteMatches(
  typed: string,
  symbols: readonly string[],
  others: readonly PaletteEntry[]
): readonly PaletteEntry[] {
  const wanted = typed.trim()
  const named = symbols.map((name): PaletteEntry => ({ kind: 'symbol', name }))
  if (wanted === '') return [...named.slice(0, MOST_SYMBOLS), ...others]
  const ranked = [...named, ...others].flatMap((entry) => {
    const rank = rankOf(entry, wanted)
    return rank === undefined ? [] : [{ entry, rank }]
  })
  const sorted = ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
  let left = MOST_SYMBOLS
  return sorted.filter(({ kind }) => kind !== 'symbol' || left-- > 0)
}
