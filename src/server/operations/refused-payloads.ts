import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface KeptPayload {
  readonly symbol: string
  readonly reason: string
  /** Time of the refusal, wall-clock milliseconds. */
  readonly at: number
  /** The source's response, compressed with gzip. */
  readonly payload: Uint8Array
}

/** Number of refused responses that are kept as files. The oldest are deleted first. */
const MAX_KEPT = 20
const nameShape = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z .*\.json\.gz$/

/**
 * Keeps responses of the source that checks refused as files for the operator: `<moment> <symbol> <reason>.json.gz`.
 * An identical response is kept once. If a file cannot be written, only the copy is lost.
 */
export class RefusedPayloads {
  readonly #folder: string
  readonly #onError: (error: Error) => void
  /** Hashes of the last refused responses. A source that repeats a response therefore does not fill the folder. */
  #known: readonly string[] = []
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string, onError: (error: Error) => void) {
    this.#folder = folder
    this.#onError = onError
  }

  keep(kept: KeptPayload): void {
    const hash = createHash('sha1').update(kept.symbol).update(kept.payload).digest('hex')
    if (this.#known.includes(hash)) return
    this.#known = [...this.#known, hash].slice(-MAX_KEPT)
    this.#writing = this.#writing.then(() => this.#write(kept)).catch((error) => this.#onError(error))
  }

  async written(): Promise<void> {
    await this.#writing
  }

  async #write({ symbol, reason, at, payload }: KeptPayload): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const moment = new Date(at).toISOString().replaceAll(':', '')
    const name = `${moment} ${symbol.replace(/[^\w.-]/g, '_')} ${reason}.json.gz`
    await writeFile(join(this.#folder, name), payload, { mode: 0o600 })
    const names = (await readdir(this.#folder)).filter((found) => nameShape.test(found)).sort()
    for (const old of names.slice(0, -MAX_KEPT)) await rm(join(this.#folder, old), { force: true })
  }
}
