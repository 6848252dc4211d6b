/** The names that are most like a mistyped one, nearest first: those that need few edits for their length. */
export function nearest(typed: string, names: readonly string[], most = 3): readonly string[] {
  const rated = names.map((name) => ({ name, edits: editsBetween(typed, name) }))
  const near = rated.filter(({ name, edits }) => edits <= Math.max(typed.length, name.length) / 3)
  const sorted = near.sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
  return sorted.slice(0, most).map(({ name }) => name)
}

/** Characters to insert, delete or replace to make one text of the other. Source: V. Levenshtein (1966). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, above[j] + 1, row[j - 1] + 1))
    }
  }
  return row[b.length]
}
