/**
 * The pages of one list that have come, so that one which does not end is noticed: by a cursor that comes again, or by rows
 * that do under another cursor. Counted twice, they would be another figure.
 */
export class SeenPages {
  readonly #most: number
  readonly #cursors = new Set<string>()
  readonly #marks = new Set<string>()

  /** `most`: no list of the vendor has more pages. */
  constructor(most: number) {
    this.#most = most
  }

  /** Notes the cursor of a page that is asked for next; false where it cannot be one. */
  follow(cursor: string): boolean {
    if (this.#cursors.has(cursor) || this.#cursors.size === this.#most) return false
    this.#cursors.add(cursor)
    return true
  }

  /** Notes the rows of a page, which are a list or have names; false where they have come before. */
  take(rows: object): boolean {
    const entries = Object.entries(rows)
    if (entries.length === 0) return true
    // The first and the last row tell a page from any other: all of them would take as long to write as to read.
    const mark = JSON.stringify([entries.length, entries[0], entries.at(-1)])
    if (this.#marks.has(mark)) return false
    this.#marks.add(mark)
    return true
  }
}
