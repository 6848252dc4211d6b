// Loaded into every thread of a service that is measured (node --import). When the service is asked by its parent process,
// it sends what the heap and the array buffers of each thread take; shared buffers count on the thread that made them.
// BENCH_CLOCK_SHIFT sets its clock ahead by so many milliseconds.
import { basename } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

/** Milliseconds within which a thread that works answers, on a busy machine too. */
const PATIENCE = 30_000

const shift = Number(process.env.BENCH_CLOCK_SHIFT ?? 0)
const SystemDate = Date
globalThis.Date = class extends SystemDate {
  constructor(...given) {
    if (given.length === 0) super(SystemDate.now() + shift)
    else super(...given)
  }
  static now() {
    return SystemDate.now() + shift
  }
}

const channel = new BroadcastChannel('bench-memory')

function ofThisThread() {
  const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const thread = isMainThread ? 'serving' : basename(process.argv[1]).replace(/\.[jt]s$/, '')
  const { malloced_memory: compiler } = getHeapStatistics()
  return { thread, heap: heapTotal, used: heapUsed, compiler, external: external - arrayBuffers, arrayBuffers }
}

if (isMainThread) {
  process.on('message', () => {
    const threads = [ofThisThread()]
    channel.onmessage = ({ data }) => data !== 'measure' && threads.push(data)
    channel.postMessage('measure')
    setTimeout(() => process.send(threads), PATIENCE)
  })
  process.channel?.unref()
} else {
  channel.onmessage = ({ data }) => data === 'measure' && channel.postMessage(ofThisThread())
}
channel.unref()
