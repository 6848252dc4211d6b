/** What became of a payload that was given to the quick reader of a connector: refused ones are read the plain way. */
export const scanResults = ['taken', 'refused'] as const
export type ScanResult = (typeof scanResults)[number]

/** How many payloads were scanned, by result: memory that every thread of a service adds to. */
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

/** How a connector reads what it receives. */
export interface ReadingMode {
  /** Where scans are counted. */
  readonly scans?: ScanCounts | undefined
}
