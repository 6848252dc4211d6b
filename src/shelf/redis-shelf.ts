import { createClient, RESP_TYPES } from '@redis/client'
import type { Channel, Shelf } from './shelf.ts'

/** Milliseconds between two attempts to connect. */
const RECONNECT_AFTER = 200
const CONNECT_WITHIN = 2000
/** Milliseconds between two signs of life of a connection, and without any after which it counts as broken. */
const PING_EVERY = 1000
const SILENT_FOR = 3000

/** Address of the Redis or Valkey server on which the shelf lies, and the beginning of its keys and channels. */
export interface ShelfPlace {
  readonly address: string
  readonly prefix: string
}

/** A shelf on a Redis or Valkey server. It connects in the background, and again whenever a connection breaks. */
export function redisShelf({ address, prefix }: ShelfPlace): Shelf {
  const open = (waits: boolean) => {
    const client = createClient({
      url: address,
      socket: { connectTimeout: CONNECT_WITHIN, socketTimeout: SILENT_FOR, reconnectStrategy: () => RECONNECT_AFTER },
      pingInterval: PING_EVERY,
      disableOfflineQueue: !waits,
      maintNotifications: 'disabled'
    })
    client.on('error', () => {}) // the calls that it hits fail, and the connection is made again
    return client
  }
  const client = open(false)
  const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  const named = (name: string) => `${prefix}${name}`
  const listeners = new Map<Channel, Set<(text: string) => void>>()
  const whenUp: (() => void)[] = []
  let follower: ReturnType<typeof open> | undefined
  let isClosed = false

  client.on('ready', () => {
    for (const listener of whenUp) listener()
  })
  client.connect().catch(() => {})

  const subscribe = (on: Channel, to: Set<(text: string) => void>) => {
    const receive = (text: string) => {
      for (const listener of to) listener(text)
    }
    follower!.subscribe(named(on), receive).catch(() => {})
  }

  /** A connection that listens can do nothing else, so it is one of its own, made once something listens. */
  function follow(): void {
    follower?.destroy()
    follower = open(true)
    follower.connect().catch(() => {})
    for (const [on, to] of listeners) subscribe(on, to)
  }

  return {
    get isUp() {
      return client.isReady
    },
    get: async (key) => (await binary.get(named(key))) ?? undefined,
    async put(key, value, keptFor, told) {
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      const expiration = { type: 'EX', value: keptFor } as const
      if (told === undefined) await client.set(named(key), bytes, { expiration })
      else await client.multi().set(named(key), bytes, { expiration }).publish(named(told.on), told.text).exec()
    },
    async tell(on, text) {
      await client.publish(named(on), text)
    },
    listen(on, listener) {
      const known = listeners.get(on)
      const all = known ?? new Set()
      all.add(listener)
      if (known === undefined) {
        listeners.set(on, all)
        if (follower === undefined) follow()
        else subscribe(on, all)
      }
      return () => void all.delete(listener)
    },
    listenAnew: follow,
    onUp(listener) {
      whenUp.push(listener)
      if (client.isReady) listener()
    },
    async close() {
      if (isClosed) return
      isClosed = true
      client.destroy()
      follower?.destroy()
    }
  }
}
