import { crc32 } from 'node:zlib'
import type { Instant } from '../../market/units.ts'

// A record of a session file: a head of 32 bytes, then its body. Little endian:
//
//      0  mark            4  kind          8  bytes of the body    12  CRC-32 of the body
//     16  moment (f64)   24  count        28  CRC-32 of the 28 bytes before

export const HEAD_BYTES = 32
const MARK = 0x31_52_57_47 // GWR1
const kinds = ['snapshot', 'completeness'] as const

/** A snapshot, or the mark that everything up to a moment is in the file. */
export type RecordKind = (typeof kinds)[number]

export interface RecordHead {
  readonly kind: RecordKind
  /** Of the snapshot; of a completeness mark that of the newest snapshot before it. */
  readonly moment: Instant
  /** Snapshots of the file up to and including this record. */
  readonly count: number
  /** Bytes of the body. */
  readonly length: number
  /** CRC-32 of the body. */
  readonly check: number
}

/** A record as it is written. */
export function recordBytes(head: Pick<RecordHead, 'kind' | 'moment' | 'count'>, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + body.length)
  bytes.writeUInt32LE(MARK, 0)
  bytes.writeUInt32LE(kinds.indexOf(head.kind), 4)
  bytes.writeUInt32LE(body.length, 8)
  bytes.writeUInt32LE(crc32(body), 12)
  bytes.writeDoubleLE(head.moment, 16)
  bytes.writeUInt32LE(head.count, 24)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 28)), 28)
  bytes.set(body, HEAD_BYTES)
  return bytes
}

/** The head at the start of these bytes. Undefined: there is none, or not as it was written. */
export function readHead(bytes: Buffer): RecordHead | undefined {
  if (bytes.readUInt32LE(0) !== MARK || bytes.readUInt32LE(28) !== crc32(bytes.subarray(0, 28))) return undefined
  const kind = kinds[bytes.readUInt32LE(4)]
  if (kind === undefined) return undefined
  const [length, check] = [bytes.readUInt32LE(8), bytes.readUInt32LE(12)]
  return { kind, moment: bytes.readDoubleLE(16), count: bytes.readUInt32LE(24), length, check }
}

/** The body of a record that was read whole. Undefined: the record is not as it was written. */
export function bodyOf(record: Buffer): Buffer | undefined {
  const head = record.length < HEAD_BYTES ? undefined : readHead(record)
  const body = record.subarray(HEAD_BYTES)
  return head?.length === body.length && head.check === crc32(body) ? body : undefined
}
