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

/**
 * Limits of the returned memory that a thread usually keeps for reuse: bytes, and number of buffers. While the chains of
 * 244 symbols are replaced, 16 MB serve 94 to 96 of 100 buffers, and half of it 62 to 85.
 */
const MAX_SPARE = 16 * 2 ** 20
const MAX_SPARE_PIECES = 256
/** Bytes that a thread keeps with the smallest share too. */
const MIN_SPARE = 4 * 2 ** 20
/** Part of a reused buffer that may stay unused, so that the chain of one symbol can follow that of another. */
const MAX_WASTE = 1 / 8

const spare: SharedArrayBuffer[] = []
let spareBytes = 0

/**
 * Allocates zeroed memory that every thread can read, a little more than asked for if a returned buffer is reused. It
 * holds the columns of chains, which pass between threads without being copied.
 */
export function sharedMemory(bytes: number): SharedArrayBuffer {
  const at = closestSpare(bytes)
  if (at >= 0) {
    const [buffer] = spare.splice(at, 1)
    spareBytes -= buffer.byteLength
    new Uint8Array(buffer).fill(0)
    return buffer
  }
  noteSharedMemory(bytes)
  return new SharedArrayBuffer(bytes)
}

/** Index of the smallest returned buffer that is large enough, and not much too large; -1 if there is none. */
function closestSpare(bytes: number): number {
  let closest = -1
  let size = bytes / (1 - MAX_WASTE)
  for (const [at, { byteLength }] of spare.entries()) {
    if (byteLength === bytes) return at
    if (byteLength < bytes || byteLength > size) continue
    closest = at
    size = byteLength
  }
  return closest
}

/** Returns a buffer from `sharedMemory` for reuse by a later request. No thread may use the buffer afterwards. */
export function giveBackMemory(buffer: SharedArrayBuffer): void {
  spare.push(buffer)
  spareBytes += buffer.byteLength
  const most = Math.max(MIN_SPARE, keptShare() * MAX_SPARE)
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
