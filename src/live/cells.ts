import { IDLE_AFTER } from '../facts/freshness.ts'

/** A cached item. It is not dropped while its cell is loading. */
interface Item {
  readonly cell: { readonly isLoading: boolean }
}

export interface CellsOptions<Key, Held extends Item> {
  readonly make: (key: Key) => Held
  readonly onDrop?: (item: Held) => void
  /** Whether an item is kept even if nobody uses it. */
  readonly isPinned?: (item: Held) => boolean
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
}

/** A cache of items by key. Items that nobody has used for a while are dropped. */
export class Cells<Key, Held extends Item> {
  readonly #options: CellsOptions<Key, Held>
  readonly #items = new Map<Key, { readonly item: Held; askedAt: number; order: number }>()
  /** Counts requests. Their numbers tell which of two came first, even if the clock did not advance between them. */
  #asked = 0

  constructor(options: CellsOptions<Key, Held>) {
    this.#options = options
  }

  get size(): number {
    return this.#items.size
  }

  /** Finds the item of a key, or creates it. Counts as a use of the item. */
  get(key: Key): Held {
    const askedAt = this.#options.steadyNow()
    const order = ++this.#asked
    const held = this.#items.get(key)
    if (held !== undefined) {
      held.askedAt = askedAt
      held.order = order
      return held.item
    }
    const item = this.#options.make(key)
    this.#items.set(key, { item, askedAt, order })
    return item
  }

  /** Finds the item of a key. Does not count as a use of the item. */
  peek(key: Key): Held | undefined {
    return this.#items.get(key)?.item
  }

  *values(): Generator<Held> {
    for (const { item } of this.#items.values()) yield item
  }

  holds(key: Key, item: Held): boolean {
    return this.#items.get(key)?.item === item
  }

  dropIdle(): void {
    const now = this.#options.steadyNow()
    for (const [key, { item, askedAt }] of this.#items) {
      if (now - askedAt > IDLE_AFTER && this.#mayGo(item)) this.drop(key)
    }
  }

  /**
   * Drops the item that has not been used for longest, among those that `fits` accepts and that may be dropped. Returns
   * whether there was one.
   */
  dropLongestIdle(fits: (item: Held) => boolean = () => true, evenLoading = false): boolean {
    let longest: { readonly key: Key; readonly order: number } | undefined
    for (const [key, { item, order }] of this.#items) {
      if (!fits(item) || !(evenLoading || this.#mayGo(item))) continue
      if (longest === undefined || order < longest.order) longest = { key, order }
    }
    if (longest !== undefined) this.drop(longest.key)
    return longest !== undefined
  }

  drop(key: Key): void {
    const held = this.#items.get(key)
    if (held === undefined) return
    this.#items.delete(key)
    this.#options.onDrop?.(held.item)
  }

  dropAll(fits: (item: Held) => boolean): void {
    for (const [key, { item }] of this.#items) if (fits(item)) this.drop(key)
  }

  #mayGo(item: Held): boolean {
    return !item.cell.isLoading && !(this.#options.isPinned?.(item) ?? false)
  }
}
