import { effect, signal, untracked } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { type Entry, follow, keptTrouble, type Leave, loadDocuments, type Value } from './kept.ts'
import { send } from './send.ts'
import { isSignedIn } from './sign-in.ts'

/** A document that the reader made or changed. */
export interface Own<Document> {
  readonly document: Document
  /** Text that the service held at the last exchange; undefined if it never had this one. */
  readonly base?: Value | undefined
}

interface Reading<Document> {
  readonly kind: Entry['kind']
  /** A document out of what somebody may have written by hand; undefined if it is none. */
  readonly read: (value: unknown) => Document | undefined
  /** Name of the kind, as it begins a sentence. */
  readonly nameOf: (document: Document) => string
  /** Id of a document of this kind that is not one of these. */
  readonly but?: string
}

/** Documents of one kind that the reader makes, changes and removes, by their ids. The browser has a copy for the first picture. */
export class KeptDocuments<Document extends object> {
  readonly held
  readonly #reading: Reading<Document>
  #end: (() => void) | undefined
  /** Documents whose changes are sent, from the first answer of the service on. */
  #stops: Map<string, Leave> | undefined
  /** Documents that were removed before that answer, and whether the service was told. */
  readonly #removed = new Map<string, boolean>()

  constructor(reading: Reading<Document>) {
    this.#reading = reading
    this.held = signal(this.#fromBrowser())
  }

  #fromBrowser(): ReadonlyMap<string, Own<Document>> {
    const { kind, read } = this.#reading
    try {
      const entries = Object.entries(
        JSON.parse(localStorage.getItem(kind) ?? '{}') as Record<string, Partial<Own<Value>>>
      )
      return new Map(
        entries.flatMap(([id, { document, base }]) => {
          const known = read(document)
          return known === undefined ? [] : [[id, { document: known, base }] as const]
        })
      )
    } catch {
      return new Map()
    }
  }

  #hold(documents: ReadonlyMap<string, Own<Document>>): void {
    this.held.value = documents
    localStorage.setItem(this.#reading.kind, JSON.stringify(Object.fromEntries(documents)))
  }

  /** Puts a document in place of what has its id. */
  put(id: string, document: Document, base = this.held.peek().get(id)?.base): void {
    this.#removed.delete(id)
    this.#hold(new Map(this.held.peek()).set(id, { document, base }))
  }

  /**
   * Takes the documents that the service keeps, and has it keep the changes from the first call on, also on other screens: a
   * change is sent a little later than it is made.
   */
  keep(): void {
    if (this.#end !== undefined) return
    this.#end = this.#follow()
    const stop = effect(() => {
      if (isSignedIn.value) return
      this.#end?.()
      this.#end = undefined
      queueMicrotask(() => stop())
    })
  }

  /** Removes a document; of a preset that was changed, the change. */
  async remove(id: string): Promise<void> {
    const isKnown = this.held.peek().get(id)?.base !== undefined
    const leave = this.#stops?.get(id)
    if (this.#stops === undefined) this.#removed.set(id, isKnown)
    const others = new Map(this.held.peek())
    others.delete(id)
    this.#hold(others)
    // A change that is under way would otherwise come after the removal.
    const isSent = await leave?.()
    if (isKnown || isSent) await this.#sendRemoval(id)
  }

  async #sendRemoval(id: string): Promise<void> {
    try {
      await send('DELETE', `/v1/me/${this.#reading.kind}/${id}`)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code !== 'document_not_found') keptTrouble.value = error
    }
  }

  /** An id for a name that none of `taken` has. */
  freeId(name: string, taken: ReadonlyMap<string, unknown> = this.held.peek()): string {
    const { kind, but } = this.#reading
    const base =
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, '')
        .slice(0, 34) || kind
    for (let n = 1; ; n++) {
      const id = n === 1 ? base : `${base}-${n}`
      if (!taken.has(id) && id !== but) return id
    }
  }

  #follow(): () => void {
    const { kind, but } = this.#reading
    let isOver = false
    const stops = new Map<string, Leave>()
    let stop = () => {}
    void loadDocuments([kind]).then((documents) => {
      if (documents === undefined || isOver) return
      const found = new Map([...documents].map(([path, value]) => [path.slice(kind.length + 1), value]))
      found.delete(but ?? '')
      for (const [id, isTold] of this.#removed) if (found.delete(id) && !isTold) void this.#sendRemoval(id)
      this.#removed.clear()
      this.#stops = stops
      this.#hold(this.#merged(found))
      stop = effect(() => {
        const ids = [...this.held.value.keys()]
        untracked(() => {
          for (const id of ids) if (!stops.has(id)) stops.set(id, this.#followOne(id, found.get(id)))
          for (const [id, leave] of stops)
            if (!ids.includes(id)) {
              void leave()
              stops.delete(id)
              found.delete(id)
            }
        })
      })
    })
    return () => {
      isOver = true
      this.#stops = undefined
      stop()
      for (const leave of stops.values()) void leave()
    }
  }

  /** Whether a document was changed here after the service was last heard of. */
  #isUnsent({ document, base }: Own<Document>): boolean {
    return base === undefined || JSON.stringify(document) !== JSON.stringify(this.#reading.read(base))
  }

  /**
   * The documents of the service, with those here that it does not know yet. One that it no longer has is dropped, unless it
   * was changed here.
   */
  #merged(found: ReadonlyMap<string, Value>): ReadonlyMap<string, Own<Document>> {
    const there = [...found].flatMap(([id, value]): (readonly [string, Own<Document>])[] => {
      const document = this.#reading.read(value)
      return document === undefined ? [] : [[id, { document, base: value }]]
    })
    // A change whose answer never came, since the page was left, is one that the service has.
    const isThere = (id: string, { document }: Own<Document>) =>
      JSON.stringify(document) === JSON.stringify(this.#reading.read(found.get(id)))
    const unsent = [...this.held.peek()].filter(([id, each]) => this.#isUnsent(each) && !isThere(id, each))
    return new Map([
      ...there,
      ...unsent.map(([id, each]) => [id, found.has(id) ? each : { document: each.document }] as const)
    ])
  }

  #followOne(id: string, found: Value | undefined): Leave {
    const { kind, read, nameOf } = this.#reading
    const now = this.held.peek().get(id)!
    const entry = {
      kind,
      id,
      name: nameOf(now.document),
      read: () => {
        const document = this.held.value.get(id)?.document
        return document && Object.fromEntries(Object.entries(document))
      },
      take: (value: Value) => {
        const known = read(value)
        if (known !== undefined) this.put(id, known, value)
      },
      onKept: (value: Value) => {
        const document = this.held.peek().get(id)?.document
        if (document !== undefined) this.put(id, document, value)
      }
    }
    if (found === undefined) return follow(entry, undefined)
    // Without a base there are two documents of one name: the empty one is a state that neither has, so the reader is asked.
    return this.#isUnsent(now) ? follow(entry, now.base ?? {}, true) : follow(entry, found)
  }
}
