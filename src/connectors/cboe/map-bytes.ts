import { countScan, type ReadingMode } from '../port/scans.ts'
import { type MappedBytes, mapPayload } from './map.ts'
import { parsePayload } from './payload.ts'
import { mapBySimd } from './simd/map-by-simd.ts'

/** Turns the bytes of a payload into a chain. Throws `malformed` where they are none that can be used. */
export function mapBytes(bytes: Buffer, { scans }: ReadingMode = {}): MappedBytes {
  const quick = mapBySimd(bytes)
  if (scans !== undefined) countScan(scans, quick === undefined ? 'refused' : 'taken')
  return quick ?? mapPlainly(bytes)
}

/** The same without WebAssembly. */
export function mapPlainly(bytes: Buffer): MappedBytes {
  const head = parsePayload(bytes)
  return { ...mapPayload(head), head }
}
