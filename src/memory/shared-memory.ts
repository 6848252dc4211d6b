import { keptShare } from './kept-memory.ts'

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

/** Limits of the returned memory that a thread usually keeps for reuse: bytes, and number of buffers. */
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
  const most = keptShare() * MAX_SPARE
  while (spareBytes > most || spare.length > MAX_SPARE_PIECES) spareBytes -= spare.shift()!.byteLength
}

/**
 * Counts shared memory held by this thread, whether allocated here or received from another thread. A negative number
 * means that memory was returned to the thread that allocated it.
 *
 * When a thread has taken enough shared memory, this function provokes a garbage collection. V8 starts a collection
 * when
 * ordinary buffers add up, but it does not count shared buffers, since several threads hold them. Without help, unused
 * chains would stay in the memory of each thread that received them: gigabytes on the host for historical data.
 *
 * So the function allocates an ordinary buffer as large as the shared memory taken, and keeps it until the next one.
 * Nothing is written into this ballast, so the system provides no memory for it. But V8 counts it in full and begins to
 * collect in the background. With every further buffer it goes on until it is done, even if other programs leave it
 * little time. V8 counts per thread, so this function does too.
 *
 * Source: V8, `kExternalAllocationSoftLimit`: 64 MB of buffers since the last collection start another, and every
 * further buffer then advances it.
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
