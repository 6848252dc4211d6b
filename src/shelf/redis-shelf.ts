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

/** How often the holder of a role had changed when this service took it, and what to do once a later one writes. */
export interface Fence {
  readonly number: number
  readonly onOutdone: () => void
}

/**
 * Writes and tells as long as nobody with a higher fence has. The highest one is forgotten a minute after its last use:
 * roles of restored accounts begin at a lower number.
 */
const FENCED = `local highest = tonumber(redis.call('GET', KEYS[1]) or '0')
if highest > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)
if KEYS[2] then redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[5]) end
if ARGV[2] ~= '' then redis.call('PUBLISH', ARGV[2], ARGV[3]) end
return 1`

/**
 * A shelf on a Redis or Valkey server. It connects in the background, and again whenever a connection breaks. With a
 * `fence` nothing is written or told any more once another service did so with a higher one.
 */
export function redisShelf({ address, prefix }: ShelfPlace, fence?: Fence): Shelf {
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

  async function fenced(
    { number, onOutdone }: Fence,
    told: { readonly on: Channel; readonly text: string } | undefined,
    value?: { readonly key: string; readonly bytes: Buffer; readonly keptFor: number }
  ): Promise<void> {
    const message = told === undefined ? ['', ''] : [named(told.on), told.text]
    const isWritten = await client.eval(FENCED, {
      keys: [named('fence'), ...(value === undefined ? [] : [named(value.key)])],
      arguments: [`${number}`, ...message, ...(value === undefined ? [] : [value.bytes, `${value.keptFor}`])]
    })
    if (isWritten === 1) return
    onOutdone()
    throw new Error('another service has taken over since')
  }

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
      if (fence !== undefined) return fenced(fence, told, { key, bytes, keptFor })
      const expiration = { type: 'EX', value: keptFor } as const
      if (told === undefined) await client.set(named(key), bytes, { expiration })
      else await client.multi().set(named(key), bytes, { expiration }).publish(named(told.on), told.text).exec()
    },
    async tell(on, text) {
      if (fence !== undefined) return fenced(fence, { on, text })
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
