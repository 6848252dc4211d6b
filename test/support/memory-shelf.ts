import type { Channel, Shelf } from '../../src/shelf/shelf.ts'

/** The shelf that members in one process share; a test decides whether it can be reached. */
export class MemoryShelf {
  readonly values = new Map<string, Uint8Array>()
  readonly #listeners = new Map<Channel, Set<(text: string) => void>>()
  readonly #whenUp: (() => void)[] = []
  #isUp = true

  /** Loses everything, and can be reached no more until `comeBack`. */
  fail(): void {
    this.#isUp = false
    this.values.clear()
  }

  comeBack(): void {
    this.#isUp = true
    for (const listener of this.#whenUp) listener()
  }

  /** The shelf as one member has it. */
  member(): Shelf {
    const reach = () => {
      if (!this.#isUp) throw new Error('the shelf cannot be reached')
    }
    const tell = (on: Channel, text: string) => {
      for (const listener of this.#listeners.get(on) ?? []) setImmediate(() => listener(text))
    }
    const isUp = () => this.#isUp
    return {
      get isUp() {
        return isUp()
      },
      get: async (key) => {
        reach()
        return this.values.get(key)
      },
      put: async (key, value, _keptFor, told) => {
        reach()
        this.values.set(key, value)
        if (told !== undefined) tell(told.on, told.text)
      },
      tell: async (on, text) => {
        reach()
        tell(on, text)
      },
      listen: (on, listener) => {
        const all = this.#listeners.get(on) ?? new Set()
        this.#listeners.set(on, all.add(listener))
        return () => void all.delete(listener)
      },
      listenAnew: () => {},
      onUp: (listener) => {
        this.#whenUp.push(listener)
        if (this.#isUp) listener()
      },
      close: async () => {}
    }
  }
}
