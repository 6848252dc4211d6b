import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** Bytes in use after a full garbage collection. */
export async function heapInUse(): Promise<number> {
  for (let k = 0; k < 3; k++) {
    await new Promise((resolve) => setImmediate(resolve))
    gc()
  }
  return process.memoryUsage().heapUsed
}
