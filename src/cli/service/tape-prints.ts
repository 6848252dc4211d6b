import { grouped, level, money } from '../../wording/format.ts'

/** A print in the service's response; expiry, strike and right are absent for prints of the stock itself. */
export interface TapePrint {
  /** Time of the print, ISO 8601 in UTC. */
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

export interface TaggedPrint extends TapePrint {
  /** USD: price times size, times 100 for options. */
  readonly premium: number
  readonly tags: readonly ('block' | 'sweep')[]
}

export interface TapeFilter {
  readonly minSize: number
  /** USD. */
  readonly minPremium: number
  readonly side: TapePrint['side'] | undefined
  readonly expiry: string | undefined
  readonly right: 'C' | 'P' | undefined
}

const CONTRACT_SIZE = 100
/** Longest time between two prints of a sweep, and longest duration of a sweep, milliseconds. */
const SWEEP_GAP = 500
const SWEEP_SPAN = 2000

/** Finds the new prints in successive responses, each of which holds the newest prints. */
export class NewPrints {
  /** Number of identical prints in the previous response, by the key of `identityOf`. */
  #before: ReadonlyMap<string, number> | undefined

  /**
   * Prints that were not in the previous response, oldest first; all prints of the first response. `full` means that
   * the response was full and shared no print with the previous one, so prints in between may be missing.
   */
  select(
    newestFirst: readonly TapePrint[],
    limit: number
  ): { readonly rows: readonly TaggedPrint[]; readonly full: boolean } {
    const tagged = rowsOf(newestFirst)
    const now = new Map<string, number>()
    const rows: TaggedPrint[] = []
    // If prints are identical, the oldest were already in the previous response.
    for (const row of tagged.toReversed()) {
      const name = identityOf(row)
      const seen = (now.get(name) ?? 0) + 1
      now.set(name, seen)
      if (seen > (this.#before?.get(name) ?? 0)) rows.push(row)
    }
    const full = this.#before !== undefined && newestFirst.length >= limit && rows.length === newestFirst.length
    this.#before = now
    return { rows, full }
  }
}

/**
 * Key of a print made from its fields, because responses give prints no id. Identical prints share a key and are
 * counted.
 */
function identityOf({ ts, expiry, strike, right, price, size, side, bid, ask }: TapePrint): string {
  return [ts, expiry, strike, right, price, size, side, bid, ask].join(' ')
}

/** Adds premium and tags to prints: prints of one contract and side in quick succession form a sweep. */
function rowsOf(newestFirst: readonly TapePrint[]): readonly TaggedPrint[] {
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

export function isShown({ size, premium, side, expiry, right }: TaggedPrint, filter: TapeFilter): boolean {
  return (
    size >= filter.minSize &&
    premium >= filter.minPremium &&
    (filter.side === undefined || side === filter.side) &&
    (filter.expiry === undefined || expiry === filter.expiry) &&
    (filter.right === undefined || right === filter.right)
  )
}

/** One line of text for a print: time in UTC, contract, side, size, price, premium, tags. */
export function tapeLine(
  symbol: string,
  { ts, expiry, strike, right, side, size, price, premium, tags }: TaggedPrint
): string {
  const contract = strike === undefined ? symbol : `${symbol} ${expiry} ${level(strike)}${right}`
  const cells = [
    ts.slice(11, 23),
    contract.padEnd(symbol.length + 20),
    side.padEnd(4),
    grouped(size).padStart(7),
    price.toFixed(2).padStart(9),
    money(premium).padStart(14),
    tags.join(' ')
  ]
  return cells.join('  ').trimEnd()
}
