/** Where raw answers are kept, as plain data for every thread. */
export interface CapturePlace {
  readonly folder: string
  /** Of all sources together: none is kept, whichever source says it. */
  readonly secrets: readonly string[]
  /** Why no more are kept, once that is so: memory that all threads read and write. */
  readonly end: SharedArrayBuffer
}

/** Bytes of a reason. */
const MAX_REASON = 200
/** In front of the reason: what was done to it, and its length. */
const HEAD = 2 * Int32Array.BYTES_PER_ELEMENT
const [KEEPS, ENDING, ENDED] = [0, 1, 2]

export function capturePlace(folder: string, secrets: readonly string[]): CapturePlace {
  return { folder, secrets, end: new SharedArrayBuffer(HEAD + MAX_REASON) }
}

/** Ends the capture for all threads, with the reason as the end of a sentence. The first reason stands. */
export function endCapture({ end }: CapturePlace, reason: string): void {
  const head = new Int32Array(end, 0, 2)
  if (Atomics.compareExchange(head, 0, KEEPS, ENDING) !== KEEPS) return
  const bytes = Buffer.from(reason).subarray(0, MAX_REASON)
  Buffer.from(end, HEAD).set(bytes)
  Atomics.store(head, 1, bytes.length)
  Atomics.store(head, 0, ENDED)
}

/** What an operator is told once no more are kept; undefined while they are. */
export function endOfCapture({ folder, end }: CapturePlace): string | undefined {
  const head = new Int32Array(end, 0, 2)
  if (Atomics.load(head, 0) !== ENDED) return undefined
  return `raw answers are no longer kept in ${folder}: ${Buffer.from(end, HEAD, Atomics.load(head, 1))}`
}

export function isEnded({ end }: CapturePlace): boolean {
  return Atomics.load(new Int32Array(end, 0, 1), 0) !== KEEPS
}
