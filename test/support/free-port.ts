import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems give ports above these to connections and to listeners that ask for any port. */
const [FIRST, COUNT] = [10_000, 20_000]

/** A port of this machine for a program that has to be told one. Nothing takes it meanwhile merely because it is free. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < 100; tried++) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false)
    ])
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
  throw new Error('no free port was found')
}
