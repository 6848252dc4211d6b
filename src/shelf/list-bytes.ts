import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { listedContracts, type StoredContracts } from '../archive/codec/contract-list.ts'
import { inArchiveOrder } from '../archive/codec/snapshot-columns.ts'
import type { Chain, Expiration } from '../market/chain.ts'

// Bytes of a contract list, little endian, deflated: length of the head and number of contracts (32 bits each), the head
// (expirations as JSON), strikes (64-bit floats), open interest (32 bits) and rights (a byte), in archive order.

/** The contracts and open interest of a chain, under a hash of their content. */
export interface PackedList {
  readonly id: string
  readonly bytes: Uint8Array
}

const LEVEL = 1
const COUNTS_BYTES = 8

/** The list that was packed last of each symbol: it rarely changes within a session, and deflating takes longest. */
const packed = new Map<string, PackedList>()
const MAX_PACKED = 500

export function packList(chain: Chain, order: Uint32Array): PackedList {
  const { strike, right, openInterest, expirations, symbol } = chain
  const head = Buffer.from(JSON.stringify(expirations))
  const strikes = Float64Array.from(order, (slot) => strike[slot])
  const counts = Uint32Array.of(head.length, order.length)
  const interest = inArchiveOrder(openInterest, order)
  const content = Buffer.concat(
    [counts, head, strikes, interest, inArchiveOrder(right, order)].map(
      ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)
    )
  )
  const id = createHash('sha256').update(content).digest('hex').slice(0, 24)
  const known = packed.get(symbol)
  if (known?.id === id) return known
  const list = { id, bytes: deflateRawSync(content, { level: LEVEL }) }
  if (packed.size >= MAX_PACKED) packed.clear()
  packed.set(symbol, list)
  return list
}

export function unpackList(bytes: Uint8Array): StoredContracts {
  const { buffer, byteOffset, length } = inflateRawSync(bytes)
  let at = byteOffset
  const take = (count: number) => buffer.slice(at, (at += count)) as ArrayBuffer
  const [headLength, size] = new Uint32Array(take(COUNTS_BYTES))
  const expirations: readonly Expiration[] = JSON.parse(Buffer.from(take(headLength)).toString())
  const strikes = new Float64Array(take(8 * size))
  const interest = new Int32Array(take(4 * size))
  const rights = new Uint8Array(take(size))
  if (at !== byteOffset + length) throw new Error('a contract list has another length than it states')
  return listedContracts(expirations, { strikes, interest, rights })
}
