/** A map of recent values: keeps at least `least` entries and at most twice as many. */
export class RecentValues<Value> {
  readonly #least: number
  #recent = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(least: number) {
    this.#least = least
  }

  get(key: string): Value | undefined {
    return this.#recent.get(key) ?? this.#older.get(key)
  }

  set(key: string, value: Value): void {
    if (this.#recent.size >= this.#least) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }
}
