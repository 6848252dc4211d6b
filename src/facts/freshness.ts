// How old what is served may be, how long a request waits for something newer, and when data is loaded again. Every such
// time of the service stands here and nowhere else. All are in milliseconds, on the wall clock unless stated otherwise.

const SECOND = 1000
const MINUTE = 60 * SECOND

// A request

/** Default of the setting `request-deadline`: a client that gets nothing for longer has usually given up. */
export const REQUEST_DEADLINE = 30 * SECOND
/** `Retry-After` of a refusal that passes by itself, unless it knows better: most overloads last a second or two. */
export const RETRY_SHORTLY = 2 * SECOND
/** Maximum age of data by default plan, as the interface specification sells it ("Limits"). */
export const planAge = {
  free: 15 * MINUTE,
  basic: 15 * SECOND,
  growth: 15 * SECOND,
  alpha: SECOND,
  enterprise: SECOND
} as const

// The chains of the live market

/** How often the live market looks for what is due: a tenth of the strictest plan, so polling adds little age. */
export const POLL_EVERY = 100
/** Refresh interval of a symbol of the universe that nobody requests: as fresh as the free plan. */
export const WARM_EVERY = planAge.free
/** Minimum time for which a request counts as demand of its plan, so that a page that asks every minute keeps it. */
export const DEMAND_LASTS = MINUTE
/** How often members that serve tell collectors how fresh symbols are wanted: as often as the strictest plan renews. */
export const DEMAND_EVERY = SECOND
/** Symbols that are renewed at least this often take turns; the others are too rare to collide. */
export const TURNS_WITHIN = MINUTE
/**
 * How long a request waits for a symbol without a chain, from its load's start or in the queue for it: the longest
 * that a page feels alive.
 */
export const FIRST_CHAIN_WAIT = 3 * SECOND
/**
 * How long a request waits for a symbol that the whole list of the source lacks. With the wait for a recorded chain it stays
 * below that of a listed one, so that an unknown symbol is refused as soon even if the source hangs.
 */
export const UNLISTED_CHAIN_WAIT = 2 * SECOND
/**
 * How long a request waits for a newer chain, from the start of its load: fast sources answer within it, and a
 * hanging one delays nobody.
 */
export const NEWER_CHAIN_WAIT = 50
/**
 * How long an overdue chain serves while the timer gets to renew it; otherwise all requested symbols would be loaded
 * at once.
 */
export const OVERDUE_CHAIN_SERVES = 250
/**
 * How long a symbol that the source does not know stays unknown: listings change once a day, mistyped symbols come in
 * bursts.
 */
export const UNKNOWN_SYMBOL_FOR = 5 * MINUTE
/**
 * Pauses between attempts on a failing source, doubling: short for a hiccup, and two minutes cannot burden a source
 * that is down.
 */
export const sourcePauses = { first: SECOND, longest: 2 * MINUTE } as const
/** Longest pause that a source may ask for: a wrong Retry-After must not end a trading day. */
export const MAX_SOURCE_PAUSE = 60 * MINUTE
/** Time limit for one response of a source: beyond it the attempt has failed, so that it is made again. */
export const SOURCE_TIMEOUT = 20 * SECOND
/**
 * How long an answer waits for the close that its quality is compared with: the score without two checks beats a late
 * answer.
 */
export const PRIOR_CLOSE_WAIT = 50
/**
 * How long the first chain of a symbol waits for the snapshot it is judged by: archives answer within it, and a
 * request waits at most 3 s in all.
 */
export const LAST_RECORDED_WAIT = 250
/**
 * How long a request waits for the last recorded chain once the source has not answered in time: reading and pricing
 * one takes a tenth of it.
 */
export const RECORDED_CHAIN_WAIT = SECOND
/** The same wait for a symbol that the whole list of the source lacks, which almost never has been recorded. */
export const UNLISTED_RECORDED_WAIT = 500
/** How long a start waits until the engine has its first load, so that the first request finds it under way. */
export const FIRST_LOAD_WAIT = 100

/**
 * A chain that its source should have renewed is stale after this time at least, so that one slow load makes none
 * stale.
 */
export const STALE_MARGIN = 30 * SECOND
/** Intervals of the source by which a chain may be late before it is stale, beside the interval of its own renewal. */
export const STALE_INTERVALS = 3

// Dividends and rates, with which chains are priced

/** How long the first chain of a symbol waits for its dividends: an archive that is just starting takes longer. */
export const DIVIDENDS_WAIT = 250
/** How long the first chains of a session wait for the interest rates, so that they need not be priced twice. */
export const RATES_WAIT = 2 * SECOND

/**
 * A chain that was priced with other dividends or rates than are known now is loaded again after this, even if its source is
 * asked less often: a recording is asked once a day.
 */
export const REPRICED_WITHIN = MINUTE

// Whatever is kept by symbol

/**
 * Data that nobody has requested for this long is dropped: longer than any plan's pause between two requests for it.
 */
export const IDLE_AFTER = 15 * MINUTE
/** Default pause after a failed load of anything but a chain: it changes once a day, so a minute costs nothing. */
export const RETRY_AFTER_FAILURE = MINUTE
/**
 * Pause before the archive is asked again for the close that implies the rates of a session, while it has none: an import
 * may bring it at any time.
 */
export const RETRY_RATES = 20 * SECOND
/**
 * Pause before a past day is requested again that the source did not have yet: sources publish days late and all at
 * once.
 */
export const RETRY_WHEN_ABSENT = 5 * MINUTE
/** How long a loaded earnings calendar is used: results are published at any minute of the day. */
export const CALENDAR_SERVES = 5 * MINUTE
/**
 * Maximum age of the move that options imply for a report, market time: it moves with volatility, not with the tick.
 */
export const IMPLIED_MOVE_SERVES = 15 * MINUTE

// Tapes

/**
 * How long a request waits for a view that was never read. The newest part of a session is there within two seconds; a
 * request that needs the whole asks again.
 */
export const FIRST_VIEW_WAIT = 3 * SECOND
/** How long a refusal waits for how far a tape has been read: the thread that reads it answers between two steps. */
export const PROGRESS_WAIT = 500
/**
 * How long a request waits for a newer view than the one held: longer than reading a moved tape, too short to be
 * noticed.
 */
export const NEWER_VIEW_WAIT = 50
/** A view is read again after this time even if its tape stood still: time alone closes a group and silences a feed. */
export const VIEW_SERVES = SECOND
/** Pause before views of past sessions that could not be read are read again; those that were read never change. */
export const PAST_VIEWS_RETRY = MINUTE
/** How long tapes of past sessions are held after the last request for one: they are large, and the archive has them. */
export const PAST_TAPES_SERVE = 5 * MINUTE
/** Least time between two sums over all tapes on any plan: they cover minutes, and every tape is read for them. */
export const SUMS_SERVE = 30 * SECOND
/** Age that is good enough for the level of an index on any plan: indexes are published this often. */
export const INDEX_SERVES = 15 * SECOND
/** Maximum age of the chain behind a 0DTE sample unless the source is slower: half of the step between two samples. */
export const SAMPLED_CHAIN_AGE = 15 * SECOND
/**
 * A feed of prints without any message for this long during a session counts as silent: none pauses so long by
 * itself.
 */
export const FEED_SILENT_AFTER = MINUTE
/** How often moved tapes are announced: as often as chains are looked for. */
export const TAPES_PUBLISH_EVERY = 100

// The screener

/** How long rows are renewed after the last request of the screener: as other data is kept that nobody requests. */
export const SCREENER_SERVES = IDLE_AFTER
/** How long the first request after a pause waits for rows, as for the first chain of a symbol. */
export const FIRST_ROWS_WAIT = FIRST_CHAIN_WAIT
/** How long a row waits for its data: what is later goes into the next row. */
export const ROW_INPUTS_WAIT = 2 * SECOND
/** Least time between two renewals of a row that only update its flow: prints arrive many times a second. */
export const ROW_FLOW_SERVES = 15 * SECOND
/** How long stored records serve a row: another program may write them into the archive. */
export const STORED_RECORDS_SERVE = 5 * MINUTE

// Answers and the stream

/**
 * How long an answer is sent after a chain behind it was replaced, and how long its renewal may wait its turn: not
 * noticed, and longer than most renewals take.
 */
export const OUTGOING_ANSWER_SERVES = 250
/**
 * Longest time between two requests of a streamed query while the market moves: a second of age is the strictest
 * plan's.
 */
export const STREAM_GAP = SECOND
/** How long rates, dividends and closes read for the past are used: an import may bring what was missing. */
export const PAST_INPUTS_SERVE = MINUTE
