import { DAYS_OF_BARS } from '../../../market/bar.ts'
import { addDays, completedSession, latestSession } from '../../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../../market/eastern.ts'
import type { PayloadMoment } from '../../../market/payload-moment.ts'
import { type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../../market/units.ts'
import type { Connector } from '../../port/connector.ts'
import { allOrAbort } from '../../port/http/all-or-abort.ts'
import { MAX_LISTINGS, NewestMap } from '../../port/newest-map.ts'
import { readingOf, SourceError } from '../../port/source-error.ts'
import { isAtAlpaca } from '../alpaca-account.ts'
import type { AlpacaRequest, AlpacaRest } from '../alpaca-rest.ts'
import { alpacaDailyBar, fetchAlpacaBars } from './alpaca-bars.ts'
import { mapAlpacaChain, momentOfAlpacaChain } from './alpaca-chain.ts'
import { AlpacaListings } from './alpaca-contracts.ts'
import { type AlpacaSnapshotRow, readSnapshots } from './alpaca-snapshot.ts'
import { type AlpacaShare, type AlpacaUnderlying, alpacaUnderlyingAt, readShare } from './alpaca-underlying.ts'

/** Names of the option and stock feeds. Both are sent with every request, because defaults differ between accounts. */
export interface AlpacaFeeds {
  /** Option feed: `indicative` or `opra`. */
  readonly options: string
  /** Stock feed: `iex`, `delayed_sip` or `sip`. */
  readonly stocks: string
}

/**
 * Age from which trades of all exchanges are free, milliseconds: the vendor's 15 minutes, and one minute in reserve.
 */
const FREE_AFTER = 16 * MILLISECONDS_PER_MINUTE
/** How far back to search for a stock's newest trade, milliseconds. */
const QUIET_FOR = 15 * MILLISECONDS_PER_MINUTE

/** Request for the snapshots of a symbol's options that expire on or after `session`, 1,000 per page. */
export function snapshotRequest(symbol: Ticker, feed: string, session: IsoDate): AlpacaRequest {
  const path = `/v1beta1/options/snapshots/${encodeURIComponent(symbol)}`
  return { of: 'data', path, query: { feed, limit: '1000', expiration_date_gte: session } }
}

export function alpacaChains(rest: AlpacaRest, feeds: AlpacaFeeds): Pick<Connector, 'chain' | 'dailyBars'> {
  const listings = new AlpacaListings(rest)
  /**
   * Number of pages in each symbol's previous load. The next load reserves as many requests at once, so that all its
   * pages are from about the same moment.
   */
  const pageCounts = new NewestMap<Ticker, number>(MAX_LISTINGS)

  async function fetchRows(symbol: Ticker, session: IsoDate, places: number, signal: AbortSignal) {
    const rows: AlpacaSnapshotRow[] = []
    let pages = 0
    for await (const page of rest.pages(snapshotRequest(symbol, feeds.options, session), signal, places)) {
      pages++
      for (const row of readSnapshots(page)) rows.push(row)
    }
    pageCounts.set(symbol, pages)
    return rows
  }

  async function fetchShare(symbol: Ticker, signal: AbortSignal): Promise<AlpacaShare | undefined> {
    const path = `/v2/stocks/${encodeURIComponent(symbol)}/snapshot`
    const answer = await rest.answer({ of: 'data', path, query: { feed: feeds.stocks } }, signal, 1)
    return answer && readShare(answer)
  }

  /** Last price of a stock before a moment, from minute bars; the stock's snapshot holds only newer prices. */
  async function earlierPrice(
    symbol: Ticker,
    { asOf, completed }: PayloadMoment,
    signal: AbortSignal
  ): Promise<AlpacaUnderlying> {
    const to = completed?.close ?? asOf
    const bars = await fetchAlpacaBars(
      rest,
      { symbol, timeframe: '1Min', from: to - QUIET_FOR, to: to - 1, feed: feeds.stocks },
      signal
    )
    const spot = bars.filter(({ begin }) => begin + MILLISECONDS_PER_MINUTE <= to).at(-1)?.close
    if (spot === undefined || !(spot > 0)) {
      throw new SourceError(
        'unavailable',
        `Alpaca has no price of ${symbol} as old as its options: see --alpaca-stocks`
      )
    }
    return { spot, bid: undefined, ask: undefined, time: to }
  }

  return {
    async chain(symbol, now, signal, check) {
      if (!isAtAlpaca(symbol)) return undefined
      const begun = performance.now()
      const terms = await listings.of(symbol, now, signal)
      // One of the reserved requests is for the stock's snapshot. Pages beyond the reserved ones wait for the budget
      // one by one.
      const places = Math.min((pageCounts.get(symbol) ?? 1) + 1, rest.budget.room)
      await rest.budget.turn(signal, places)
      const fetched = Math.floor(now + performance.now() - begun)
      const [rows, share] = await allOrAbort(signal, (either) => [
        fetchRows(symbol, latestSession(now).date, places - 1, either),
        fetchShare(symbol, either)
      ])
      if (rows.length === 0) return undefined
      if (share === undefined)
        throw new SourceError('unavailable', `Alpaca has options of ${symbol}, and no price of it`)
      const answered = { symbol, rows, terms, share, fetched }
      const payload = Buffer.from(JSON.stringify({ share, rows }))
      const moment = readingOf(payload, () => momentOfAlpacaChain(answered))
      const underlying =
        alpacaUnderlyingAt(share, moment, feeds.stocks !== 'iex') ?? (await earlierPrice(symbol, moment, signal))
      const { chain, reading } = readingOf(payload, () => mapAlpacaChain(answered, moment, underlying))
      check?.(chain, { payload, reading })
      return chain
    },
    async dailyBars(symbol, now, signal) {
      if (!isAtAlpaca(symbol)) return []
      const from = instantOfEastern(addDays(easternDate(now), -DAYS_OF_BARS), 0)
      const bars = await fetchAlpacaBars(
        rest,
        { symbol, timeframe: '1Day', from, to: now - FREE_AFTER, feed: 'sip' },
        signal
      )
      const last = completedSession(now).date
      return bars.map(alpacaDailyBar).filter(({ date }) => date <= last)
    }
  }
}
