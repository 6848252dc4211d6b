import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRawSync } from 'node:zlib'
import type { Fidelity } from '../history-store.ts'
import { fromBytePlanes, toBytePlanes } from './byte-planes.ts'
import { contractNumbers, headerFigures } from './snapshot-columns.ts'
import type { SnapshotColumns, StoredSnapshotRow } from './snapshot-row.ts'

// Packed bytes of a snapshot, little endian:
//
//     fidelity, length of the contract list's id (a byte each), the id (ASCII), then deflated:
//     counts of contracts, header figures, odd prices and wide numbers (32 bits each),
//     header and odd prices (64-bit floats), odd slots and wide numbers (32 bits), byte planes

/**
 * Version of the byte layout. Raise it when the bytes change although the columns stay the same; the test
 * `test/archive/golden-snapshot.test.ts` fails until you do.
 */
const PACKING = 1

/** Hash that identifies the layout of packed snapshots. Bytes of another layout cannot be read. */
export const packedLayout = createHash('sha256')
  .update(JSON.stringify([PACKING, ...[headerFigures, contractNumbers].map((list) => list.map(({ name }) => name))]))
  .digest('hex')

const fidelities: readonly Fidelity[] = ['recorded', 'imported']
const deflate = promisify(deflateRaw)
const COUNTS_BYTES = 16

/** Compression level. Level 1 takes a quarter of the time of level 6 and a tenth more space. */
const LEVEL = 1

/** Expected ratio of unpacked to packed bytes. Most snapshots grow less, and then one allocation is enough. */
const MOST_INFLATED = 4
/** Smallest chunk that zlib accepts, bytes. */
const MIN_CHUNK = 64
/** Number of compressed bytes that are enough to read the header figures of any usual chain. */
const HEADER_WITHIN = 1024

/** Packs a snapshot; deflating runs on another thread. */
export async function toSnapshotBytes(row: Omit<StoredSnapshotRow, 'asOf' | 'written'>): Promise<Uint8Array> {
  const { header, numbers, oddSlot, oddPrice } = row.columns
  const { planes, wide } = toBytePlanes(numbers)
  const counts = Uint32Array.of(numbers[0].length, header.length, oddSlot.length, wide.length)
  const content = Buffer.concat([counts, header, oddPrice, oddSlot, wide, planes].map(bytesOf))
  const series = Buffer.from(row.series, 'ascii')
  const name = Buffer.from([fidelities.indexOf(row.fidelity), series.length])
  return Buffer.concat([name, series, await deflate(content, { level: LEVEL })])
}

export function nameInSnapshotBytes(packed: Uint8Array): Pick<StoredSnapshotRow, 'fidelity' | 'series'> {
  return { fidelity: fidelities[packed[0]], series: Buffer.from(packed.subarray(2, 2 + packed[1])).toString('ascii') }
}

export function fromSnapshotBytes(packed: Uint8Array): SnapshotColumns {
  const deflated = deflatedIn(packed)
  const content = inflateRawSync(deflated, { chunkSize: MIN_CHUNK + MOST_INFLATED * deflated.length })
  const take = takingFrom(content)
  const [size, figures, odd, wides] = new Uint32Array(take(COUNTS_BYTES))
  const header = new Float64Array(take(8 * figures))
  const oddPrice = new Float64Array(take(8 * odd))
  const oddSlot = new Uint32Array(take(4 * odd))
  const wide = new Int32Array(take(4 * wides))
  const planes = content.subarray(COUNTS_BYTES + 8 * figures + 12 * odd + 4 * wides)
  const numbers = fromBytePlanes({ planes, wide }, contractNumbers.length, size)
  return { header, numbers, oddSlot, oddPrice }
}

/** Unpacks only the header figures, from the first bytes if these are enough. */
export function headerInSnapshotBytes(packed: Uint8Array): Float64Array {
  const deflated = deflatedIn(packed).subarray(0, HEADER_WITHIN)
  const begun = inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH })
  const take = takingFrom(begun)
  const figures = begun.length < COUNTS_BYTES ? Number.NaN : new Uint32Array(take(COUNTS_BYTES))[1]
  const isThere = begun.length >= COUNTS_BYTES + 8 * figures
  return isThere ? new Float64Array(take(8 * figures)) : fromSnapshotBytes(packed).header
}

function deflatedIn(packed: Uint8Array): Uint8Array {
  return packed.subarray(2 + packed[1])
}

/** Returns a function that takes the next bytes from the front and copies them. */
function takingFrom({ buffer, byteOffset }: Buffer): (bytes: number) => ArrayBuffer {
  let at = byteOffset
  return (bytes) => buffer.slice(at, (at += bytes)) as ArrayBuffer
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
