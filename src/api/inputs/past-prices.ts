import type { MinuteBuckets } from '../../flow/tape-views.ts'
import type { DailyBar } from '../../market/bar.ts'
import { latestSession } from '../../market/calendar.ts'
import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { FigureColumns, FigureRequest } from '../../market/figure-row.ts'
import type { MinutePrices } from '../../market/minute-prices.ts'
import { parentOfRoot } from '../../market/security.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import { ApiError, apiError } from '../error.ts'
import type { Input, SubjectContext } from './input.ts'
import { ifReadable, together } from './market-reader.ts'
import { nothingKnown } from './symbol-chain.ts'

/** Which prices over time an answer needs, and figures beside them. */
export interface PricesRequest {
  readonly figures: Omit<FigureRequest, 'symbol'>
  /** First and last date of the daily bars; undefined if none are needed. */
  readonly days: { readonly from: IsoDate; readonly to: IsoDate } | undefined
  /** Period of the stock prints, both ends included. */
  readonly prints: { readonly from: Instant; readonly to: Instant }
}

/** Prices of a symbol over time from every source that has some, as known at one moment. */
export interface PastPrices {
  /** The moment that the response describes. */
  readonly asOf: Instant
  /** Current quote of the underlying; undefined if there is none. */
  readonly quote: ChainHeader | undefined
  /** Daily bars of completed sessions, ascending. */
  readonly days: readonly DailyBar[]
  /** Figures of recorded snapshots; undefined if the service keeps no history. */
  readonly figures: FigureColumns | undefined
  /** Stock prints by minute, one view for each session that has a tape, ascending. */
  readonly prints: readonly MinuteBuckets[]
  /** Minute prices of a market that makes its prices up, by session, ascending; empty for every other market. */
  readonly generated: readonly MinutePrices[]
}

/** Prices as they were found, with the whole list that the daily bars are from: its version is the version of the bars. */
interface FoundPrices extends PastPrices {
  readonly listed: readonly DailyBar[]
  /** Set while the prints are being read: then nothing found is no proof that there is nothing. */
  readonly loading: ApiError | undefined
}

/** Prices over the period that the endpoint declares. A symbol of which nothing is known is refused. */
export const pastPrices: Input<PastPrices, FoundPrices> = {
  kind: 'market',
  moves: true,
  subject: 'underlying',
  find(context) {
    const { symbols, market, request, underlying, endpoint, params } = context
    const symbol = parentOfRoot(symbols[0]) ?? symbols[0]
    const asOf = underlying?.asOf ?? market.clock(MILLISECONDS_PER_MINUTE)
    const asked = endpoint.pricesRead!(params as never, { asOf, now: request.source.now() })
    const read: { -readonly [Name in 'listed' | 'figures' | 'generated' | 'prints' | 'loading']?: FoundPrices[Name] } =
      {}
    together(
      [
        () => (read.listed = market.bars(symbol)),
        () => (read.figures = market.figures({ symbol, ...asked.figures })),
        () => (read.generated = market.minutePrices({ symbol, ...asked.prints })),
        () => {
          // A market that makes its prices up tells each minute without reading a tape.
          if (read.generated?.length === 0) Object.assign(read, printsWithin(symbol, asked, context))
        }
      ],
      (part) => part()
    )
    const [listed, generated] = [read.listed!, read.generated!]
    const { prints = [] } = read
    const quote = underlying && headerOf(underlying)
    const { figures, loading } = read
    return { asOf, quote, listed, days: daysWithin(listed, asked), figures, prints, generated, loading }
  },
  value: ({ listed: _, loading: __, ...prices }) => prices,
  version: ({ asOf, listed, figures, prints, generated }) =>
    [asOf, ...[listed, figures, generated, ...prints].map((part) => part && versionOf(part))].join(' '),
  dates: ({ quote }) => (quote === undefined ? [] : [quote]),
  refuse({ days, figures, prints, generated, quote, loading }, context) {
    if (days.length > 0 || prints.length > 0 || generated.length > 0 || (figures !== undefined && figures.t.length > 0))
      return
    if (loading !== undefined) throw loading
    const [symbol] = context.symbols
    if (quote === undefined && context.market.bars(symbol).length === 0) throw nothingKnown(context)
    const isWaiting = figures !== undefined && figures.waiting.length > 0
    throw apiError(
      'no_data',
      isWaiting
        ? `the figures of ${symbol} wait to be made of what was recorded: try again later`
        : `nothing is known of ${symbol} in this stretch of time`
    )
  },
  errors: ({ absent }) => [...absent, 'no_data', 'data_loading'],
  symbol: ({ quote }) => quote?.symbol
}

function daysWithin(all: readonly DailyBar[], { days }: PricesRequest): readonly DailyBar[] {
  return days === undefined ? [] : all.filter(({ date }) => date >= days.from && date <= days.to)
}

/** Minutes of every session of the period that has a tape of stock prints. Prints inferred from volumes are no prices. */
function printsWithin(
  symbol: Ticker,
  { prints: { from, to } }: PricesRequest,
  { market, request: { maxAge, source } }: SubjectContext
): Pick<FoundPrices, 'prints' | 'loading'> {
  const asked = { symbol, kind: 'stock', view: 'minutes' } as const
  const [first, last] = [easternDate(from), easternDate(to)]
  const { date } = latestSession(source.now())
  const isLoading = ({ code }: ApiError) => code === 'data_loading'
  let loading: ApiError | undefined
  const present = () => {
    try {
      return ifReadable(() => market.view(asked, maxAge), isLoading) as MinuteBuckets | undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      loading = error
      return undefined
    }
  }
  const past = first < date ? ifReadable(() => market.pastViews({ ...asked, to }, from)) : undefined
  const views = [...((past ?? []) as readonly MinuteBuckets[]), last < date ? undefined : present()]
  const prints = views
    .filter((view) => view !== undefined)
    .filter(({ session, source: origin }) => origin !== 'inferred' && session >= first && session <= last)
  return { prints, loading }
}
