import type { StoredContracts } from '../archive/codec/contract-list.ts'
import { decodeSnapshot } from '../archive/codec/decode-snapshot.ts'
import { encodeColumns } from '../archive/codec/encode-snapshot.ts'
import { archiveOrder } from '../archive/codec/prices.ts'
import { toSnapshotBytes } from '../archive/codec/snapshot-bytes.ts'
import type { Chain } from '../market/chain.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { packList, unpackList } from './list-bytes.ts'

// Bytes of a chain on the shelf: length of the head (32 bits, little endian), the head (JSON), the bytes of its contract
// list unless that lies apart, and the bytes of the snapshot as session files have them.

interface ChainHead extends Pick<Chain, 'symbol' | 'asOf' | 'source' | 'observedAt'> {
  readonly symbol: Ticker
  readonly asOf: Instant
  /** Hash that identifies the contract list. */
  readonly list: string
  /** Bytes of the list that follow; 0 if it lies apart. */
  readonly listBytes: number
}

/** A chain as bytes, in three parts. */
export interface ChainParts {
  readonly head: ChainHead
  readonly list: Uint8Array
  readonly columns: Uint8Array
}

/** Packs what was observed of a chain, its contract list included. Its computed columns are left out. */
export async function packChain(chain: Chain, observedAt?: Instant): Promise<Uint8Array> {
  const { symbol, asOf, source, expirations, right } = chain
  const order = archiveOrder(expirations, right)
  const { id, bytes } = packList(chain, order)
  const columns = await toSnapshotBytes({ fidelity: 'recorded', series: id, columns: encodeColumns(chain, order) })
  return shelvedBytes({
    head: { symbol, asOf, source, observedAt, list: id, listBytes: bytes.length },
    list: bytes,
    columns
  })
}

export function shelvedBytes({ head, list, columns }: ChainParts): Uint8Array {
  const text = Buffer.from(JSON.stringify({ ...head, listBytes: list.length }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, list, columns])
}

export function chainParts(bytes: Uint8Array): ChainParts {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = 4 + all.readUInt32LE(0)
  const head: ChainHead = JSON.parse(all.toString('utf8', 4, start))
  const end = start + head.listBytes
  return { head, list: all.subarray(start, end), columns: all.subarray(end) }
}

/** Restores a chain; `contracts` is its list if that lies apart. */
export function unpackChain({ head, list, columns }: ChainParts, contracts?: StoredContracts): Chain {
  const { symbol, asOf, source, observedAt } = head
  const packed = { contracts: contracts ?? unpackList(list), columns }
  return Object.assign(decodeSnapshot({ symbol, asOf, fidelity: 'recorded', packed }), { source, observedAt })
}
