/**
 * Whether a fast reader in WebAssembly accepted a payload (`taken`) or refused it. Refused payloads are parsed as JSON.
 */
export const scanResults = ['taken', 'refused'] as const
export type ScanResult = (typeof scanResults)[number]

export type ScanCounts = Int32Array<SharedArrayBuffer>

export function noScans(): ScanCounts {
  return new Int32Array(new SharedArrayBuffer(scanResults.length * Int32Array.BYTES_PER_ELEMENT))
}

export function countScan(counts: ScanCounts, result: ScanResult): void {
  Atomics.add(counts, scanResults.indexOf(result), 1)
}

export function scansOf(counts: ScanCounts): Readonly<Record<ScanResult, number>> {
  const [taken, refused] = counts
  return { taken, refused }
}
