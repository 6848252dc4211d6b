import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import type { Fidelity } from '../store.ts'
import { fromBytePlanes, toBytePlanes } from './byte-planes.ts'
import { contractFields, type SnapshotColumns, type SnapshotRow } from './snapshot-row.ts'

// A snapshot as the body of a record, little endian:
//
//     fidelity, length of the series (a byte each), series (ASCII), then deflated:
//     contracts, header figures, odd prices, wide numbers (their counts, 32 bits each),
//     header and odd prices (64-bit floats: JSON has no NaN and no -0), odd slots, wide numbers (32 bits), byte planes

const fidelities: readonly Fidelity[] = ['recorded', 'imported']
const deflate = promisify(deflateRaw)

/** Level 1 of deflate takes a quarter of the time of 6, in which others wait for the machine, and a tenth more room. */
const LEVEL = 1

/** Snapshots grow by less than this factor when they are inflated: then it is done in one piece. */
const MOST_INFLATED = 4
/** The smallest piece that zlib works in. */
const MIN_CHUNK = 64

/** Packs a snapshot; the deflating is done beside this thread. */
export async function toSnapshotBytes(row: Omit<SnapshotRow, 'asOf' | 'written'>): Promise<Uint8Array> {
  const { header, oddSlot, oddPrice } = row.columns
  const { planes, wide } = toBytePlanes(contractFields.map((name) => row.columns[name]))
  const counts = Uint32Array.of(row.columns.volume.length, header.length, oddSlot.length, wide.length)
  const content = Buffer.concat([counts, header, oddPrice, oddSlot, wide, planes].map(bytesOf))
  const series = Buffer.from(row.series, 'ascii')
  const name = Buffer.from([fidelities.indexOf(row.fidelity), series.length])
  return Buffer.concat([name, series, await deflate(content, { level: LEVEL })])
}

/** What a packed snapshot says without being unpacked: where it comes from, and which contract list it has. */
export function nameInSnapshotBytes(packed: Uint8Array): Pick<SnapshotRow, 'fidelity' | 'series'> {
  return { fidelity: fidelities[packed[0]], series: Buffer.from(packed.subarray(2, 2 + packed[1])).toString('ascii') }
}

/** The columns of a packed snapshot. */
export function fromSnapshotBytes(packed: Uint8Array): SnapshotColumns {
  const { size, header, take, rest } = begunContent(packed)
  const { odd, wides } = size
  const oddPrice = new Float64Array(take(8 * odd))
  const oddSlot = new Uint32Array(take(4 * odd))
  const wide = new Int32Array(take(4 * wides))
  const planes = rest()
  const [bidBends, spread, last, bidSize, askSize, volume] = fromBytePlanes(
    { planes, wide },
    contractFields.length,
    size.contracts
  )
  return { header, bidBends, spread, last, bidSize, askSize, volume, oddSlot, oddPrice }
}

/** Its header figures alone. */
export function headerInSnapshotBytes(packed: Uint8Array): Float64Array {
  return begunContent(packed).header
}

/** What is deflated, read as far as the header figures. */
function begunContent(packed: Uint8Array) {
  const content = inflateRawSync(packed.subarray(2 + packed[1]), {
    chunkSize: MIN_CHUNK + MOST_INFLATED * packed.length
  })
  let at = 0
  const take = (bytes: number) => content.buffer.slice(content.byteOffset + at, content.byteOffset + (at += bytes))
  const [contracts, figures, odd, wides] = new Uint32Array(take(16))
  const header = new Float64Array(take(8 * figures))
  return { size: { contracts, odd, wides }, header, take, rest: () => content.subarray(at) }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
