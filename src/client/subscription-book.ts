import type { Acknowledged, ErrorFrame, ManyResult, SubscribeItem, Update } from '../api/stream-frames.ts'
import type { ClientConnection } from './client-connection.ts'
import { slower } from './reconnect-delay.ts'
import { type StreamError, streamErrorOf } from './stream-error.ts'
import { HeldSubscription, type Listener } from './subscription.ts'

const MAX_ITEMS = 100

/** Error codes for which a single subscribe command, unlike subscribe_many, returns candidate metrics. */
const fullerAlone: readonly string[] = ['unknown_metric', 'ambiguous_metric']

/** All subscriptions of a stream, with their ids on the current connection. */
export class SubscriptionBook {
  readonly #wanted = new Set<HeldSubscription>()
  /** Subscriptions by the server's sub_id. Subscriptions to the same metric and parameters share one id. */
  readonly #placed = new Map<string, Set<HeldSubscription>>()
  /** Subscriptions that the server does not have yet. */
  readonly #unplaced = new Set<HeldSubscription>()
  readonly #refused: (held: HeldSubscription, error: StreamError) => void
  #connection: ClientConnection | undefined
  #epoch: string | undefined
  #flushing = false

  constructor(refused: (held: HeldSubscription, error: StreamError) => void) {
    this.#refused = refused
  }

  /** Whether the server has subscriptions of this client, so that it sends heartbeats. */
  get hasPlaced(): boolean {
    return this.#placed.size > 0
  }

  /** Adds a subscription. Subscriptions added in the same turn are sent as one command. */
  add(item: SubscribeItem, listener: Listener | undefined): HeldSubscription {
    const held = new HeldSubscription(item, listener, (leaving) => this.#remove(leaving))
    this.#wanted.add(held)
    this.#unplaced.add(held)
    if (!this.#flushing) {
      this.#flushing = true
      queueMicrotask(() => {
        this.#flushing = false
        this.#flush()
      })
    }
    return held
  }

  /**
   * Switches to a new connection. `resumed` lists ids restored by the server: all other subscriptions are sent again,
   * and restored ids whose subscriptions ended meanwhile are unsubscribed.
   */
  start(connection: ClientConnection, resumed: readonly string[] = []): void {
    this.#connection = connection
    const restored = new Set(resumed)
    for (const [id, sharing] of [...this.#placed]) {
      if (restored.delete(id)) continue
      this.#placed.delete(id)
      for (const held of sharing) this.#unplaced.add(held)
    }
    for (const id of restored) this.#giveUp(connection, id)
    this.#flush()
  }

  /** Drops the lost connection. Ids are kept because the next connection may resume them. */
  lose(): void {
    this.#connection = undefined
  }

  /** Doubles every update interval, effective on the next connection. */
  slowDown(): void {
    for (const held of this.#wanted) held.item = { ...held.item, cadence_ms: slower(held.item.cadence_ms) }
  }

  deliver(update: Update): void {
    for (const held of this.#placed.get(update.sub_id) ?? []) held.take(update)
  }

  /** Sets the server's epoch; sequence numbers restart with a new epoch. */
  noteEpoch(epoch: string): void {
    if (epoch === this.#epoch) return
    this.#epoch = epoch
    for (const held of this.#wanted) held.resetSequence()
  }

  end(error?: Error): void {
    for (const held of this.#wanted) held.end(error)
    this.#wanted.clear()
    this.#unplaced.clear()
    this.#placed.clear()
  }

  #flush(): void {
    const connection = this.#connection
    if (connection === undefined) return
    const waiting = [...this.#unplaced]
    this.#unplaced.clear()
    for (let from = 0; from < waiting.length; from += MAX_ITEMS) {
      const batch = waiting.slice(from, from + MAX_ITEMS)
      if (batch.length === 1) this.#askOne(connection, batch[0])
      else this.#askMany(connection, batch)
    }
  }

  #askOne(connection: ClientConnection, held: HeldSubscription): void {
    connection.send({ action: 'subscribe', ...held.item }, (outcome) => {
      if (outcome === undefined) this.#later(held)
      else if ('code' in outcome) this.#refuse(held, streamErrorOf(outcome))
      else this.#place(connection, held, outcome)
    })
  }

  #askMany(connection: ClientConnection, batch: readonly HeldSubscription[]): void {
    connection.send({ action: 'subscribe_many', items: batch.map(({ item }) => item) }, (outcome) => {
      if (outcome === undefined) for (const held of batch) this.#later(held)
      else if ('code' in outcome) for (const held of batch) this.#refuse(held, streamErrorOf(outcome))
      else for (const result of outcome.results) this.#takeResult(connection, batch[result.index], result)
    })
  }

  #takeResult(connection: ClientConnection, held: HeldSubscription, result: ManyResult): void {
    if (!('error' in result)) this.#place(connection, held, result)
    else if (saysLess(result.error)) this.#askOne(connection, held)
    else this.#refuse(held, streamErrorOf(result.error))
  }

  #place(connection: ClientConnection, held: HeldSubscription, acknowledged: Acknowledged): void {
    this.noteEpoch(acknowledged.epoch)
    const id = acknowledged.sub_id
    if (held.isOver) {
      if (!this.#placed.has(id)) this.#giveUp(connection, id)
      return
    }
    const sharing = this.#placed.get(id) ?? new Set()
    this.#placed.set(id, sharing.add(held))
    held.acknowledge(acknowledged)
  }

  #refuse(held: HeldSubscription, error: StreamError): void {
    if (held.isOver) return
    this.#wanted.delete(held)
    held.end(error)
    this.#refused(held, error)
  }

  #later(held: HeldSubscription): void {
    if (!held.isOver) this.#unplaced.add(held)
  }

  #remove(held: HeldSubscription): void {
    this.#wanted.delete(held)
    this.#unplaced.delete(held)
    for (const [id, sharing] of this.#placed) {
      if (!sharing.delete(held) || sharing.size > 0) continue
      this.#placed.delete(id)
      if (this.#connection !== undefined) this.#giveUp(this.#connection, id)
    }
  }

  /** Unsubscribes an id. Subscriptions that joined it in the meantime are sent again. */
  #giveUp(connection: ClientConnection, id: string): void {
    connection.send({ action: 'unsubscribe', sub_id: id }, (outcome) => {
      const sharing = this.#placed.get(id)
      if (outcome === undefined || sharing === undefined) return
      this.#placed.delete(id)
      for (const held of sharing) this.#unplaced.add(held)
      this.#flush()
    })
  }
}

const saysLess = ({ code, candidates }: Pick<ErrorFrame, 'code' | 'candidates'>) =>
  candidates === undefined && fullerAlone.includes(code)
