/** Symbols or roots whose listings are held: some 14,000 contracts each at most. */
export const MAX_LISTINGS = 200

/** What was set last: a value beyond `most` takes the place of the one that was set longest ago. */
export class NewestMap<Key, Value> {
  readonly #most: number
  readonly #values = new Map<Key, Value>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key)
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key)
    if (this.#values.size >= this.#most) this.#values.delete(this.#values.keys().next().value!)
    this.#values.set(key, value)
  }
}
