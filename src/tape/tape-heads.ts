import type { TapeText } from '../archive/store.ts'
import type { TapeRows } from './stretches.ts'

/**
 * Holds back what says that there are tapes until all of their rows were taken: of tapes whose writing stops half way nobody
 * finds anything, and a reader that finds one finds all of it.
 */
export class TapeHeads {
  readonly #heads: Uint8Array[] = []

  /** The same rows without heads. */
  hold({ text, ...rest }: TapeRows): TapeRows {
    const { tapes: head, ...rows } = text
    if (head !== undefined) this.#heads.push(head)
    return { ...rest, text: rows }
  }

  /** The heads of everything that went through. */
  release(): TapeRows {
    return { text: joined(this.#heads.splice(0)), rows: 0, tapes: new Set() }
  }
}

function joined(heads: readonly Uint8Array[]): TapeText {
  return heads.length === 0 ? {} : { tapes: Uint8Array.from(heads.flatMap((head) => [...head])) }
}
