import { grouped, level, money } from '../../wording/format.ts'

/** A print (reported trade) as the service returns it. Expiry, strike and right are absent for trades of the stock. */
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
  /** Price times size in USD; for options also times 100. */
  readonly premium: number
  readonly tags: readonly ('block' | 'sweep')[]
}

export interface TapeFilter {
  readonly minSize: number
  /** Smallest premium to show, USD. */
  readonly minPremium: number
  readonly side: TapePrint['side'] | undefined
  readonly expiry: string | undefined
  readonly right: 'C' | 'P' | undefined
}

const CONTRACT_SIZE = 100
/** A sweep has at most this time between two prints, and lasts at most this long, milliseconds. */
const SWEEP_GAP = 500
const SWEEP_SPAN = 2000

/**
 * Each response holds the newest prints, so two in succession share most of them. This class finds those that are new.
 */
export class NewPrints {
  /** How many times each print occurred in the previous response, by the key that `identityOf` makes. */
  #before: ReadonlyMap<string, number> | undefined

  /**
   * Returns the prints that were not in the previous response, oldest first; for the first response all of them. `full`
   * means that the response held the maximum number of prints and none of the previous response, so prints in between
   * may be missing.
   */
  select(
    newestFirst: readonly TapePrint[],
    limit: number
  ): { readonly rows: readonly TaggedPrint[]; readonly full: boolean } {
    const tagged = rowsOf(newestFirst)
    const now = new Map<string, number>()
    const rows: TaggedPrint[] = []
    // If several prints are identical, the oldest of them were already in the previous response.
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
 * Makes a key from the fields of a print, because prints have no id. Identical prints get the same key and are counted.
 */
function identityOf({ ts, expiry, strike, right, price, size, side, bid, ask }: TapePrint): string {
  return [ts, expiry, strike, right, price, size, side, bid, ask].join(' ')
}

/** Adds premium and tags to prints. Prints of one contract and side in quick succession are tagged as a sweep. */
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

/** Formats a print as one line of text: time in UTC, contract, side, size, price, premium, tags. */
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
