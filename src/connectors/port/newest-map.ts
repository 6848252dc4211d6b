/** Maximum number of symbols or roots whose contract listings are kept, each with up to 14,000 contracts. */
export const MAX_LISTINGS = 200

/** A map of at most `most` values: setting another one drops the value that was set longest ago. */
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
