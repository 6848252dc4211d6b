import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { connectionTo, PATIENCE } from './postgres-pool.ts'

/** Channel on which a change of accounts is told to all services of a database. */
const CHANNEL = 'accounts_changed'
/** Statement that tells it. Belongs into the transaction of the change, with which it is sent or dropped. */
export const NOTIFY_CHANGE = `NOTIFY ${CHANNEL}`

/** Milliseconds between two attempts to listen, and between two checks that notifications still arrive. */
const AGAIN_AFTER = 1000
const CHECK_EVERY = 10_000

export interface NotificationsOptions {
  /** Called when a service of the database, maybe this one, says that accounts changed. */
  readonly onChange: () => void
  /** Called when it becomes known whether notifications arrive: behind some poolers none do. */
  readonly onArriving: (arrive: boolean) => void
}

/**
 * Listens for changes of accounts on a connection of its own. Notifications only hasten what is looked for anyway, since
 * one may be lost with a connection, or with a pooler in between.
 */
export class Notifications {
  readonly #address: string
  readonly #options: NotificationsOptions
  readonly #end = new AbortController()
  #client: Client | undefined
  #arrivedAt = Number.NEGATIVE_INFINITY
  #arrive: boolean | undefined
  readonly #listening: Promise<void>

  constructor(address: string, options: NotificationsOptions) {
    this.#address = address
    this.#options = options
    this.#listening = this.#listen()
  }

  async close(): Promise<void> {
    this.#end.abort()
    this.#client?.end().catch(() => {})
    await this.#listening
  }

  async #listen(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      await this.#listenOnce().catch(() => {})
      await this.#client?.end().catch(() => {})
      await pause(AGAIN_AFTER, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Listens until notifications no longer arrive, which the service finds out by one to itself. */
  async #listenOnce(): Promise<void> {
    const { signal } = this.#end
    const client = new Client(connectionTo(this.#address, PATIENCE))
    this.#client = client
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', () => {})
    client.on('notification', () => {
      this.#arrivedAt = performance.now()
      this.#options.onChange()
    })
    await client.connect()
    await client.query(`LISTEN ${CHANNEL}`)
    while (!signal.aborted) {
      const askedAt = performance.now()
      await client.query(NOTIFY_CHANGE)
      await Promise.race([ended, pause(PATIENCE, undefined, { signal, ref: false })])
      const arrives = this.#arrivedAt >= askedAt
      this.#note(arrives)
      if (!arrives) return
      await Promise.race([ended, pause(CHECK_EVERY, undefined, { signal, ref: false })])
    }
  }

  #note(arrive: boolean): void {
    if (this.#arrive === arrive || this.#end.signal.aborted) return
    this.#arrive = arrive
    this.#options.onArriving(arrive)
  }
}
