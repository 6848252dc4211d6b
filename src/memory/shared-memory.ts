/**
 * Shared memory that a thread takes before a garbage collection is provoked, bytes. It must be more than 64 MB, see
 * `noteSharedMemory`.
 */
const COLLECT_AFTER = 72 * 2 ** 20

let taken = 0
/** The ballast that provokes a collection, see `noteSharedMemory`. Each replaces the one before. */
const counted: { buffer: ArrayBuffer | undefined } = { buffer: undefined }

/** Returned memory that a thread keeps for reuse: bytes, and number of buffers. */
const MAX_SPARE = 32 * 2 ** 20
const MAX_SPARE_PIECES = 256

/** Returned buffers, oldest first. */
const spare: SharedArrayBuffer[] = []
let spareBytes = 0

/** Zeroed memory that every thread can read, for columns of chains, which pass between threads without being copied. */
export function sharedMemory(bytes: number): SharedArrayBuffer {
  const at = spare.findIndex(({ byteLength }) => byteLength === bytes)
  if (at >= 0) {
    const [buffer] = spare.splice(at, 1)
    spareBytes -= bytes
    new Uint8Array(buffer).fill(0)
    return buffer
  }
  noteSharedMemory(bytes)
  return new SharedArrayBuffer(bytes)
}

/**
 * Returns memory of `sharedMemory` to this thread for reuse by a request of the same size: the snapshots of a session
 * list the same contracts, so sizes repeat. No thread may use the buffer any more.
 */
export function giveBackMemory(buffer: SharedArrayBuffer): void {
  spare.push(buffer)
  spareBytes += buffer.byteLength
  while (spareBytes > MAX_SPARE || spare.length > MAX_SPARE_PIECES) spareBytes -= spare.shift()!.byteLength
}

/**
 * Counts shared memory that this thread holds: its own, or received from another thread. Negative: it was returned to
 * the thread that made it.
 *
 * V8 counts ordinary buffers as a reason to collect garbage, but not shared ones, since several threads hold them.
 * Unused
 * chains would stay in memory until something else fills the heap of each thread that received them: gigabytes on the
 * replay host. So when a thread has taken as much as would start a collection if it were ordinary memory, it allocates
 * an
 * ordinary buffer of that size and keeps it until the next one. Nothing is written into it, so the system provides no
 * memory, but V8 counts it in full, begins to collect in the background, and goes on with every further buffer until it
 * is
 * done, even if other programs leave it little time.
 *
 * Source: V8, `kExternalAllocationSoftLimit`: 64 MB of buffers since the last collection start one, and while they are
 * there every further buffer moves it on. A thread counts for itself, as V8 does.
 */
export function noteSharedMemory(bytes: number): void {
  taken += bytes
  if (taken < COLLECT_AFTER) return
  const size = Math.min(taken, 2 * COLLECT_AFTER)
  taken = 0
  try {
    counted.buffer = new ArrayBuffer(size)
  } catch {
    // If the allocation fails, V8 has already collected everything.
  }
}
