/**
 * Finds the names that are most similar to a mistyped one, nearest first. Leaves out names that differ by too many
 * letters for their length.
 */
export function nearest(typed: string, names: readonly string[], most = 3): readonly string[] {
  const rated = names.map((name) => ({ name, edits: editsBetween(typed, name) }))
  const near = rated.filter(({ name, edits }) => edits <= Math.max(typed.length, name.length) / 3)
  const sorted = near.sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
  return sorted.slice(0, most).map(({ name }) => name)
}

/**
 * Edit distance: characters inserted, deleted, replaced or swapped with their neighbor. Source: optimal string
 * alignment, Boytsov, Indexing methods for approximate dictionary searching (2011), section 2.2.
 */
export function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(replaced, above[j] + 1, row[j - 1] + 1, isSwap ? before[j - 2] + 1 : Infinity))
    }
    before = above
  }
  return row[b.length]
}
