import { countScan, type ScanCounts } from '../port/scans.ts'
import { type CboeChain, readByJson } from './json-chain.ts'
import { readBySimd } from './simd/simd-chain.ts'

/**
 * Converts the bytes of a payload to its chain. A fast reader in WebAssembly accepts the usual layout; other payloads
 * are parsed as JSON. `scans` counts which reader was used. Throws a `malformed` error if the payload cannot be used.
 */
export function readCboeChain(bytes: Buffer, scans?: ScanCounts): CboeChain {
  const scanned = readBySimd(bytes)
  if (scans !== undefined) countScan(scans, scanned === undefined ? 'refused' : 'taken')
  return scanned ?? readByJson(bytes)
}
