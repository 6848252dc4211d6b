import { countScan, type ScanCounts } from '../port/scans.ts'
import { type CboeChain, readByJson } from './json-chain.ts'
import { readBySimd } from './simd/simd-chain.ts'

/**
 * Converts the bytes of a payload to its chain: in WebAssembly, or as JSON if the layout is unusual. Throws `malformed`
 * if the payload cannot be used. `scans` counts which of the two readers was used.
 */
export function readCboeChain(bytes: Buffer, scans?: ScanCounts): CboeChain {
  const scanned = readBySimd(bytes)
  if (scans !== undefined) countScan(scans, scanned === undefined ? 'refused' : 'taken')
  return scanned ?? readByJson(bytes)
}
