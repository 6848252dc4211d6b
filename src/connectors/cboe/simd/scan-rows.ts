import type { ContractColumns } from '../../../market/chain.ts'
import type { Span } from '../payload.ts'
import { pastBlanks } from '../scan/blanks.ts'
import { type NewestTrade, noTradeYet, takeTrade } from '../scan/newest-trade.ts'
import { layoutOf } from '../scan/option-layout.ts'
import { writeLayout } from './layout-table.ts'
import { instantiateOptionRows, type OptionRows } from './option-rows.ts'

/** Contracts that follow each other in a payload and have one root and expiration: rows `start` to `end`. */
export interface Run {
  /** The symbol of the first of them; undefined where none of them has one. */
  readonly symbol: string | undefined
  readonly start: number
  readonly end: number
}

/** The contracts of a payload in its own order, cleaned. The columns are good until the next scan. */
export interface ScannedRows extends ContractColumns {
  readonly size: number
  readonly runs: readonly Run[]
}

const CLOSING = 125
const ROW_OF_COLUMNS = 4 * 8 + 4 * 4 + 1
const PAGE = 65_536

/** What a thread scans with: made when it is first needed, used again for every payload. */
let scanner: Scanner | undefined

/**
 * Scans the contracts of a payload that stand in `list`, and takes their trade times into `trades`. Undefined where they
 * are not as the exchange writes them: whatever was taken is then to be forgotten.
 */
export function scanRows(bytes: Buffer, list: Span, trades: NewestTrade): ScannedRows | undefined {
  scanner ??= new Scanner()
  return scanner.scan(bytes, list, trades)
}

class Scanner {
  readonly #module: OptionRows
  #trades: NewestTrade = noTradeYet(0)

  constructor() {
    this.#module = instantiateOptionRows({
      trade: (at, length) => this.#takeTrade(at, length),
      figure: (at, end) => Number(this.#text(at, end - at))
    })
  }

  scan(bytes: Buffer, { start, end }: Span, trades: NewestTrade): ScannedRows | undefined {
    const from = pastBlanks(bytes, start)
    const layout = layoutOf(bytes.toString('latin1', from, bytes.indexOf(CLOSING, from) + 1))
    if (from === end || layout === undefined || !writeLayout(layout, this.#module)) return undefined
    // No row is shorter than what stands before its values, a byte for each of them, its end and a comma.
    const shortest = layout.starts[layout.slots.length] + layout.slots.length + 2
    const capacity = Math.ceil((end - from) / shortest) + 1
    this.#makeRoom(capacity)
    this.#module.begin(layout.slots.length, capacity)
    this.#trades = trades
    this.#noteNewest()
    return this.#scanBlocks(bytes, from, end) ? this.#rows(capacity) : undefined
  }

  #scanBlocks(bytes: Buffer, from: number, end: number): boolean {
    const { memory, block, BLOCK_BYTES, ROW_BYTES, FINISHED, REFUSED } = this.#module
    const into = new Uint8Array(memory.buffer, block.value)
    for (let at = from; ; ) {
      const stop = Math.min(at + BLOCK_BYTES.value, end + 1)
      const length = stop - at
      const isLast = stop > end
      into.set(bytes.subarray(at, stop))
      if (isLast) into.fill(0, length, length + 64)
      const next = this.#module.scan(block.value, block.value + (isLast ? length : length - ROW_BYTES.value))
      if (next === FINISHED.value) return true
      if (next === REFUSED.value || isLast) return false
      at += next - block.value
    }
  }

  #rows(capacity: number): ScannedRows {
    const { memory, columns, rowCount } = this.#module
    const size = rowCount.value
    let at = columns.value
    const floats = () => new Float64Array(memory.buffer, (at += 8 * capacity) - 8 * capacity, size)
    const counts = () => new Int32Array(memory.buffer, (at += 4 * capacity) - 4 * capacity, size)
    return {
      size,
      runs: this.#runs(),
      strike: floats(),
      bid: floats(),
      ask: floats(),
      last: floats(),
      bidSize: counts(),
      askSize: counts(),
      volume: counts(),
      openInterest: counts(),
      right: new Uint8Array(memory.buffer, at, size)
    }
  }

  #runs(): readonly Run[] {
    const { memory, runs, runCount, rowCount, RUN_BYTES, RUN_SYMBOL } = this.#module
    const view = new DataView(memory.buffer)
    return Array.from({ length: runCount.value }, (_, k) => {
      const at = runs.value + k * RUN_BYTES.value
      const length = view.getInt32(at + 4, true)
      return {
        symbol: length === 0 ? undefined : this.#text(at + RUN_SYMBOL.value, length),
        start: view.getInt32(at, true),
        end: k + 1 < runCount.value ? view.getInt32(at + RUN_BYTES.value, true) : rowCount.value
      }
    })
  }

  #makeRoom(rows: number): void {
    const { memory, columns } = this.#module
    const missing = columns.value + rows * ROW_OF_COLUMNS - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  }

  #takeTrade(at: number, length: number): void {
    takeTrade(this.#trades, this.#text(at, length))
    this.#noteNewest()
  }

  #noteNewest(): void {
    const { memory, newest } = this.#module
    const { text } = this.#trades
    Buffer.from(memory.buffer).write(text, newest.value, 'latin1')
    this.#module.setNewest(text.length)
  }

  #text(at: number, length: number): string {
    return Buffer.from(this.#module.memory.buffer, at, length).toString('latin1')
  }
}
