/**
 * Remembers the pages of a paged list, to detect a list that never ends: a cursor that repeats, or rows that repeat
 * under another cursor. Counting rows twice would change figures.
 */
export class SeenPages {
  readonly #most: number
  readonly #cursors = new Set<string>()
  readonly #marks = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  follow(cursor: string): boolean {
    if (this.#cursors.has(cursor) || this.#cursors.size === this.#most) return false
    this.#cursors.add(cursor)
    return true
  }

  /** Records the rows of a page; false if these rows were seen before. */
  take(rows: object): boolean {
    const entries = Object.entries(rows)
    if (entries.length === 0) return true
    const mark = JSON.stringify([entries.length, entries[0], entries.at(-1)])
    if (this.#marks.has(mark)) return false
    this.#marks.add(mark)
    return true
  }
}
