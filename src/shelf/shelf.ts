/** Seconds for which a value is kept. */
export type KeptFor = number

/**
 * Members of a cluster share it while they run: values by key, and messages to all that listen. Everything in it may be
 * lost at any moment, so whoever finds nothing asks for it again. A call fails at once while the shelf cannot be reached.
 */
export interface Shelf {
  readonly isUp: boolean
  get(key: string): Promise<Uint8Array | undefined>
  /** Keeps a value, and tells a message to all that listen to a channel once it is there. */
  put(
    key: string,
    value: Uint8Array,
    keptFor: KeptFor,
    told?: { readonly on: Channel; readonly text: string }
  ): Promise<void>
  tell(on: Channel, text: string): Promise<void>
  /** Listens to a channel until the returned function is called. Messages of times without a connection are lost. */
  listen(on: Channel, listener: (text: string) => void): () => void
  /** Makes the connection that listens anew: one that seemed to be there was once not known to the server. */
  listenAnew(): void
  /** Calls a listener whenever the shelf can be reached again, and at once if it can be now. */
  onUp(listener: () => void): void
  close(): Promise<void>
}

/** `news`, and `rows` of tapes, are told by collectors, `requests` and `tape_requests` by members that serve. */
export type Channel = 'news' | 'requests' | 'rows' | 'tape_requests'
