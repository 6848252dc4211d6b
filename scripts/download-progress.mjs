// A thread that shows on stderr how large a folder has grown, a line every few seconds.
import { readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { workerData as folder } from 'node:worker_threads'

const STDERR = 2
/** Milliseconds between two lines. */
const EVERY = 3000

let shown = 0
setInterval(() => {
  const megabytes = Math.floor(bytesBelow(folder) / 1e6)
  if (megabytes > shown) writeSync(STDERR, `gammawall: ${megabytes} MB fetched so far\n`)
  shown = Math.max(shown, megabytes)
}, EVERY)

/** Bytes of all files below a folder. A file that vanishes meanwhile does not count. */
function bytesBelow(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name)
      return sum + (entry.isDirectory() ? bytesBelow(path) : statSync(path).size)
    }, 0)
  } catch {
    return 0
  }
}
