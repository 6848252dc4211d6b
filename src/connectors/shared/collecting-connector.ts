import { type AskedCall, askedCalls } from '../../shelf/messages.ts'
import type { Shelf } from '../../shelf/shelf.ts'
import type { Connector } from '../port/connector.ts'
import { askedValue, valueKey } from './asked-values.ts'

type Ask = (...args: readonly unknown[]) => Promise<unknown>

/**
 * The source of a collector: closes, daily bars and earnings that it gives lie on the shelf for a while, where other
 * members find them. The source is asked once for all of them, and each time while the shelf cannot be reached.
 */
export function collecting(origin: Connector, shelf: Shelf): Connector {
  const once = Object.fromEntries(
    askedCalls.flatMap((call) => (origin[call] === undefined ? [] : [[call, askedOnce(origin, call, shelf)]]))
  )
  return { ...origin, ...once, disconnect: () => shelf.close() }
}

function askedOnce<Call extends AskedCall>(origin: Connector, call: Call, shelf: Shelf): Ask {
  const { pack, unpack, keptFor } = askedValue(call) as unknown as AnyValue
  const asks = origin[call] as Ask
  const underWay = new Map<string, Promise<unknown>>()
  const ask = async (key: string, args: readonly unknown[]): Promise<unknown> => {
    const kept = await shelf.get(key).catch(() => undefined)
    if (kept !== undefined) return unpack(kept)
    const found = await asks(...args)
    const put = async () => shelf.put(key, await pack(found), keptFor(found, ...args))
    await put().catch(() => {}) // whoever misses it asks again
    return found
  }
  return (...args) => {
    const key = valueKey(call, args as never)
    const known = underWay.get(key)
    if (known !== undefined) return known
    const asked = ask(key, args).finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }
}

interface AnyValue {
  readonly pack: (found: unknown) => Promise<Uint8Array>
  readonly unpack: (bytes: Uint8Array) => unknown
  readonly keptFor: (found: unknown, ...args: readonly unknown[]) => number
}
