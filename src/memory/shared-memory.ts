/**
 * Bytes of shared memory a thread may hold before we provoke a garbage collection. It must be more than 64 MB, see
 * `noteSharedMemory`.
 */
const COLLECT_AFTER = 72 * 2 ** 20

let taken = 0
/**
 * The ballast buffer that provokes a garbage collection, see `noteSharedMemory`. A new one replaces the previous one.
 */
const counted: { buffer: ArrayBuffer | undefined } = { buffer: undefined }

/** Limits of the returned memory that a thread keeps for reuse: bytes, and number of buffers. */
const MAX_SPARE = 32 * 2 ** 20
const MAX_SPARE_PIECES = 256

const spare: SharedArrayBuffer[] = []
let spareBytes = 0

/**
 * Allocates zeroed memory that every thread can read. It holds the columns of chains, which pass between threads
 * without being copied.
 */
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
 * Returns a buffer from `sharedMemory` for reuse by a later request of the same size: the snapshots of a session list
 * the same contracts, so sizes repeat. No thread may use the buffer afterwards.
 */
export function giveBackMemory(buffer: SharedArrayBuffer): void {
  spare.push(buffer)
  spareBytes += buffer.byteLength
  while (spareBytes > MAX_SPARE || spare.length > MAX_SPARE_PIECES) spareBytes -= spare.shift()!.byteLength
}

/**
 * Counts shared memory held by this thread, whether allocated here or received from another thread. A negative number
 * means that memory was returned to the thread that allocated it.
 * V8 starts a garbage collection when ordinary buffers add up, but does not count shared ones, since several threads
 * hold them. Unused chains would stay in memory until something else fills the heap of each thread that received them:
 * gigabytes on the replay host. When a thread has taken as much shared memory as would start a collection if it were
 * ordinary memory, it therefore allocates an ordinary buffer of that size and keeps it until the next one. Nothing is
 * written into that ballast, so the system provides no memory for it, but V8 counts it in full, begins to collect in
 * the background and goes on with every further buffer until done, even if other programs leave it little time.
 * Source: V8, `kExternalAllocationSoftLimit`: 64 MB of buffers since the last collection start another, and every
 * further buffer then advances it. V8 counts per thread, so we do too.
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
