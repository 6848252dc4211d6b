import { count, level, money } from '../wording/format.ts'

/** A print as the newest ones of a symbol are answered; what names a contract is absent of the stock itself. */
export interface TapePrint {
  /** UTC, ISO 8601. */
  readonly ts: string
  readonly price: number
  readonly size: number
  readonly side: 'buy' | 'sell' | 'mid'
  readonly isBlock: boolean
  readonly bid: number | null
  readonly ask: number | null
  readonly expiry?: string
  readonly strike?: number
  readonly right?: 'C' | 'P'
}

/** A print with what is made of it. */
export interface TapeRow extends TapePrint {
  /** USD: price times size, of options times 100. */
  readonly premium: number
  readonly tags: readonly ('block' | 'sweep')[]
}

/** Which prints are shown. */
export interface TapeFilter {
  readonly minSize: number
  /** USD. */
  readonly minPremium: number
  readonly side: TapePrint['side'] | undefined
  readonly expiry: string | undefined
  readonly right: 'C' | 'P' | undefined
}

const CONTRACT_SIZE = 100
/** Prints of a sweep follow each other so closely, and last no longer, milliseconds. */
const SWEEP_GAP = 500
const SWEEP_SPAN = 2000

/** Answers of the newest prints, one after the other: what is new in each. */
export class NewPrints {
  /** How often each print stood in the answer before. */
  #before: ReadonlyMap<string, number> | undefined

  /**
   * The prints of an answer, newest first, that the answer before did not have, oldest first; of the first answer all.
   * `full`: the answer held as many as it could, and none of them was known: others may have come between.
   */
  take(
    newestFirst: readonly TapePrint[],
    limit: number
  ): { readonly rows: readonly TapeRow[]; readonly full: boolean } {
    const tagged = rowsOf(newestFirst)
    const now = new Map<string, number>()
    const rows: TapeRow[] = []
    // The oldest of prints that are alike was there before.
    for (const row of tagged.toReversed()) {
      const name = nameOf(row)
      const seen = (now.get(name) ?? 0) + 1
      now.set(name, seen)
      if (seen > (this.#before?.get(name) ?? 0)) rows.push(row)
    }
    const full = this.#before !== undefined && newestFirst.length >= limit && rows.length === newestFirst.length
    this.#before = now
    return { rows, full }
  }
}

/** A print has no number of its own on the wire: two that are alike in everything are told apart by how many there are. */
function nameOf({ ts, expiry, strike, right, price, size, side, bid, ask }: TapePrint): string {
  return [ts, expiry, strike, right, price, size, side, bid, ask].join(' ')
}

/** Prints with premium and tags: one that others of its contract and side follow or precede closely is of a sweep. */
function rowsOf(newestFirst: readonly TapePrint[]): readonly TapeRow[] {
  const sweeps = new Set<TapePrint>()
  const open = new Map<string, TapePrint[]>()
  for (const print of newestFirst.toReversed()) {
    if (print.side === 'mid' || print.strike === undefined) continue
    const contract = `${print.expiry} ${print.strike} ${print.right}`
    const run = open.get(contract)
    if (run === undefined || !joins(print, run)) open.set(contract, [print])
    else {
      run.push(print)
      for (const each of run) sweeps.add(each)
    }
  }
  return newestFirst.map((print) => ({
    ...print,
    premium: cents(print.price * print.size * (print.strike === undefined ? 1 : CONTRACT_SIZE)),
    tags: [...(print.isBlock ? ['block' as const] : []), ...(sweeps.has(print) ? ['sweep' as const] : [])]
  }))
}

const cents = (usd: number) => Math.round(100 * usd) / 100

function joins({ ts, side }: TapePrint, run: readonly TapePrint[]): boolean {
  const [at, first, last] = [ts, run[0].ts, run.at(-1)!.ts].map(Date.parse)
  return run[0].side === side && at - last <= SWEEP_GAP && at - first <= SWEEP_SPAN
}

export function isShown({ size, premium, side, expiry, right }: TapeRow, filter: TapeFilter): boolean {
  return (
    size >= filter.minSize &&
    premium >= filter.minPremium &&
    (filter.side === undefined || side === filter.side) &&
    (filter.expiry === undefined || expiry === filter.expiry) &&
    (filter.right === undefined || right === filter.right)
  )
}

/** A line for a print: its time in UTC, contract, side, size, price, premium, tags. */
export function tapeLine(
  symbol: string,
  { ts, expiry, strike, right, side, size, price, premium, tags }: TapeRow
): string {
  const contract = strike === undefined ? symbol : `${symbol} ${expiry} ${level(strike)}${right}`
  const cells = [
    ts.slice(11, 23),
    contract.padEnd(symbol.length + 20),
    side.padEnd(4),
    count(size).padStart(7),
    price.toFixed(2).padStart(9),
    money(premium).padStart(14),
    tags.join(' ')
  ]
  return cells.join('  ').trimEnd()
}
