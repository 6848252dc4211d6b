import type { TapeText } from '../archive/store.ts'
import type { TapeSource } from '../market/print.ts'
import type { Ticker } from '../market/units.ts'
import { backOff } from '../pacing/back-off.ts'
import { type TapeRows, TapeStretches } from './stretches.ts'
import type { Tape } from './tape.ts'

export interface TapeRecorderOptions {
  /** Writes rows into the archive; resolves once they would survive a crash. */
  readonly write: (text: TapeText) => Promise<void>
  /** Rows were given up, since the archive refused them for too long. */
  readonly onLost: (rows: number) => void
}

/**
 * Characters of rows that one write holds, and that may wait while the archive refuses. Larger writes are no faster, and the
 * engine of the archive keeps the memory that the largest one took.
 */
const MAX_WRITE = 2 * 2 ** 20
const MAX_WAITING = 256 * 2 ** 20
/** Between two writes while the archive refuses, milliseconds. */
const pauses = { first: 1000, longest: 60_000 }

interface Waiting extends TapeRows {
  /** Characters. */
  readonly size: number
}

/** Writes the rows of tapes into the archive, in their order and each once, and holds up nobody. */
export class TapeRecorder {
  readonly #options: TapeRecorderOptions
  readonly #stretches = new TapeStretches('recorded')
  #waiting: Waiting[] = []
  #waitingSize = 0
  #writing: Promise<void> | undefined
  #closed = false
  /** Ends the pause between two writes. */
  #wake: () => void = () => {}

  constructor(options: TapeRecorderOptions) {
    this.#options = options
  }

  /** The rows of a tape that stood in the archive already when it was restored. */
  skip(tape: Tape): void {
    this.#stretches.skip(tape)
  }

  /** A tape that must not be written: the archive may have rows in the places of its own. */
  leave(tape: Tape): void {
    this.#stretches.leave(tape)
  }

  /** Gathers what a tape has that was not gathered yet. Called before it drops rows, and every now and then. */
  gather(symbol: Ticker, source: TapeSource, tape: Tape): void {
    this.#stretches.gather(symbol, source, tape)
    if (this.#stretches.size >= MAX_WRITE) this.flush()
  }

  /** Writes what was gathered. Resolves once it is safe, or was given up. */
  flush(): Promise<void> {
    if (this.#stretches.rows > 0) {
      const { size } = this.#stretches
      this.#waiting.push({ ...this.#stretches.take(), size })
      this.#waitingSize += size
    }
    return (this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    }))
  }

  /** Writes what was gathered one last time; what the archive refuses now is lost. */
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
          while (this.#waiting.length > 0) this.#giveUp()
          return
        }
        while (this.#waitingSize > MAX_WAITING) this.#giveUp()
        await this.#pause(backOff(++failures, pauses))
      }
    }
  }

  #drop(): Waiting {
    const first = this.#waiting.shift()!
    this.#waitingSize -= first.size
    return first
  }

  /** The oldest rows go. The next ones of their tapes bring along what the lost ones named. */
  #giveUp(): void {
    const { rows, tapes } = this.#drop()
    this.#stretches.lost(tapes)
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
