import type { TapeText } from '../archive/history-store.ts'
import type { TapeSource } from '../market/print.ts'
import type { Ticker } from '../market/units.ts'
import { backOff } from '../pacing/back-off.ts'
import type { Tape } from './tape.ts'
import { TapeBatch, type TapeRows } from './tape-batch.ts'

export interface TapeRecorderOptions {
  /** Writes rows into the archive; resolves once they would survive a crash. */
  readonly write: (text: TapeText) => Promise<void>
  /** Called with the number of rows dropped because the archive refused writes for too long. */
  readonly onLost: (rows: number) => void
}

/**
 * Maximum characters in one write. Larger writes are no faster, and ClickHouse does not free the memory of its largest
 * write.
 */
const MAX_WRITE = 2 * 2 ** 20
/** Maximum characters queued while the archive refuses writes. */
const MAX_WAITING = 256 * 2 ** 20
/** Pauses between writes while the archive refuses them, milliseconds. */
const pauses = { first: 1000, longest: 60_000 }

interface WaitingBatch extends TapeRows {
  readonly size: number
}

/** Writes tape rows into the archive in the background, in order and each row once. */
export class TapeRecorder {
  readonly #options: TapeRecorderOptions
  readonly #batch = new TapeBatch({ fidelity: 'recorded' })
  #waiting: WaitingBatch[] = []
  #waitingSize = 0
  #writing: Promise<void> | undefined
  #closed = false
  #wake: () => void = () => {}

  constructor(options: TapeRecorderOptions) {
    this.#options = options
  }

  /** Marks all rows of a restored tape as written. */
  skip(tape: Tape): void {
    this.#batch.skip(tape)
  }

  /** Never writes this tape, because the archive may have other rows at its positions. */
  exclude(tape: Tape): void {
    this.#batch.exclude(tape)
  }

  /** Queues the new rows of a tape. Must be called before the tape drops rows from memory. */
  add(symbol: Ticker, source: TapeSource, tape: Tape): void {
    this.#batch.add(symbol, source, tape)
    if (this.#batch.size >= MAX_WRITE) this.flush()
  }

  /** Writes the queued rows. Resolves once they are written or dropped. */
  flush(): Promise<void> {
    if (this.#batch.rows > 0) {
      const { size } = this.#batch
      this.#waiting.push({ ...this.#batch.take(), size })
      this.#waitingSize += size
    }
    return (this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    }))
  }

  /** Tries to write the queued rows one last time. Rows that the archive refuses now are lost. */
  async close(): Promise<void> {
    this.#closed = true
    this.#wake()
    await this.flush()
  }

  async #write(): Promise<void> {
    for (let failures = 0; this.#waiting.length > 0; ) {
      const [next] = this.#waiting
      try {
        await this.#options.write(next.text)
        failures = 0
        this.#drop()
      } catch {
        if (this.#closed) {
          while (this.#waiting.length > 0) this.#lose()
          return
        }
        while (this.#waitingSize > MAX_WAITING) this.#lose()
        await this.#pause(backOff(++failures, pauses))
      }
    }
  }

  #drop(): WaitingBatch {
    const first = this.#waiting.shift()!
    this.#waitingSize -= first.size
    return first
  }

  #lose(): void {
    const { rows, tapes } = this.#drop()
    this.#batch.lost(tapes)
    this.#options.onLost(rows)
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
