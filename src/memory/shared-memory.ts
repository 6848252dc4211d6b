/** Shared memory that a thread takes up before it has its garbage collected, bytes. It must be more than 64 MB, see below. */
const COLLECT_AFTER = 72 * 2 ** 20

let taken = 0
/** See below. Each takes the place of the one before. */
const counted: { buffer: ArrayBuffer | undefined } = { buffer: undefined }

/** Memory given back that a thread keeps for what it makes next: bytes, and how many pieces it looks through. */
const MAX_SPARE = 32 * 2 ** 20
const MAX_SPARE_PIECES = 256

/** Memory given back, oldest first. */
const spare: SharedArrayBuffer[] = []
let spareBytes = 0

/** Memory that every thread can see, zeroed; for columns of chains, which pass between threads without being copied. */
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
 * Gives memory that `sharedMemory` made back to this thread, for the next who wants as much: the snapshots of a session
 * list the same contracts, so it fits. Nobody may look at it any more, on any thread.
 */
export function giveBackMemory(buffer: SharedArrayBuffer): void {
  spare.push(buffer)
  spareBytes += buffer.byteLength
  while (spareBytes > MAX_SPARE || spare.length > MAX_SPARE_PIECES) spareBytes -= spare.shift()!.byteLength
}

/**
 * Notes that this thread holds on to so much more shared memory: its own, or what another thread made and sent. Less than
 * nothing: what it held on to has been given back to the thread that made it.
 *
 * V8 counts ordinary buffers among its reasons to collect garbage, and shared ones not at all, since several threads hold
 * them: chains that nobody uses any more would stay in memory until something else fills the heap of each thread that
 * has met them, gigabytes of them on the historical host. So a thread that took up as much as would start a collection,
 * were it ordinary memory, makes an ordinary buffer of that size, and keeps it until the next one. Nothing is ever
 * written into it, so the machine gives no memory for it, while V8 counts it in full, begins to collect beside the work,
 * and goes on with every further buffer until it is done: also where other programs leave it little time.
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
    // Where there is no room for it, V8 has collected everything before it says so.
  }
}
