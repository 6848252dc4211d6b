import type { ContractColumns } from '../../../market/chain.ts'
import { type ContractSpan, type NewestTrade, noTradeYet, noteTrade } from '../cboe-payload.ts'
import { optionLayoutOf, writeLayout } from './option-layout.ts'
import { instantiateOptionRows, type OptionRows } from './option-rows.ts'

/** Consecutive contracts with one root and expiration: rows from `start` up to but excluding `end`. */
export interface RowRun {
  /** The symbol of the first row; undefined if the rows have no readable symbol. */
  readonly symbol: string | undefined
  readonly start: number
  readonly end: number
}

/**
 * Contracts of a payload in the payload's order, corrected as in `json-chain.ts`. The columns are valid until the next
 * scan.
 */
export interface ScannedRows extends ContractColumns {
  readonly size: number
  readonly runs: readonly RowRun[]
}

const CLOSING = 125
const BYTES_PER_ROW = 4 * 8 + 4 * 4 + 1
const PAGE = 65_536

let scanner: Scanner | undefined

/**
 * Scans the contracts in `list` and notes their trade times in `trades`. Undefined if the contracts are not laid out as
 * the exchange writes them: `trades` must then not be used either.
 */
export function scanRows(bytes: Buffer, list: ContractSpan, trades: NewestTrade): ScannedRows | undefined {
  scanner ??= new Scanner()
  return scanner.scan(bytes, list, trades)
}

class Scanner {
  readonly #module: OptionRows
  #trades: NewestTrade = noTradeYet(0)

  constructor() {
    this.#module = instantiateOptionRows({
      trade: (at, length) => this.#noteTrade(at, length),
      figure: (at, end) => Number(this.#text(at, end - at))
    })
  }

  scan(bytes: Buffer, { start, end }: ContractSpan, trades: NewestTrade): ScannedRows | undefined {
    const from = pastBlanks(bytes, start)
    const layout = optionLayoutOf(bytes.toString('latin1', from, bytes.indexOf(CLOSING, from) + 1))
    if (from === end || layout === undefined || !writeLayout(layout, this.#module)) return undefined
    const shortest = layout.reduce((sum, { before }) => sum + before.length + 1, 2)
    const capacity = Math.ceil((end - from) / shortest) + 1
    this.#makeRoom(capacity)
    this.#module.begin(layout.length, capacity)
    this.#trades = trades
    this.#writeNewest()
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

  #runs(): readonly RowRun[] {
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
    const missing = columns.value + rows * BYTES_PER_ROW - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  }

  #noteTrade(at: number, length: number): void {
    noteTrade(this.#trades, this.#text(at, length))
    this.#writeNewest()
  }

  #writeNewest(): void {
    const { memory, newest } = this.#module
    const { text } = this.#trades
    Buffer.from(memory.buffer).write(text, newest.value, 'latin1')
    this.#module.setNewest(text.length)
  }

  #text(at: number, length: number): string {
    return Buffer.from(this.#module.memory.buffer, at, length).toString('latin1')
  }
}

const TAB = 9
const NEWLINE = 10
const RETURN = 13
const BLANK = 32

function pastBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === BLANK || bytes[at] === NEWLINE || bytes[at] === RETURN || bytes[at] === TAB) at++
  return at
}
