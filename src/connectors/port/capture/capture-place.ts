/**
 * Folder in which raw vendor responses are recorded, and whether recording has ended. Plain data that every thread
 * receives.
 */
export interface CapturePlace {
  readonly folder: string
  /** Secrets of all sources. Each is masked in the responses of every source. */
  readonly secrets: readonly string[]
  /** Shared memory of all threads that holds the reason why recording ended. */
  readonly end: SharedArrayBuffer
}

const MAX_REASON = 200
const HEAD = 2 * Int32Array.BYTES_PER_ELEMENT
const [KEEPS, ENDING, ENDED] = [0, 1, 2]

export function capturePlace(folder: string, secrets: readonly string[]): CapturePlace {
  return { folder, secrets, end: new SharedArrayBuffer(HEAD + MAX_REASON) }
}

/**
 * Ends the recording for all threads. `reason` is the end of a sentence for the operator, e.g. `the disk is full`. Only
 * the first reason is kept.
 */
export function endCapture({ end }: CapturePlace, reason: string): void {
  const head = new Int32Array(end, 0, 2)
  if (Atomics.compareExchange(head, 0, KEEPS, ENDING) !== KEEPS) return
  const bytes = Buffer.from(reason).subarray(0, MAX_REASON)
  Buffer.from(end, HEAD).set(bytes)
  Atomics.store(head, 1, bytes.length)
  Atomics.store(head, 0, ENDED)
}

export function endOfCapture({ folder, end }: CapturePlace): string | undefined {
  const head = new Int32Array(end, 0, 2)
  if (Atomics.load(head, 0) !== ENDED) return undefined
  return `raw answers are no longer kept in ${folder}: ${Buffer.from(end, HEAD, Atomics.load(head, 1))}`
}

export function isEnded({ end }: CapturePlace): boolean {
  return Atomics.load(new Int32Array(end, 0, 1), 0) !== KEEPS
}
