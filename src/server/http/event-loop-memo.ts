/**
 * A memo that is cleared when the current turn of Node's event loop ends. All requests of a turn had arrived before it
 * began, so no client can have sent one of them knowing the response to another.
 */
export class EventLoopMemo<Key, Value> {
  readonly #values = new Map<Key, Value>()
  readonly #forget = () => this.#values.clear()

  get(key: Key): Value | undefined {
    return this.#values.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#values.size === 0) setImmediate(this.#forget)
    this.#values.set(key, value)
  }
}
