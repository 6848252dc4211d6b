import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRawSync } from 'node:zlib'
import type { Fidelity } from '../history-store.ts'
import { fromBytePlanes, toBytePlanes } from './byte-planes.ts'
import { contractNumbers, headerFigures } from './snapshot-columns.ts'
import type { SnapshotColumns, StoredSnapshotRow } from './snapshot-row.ts'

// A snapshot as the body of a record, little endian:
//
//     fidelity, length of the series (a byte each), series (ASCII), then deflated:
//     contracts, header figures, odd prices, wide numbers (their counts, 32 bits each),
//     header and odd prices (64-bit floats: JSON has no NaN and no -0), odd slots, wide numbers (32 bits), byte planes

/** Raised whenever the bytes of the same columns change: `test/archive/golden` fails then. */
const PACKING = 1

/** Names the layout of packed snapshots: bytes of another layout cannot be read. */
export const packedLayout = createHash('sha256')
  .update(JSON.stringify([PACKING, ...[headerFigures, contractNumbers].map((list) => list.map(({ name }) => name))]))
  .digest('hex')

const fidelities: readonly Fidelity[] = ['recorded', 'imported']
const deflate = promisify(deflateRaw)
/** What the deflated part begins with: four counts. */
const COUNTS_BYTES = 16

/** Level 1 of deflate takes a quarter of the time of 6, in which others wait for the machine, and a tenth more room. */
const LEVEL = 1

/** Most snapshots grow by less than this factor when they are inflated: then it is done in one piece. */
const MOST_INFLATED = 4
/** The smallest piece that zlib works in. */
const MIN_CHUNK = 64
/** So many bytes of what is deflated hold the header figures of every chain, and more. */
const HEADER_WITHIN = 1024

/** Packs a snapshot; the deflating is done beside this thread. */
export async function toSnapshotBytes(row: Omit<StoredSnapshotRow, 'asOf' | 'written'>): Promise<Uint8Array> {
  const { header, numbers, oddSlot, oddPrice } = row.columns
  const { planes, wide } = toBytePlanes(numbers)
  const counts = Uint32Array.of(numbers[0].length, header.length, oddSlot.length, wide.length)
  const content = Buffer.concat([counts, header, oddPrice, oddSlot, wide, planes].map(bytesOf))
  const series = Buffer.from(row.series, 'ascii')
  const name = Buffer.from([fidelities.indexOf(row.fidelity), series.length])
  return Buffer.concat([name, series, await deflate(content, { level: LEVEL })])
}

/** What a packed snapshot says without being unpacked: where it comes from, and which contract list it has. */
export function nameInSnapshotBytes(packed: Uint8Array): Pick<StoredSnapshotRow, 'fidelity' | 'series'> {
  return { fidelity: fidelities[packed[0]], series: Buffer.from(packed.subarray(2, 2 + packed[1])).toString('ascii') }
}

/** The columns of a packed snapshot. */
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

/** Its header figures alone, of its first bytes where these hold them. */
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

/** Takes bytes off the front, as memory of their own. */
function takingFrom({ buffer, byteOffset }: Buffer): (bytes: number) => ArrayBuffer {
  let at = byteOffset
  return (bytes) => buffer.slice(at, (at += bytes)) as ArrayBuffer
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
