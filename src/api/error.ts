/**
 * Every error a client can meet, with its HTTP status and a message that says what to change. Codes are part of the
 * published API contract. An invalid parameter has the code `invalid_<parameter>` unless its endpoint names another
 * one.
 */
const catalogue = {
  invalid_at: [
    400,
    'at must be a New York moment, yyyy-MM-ddTHH:mm:ss or yyyy-MM-dd (16:00:00 of that day), without a zone or a fraction'
  ],
  invalid_expiration: [400, 'expiration must be a date, yyyy-MM-dd, or the word 0dte'],
  invalid_expirations: [
    400,
    'expirations must list dates or 0dte, dte_min and dte_max be whole days, expiry_type list kinds; without expiration'
  ],
  invalid_minutes: [400, 'minutes must list whole numbers of minutes'],
  invalid_weight: [400, 'weight must be oi, volume or effective, without another dealer_model'],
  invalid_expiry: [400, 'expiry must be a date, yyyy-MM-dd'],
  invalid_min_oi: [400, 'min_oi must be a whole number of contracts, 0 or more'],
  invalid_strike_range: [400, 'strike_range must be a number: a fraction of spot between 0.001 and 0.10'],
  invalid_strike: [400, 'strike must be a number above 0'],
  invalid_type: [400, 'type must be C, Call, P or Put'],
  invalid_parameter: [400, 'a parameter cannot be read'],
  unknown_parameter: [400, 'a parameter is unknown and so similar to a known one that it may be a typo'],
  invalid_input: [400, 'a pricing input is missing or out of range'],
  missing_symbols: [400, 'symbols must name at least one ticker, comma separated'],
  too_many_symbols: [400, 'symbols may name at most 50 different tickers'],
  invalid_weights: [400, 'weights must be numbers of 0 or more, comma separated, not all 0'],
  weight_count_mismatch: [400, 'weights must hold one number for each ticker in symbols'],
  missing_index: [400, 'index must name an index or ETF with listed options'],
  invalid_date: [400, 'date must be a date, yyyy-MM-dd, not in the future'],
  invalid_dist: [400, 'dist must be student_t or gaussian'],
  invalid_intent: [400, 'intent must be bullish, bearish or neutral'],
  invalid_structure: [400, 'structure must be block, sweep or single'],
  invalid_resolution: [400, 'resolution must be 1s, 1m, 5m, 15m, 30m, 1h or 4h'],
  invalid_bar: [400, 'bar must be 30s, 1m, 5m or 15m'],
  bar_unavailable: [400, 'strikes are recorded by the minute: bar must be 1m'],
  invalid_fields: [400, 'fields must name figures, comma separated'],
  invalid_from: [400, 'from must be a New York date or wall-clock moment, not after to'],
  invalid_to: [400, 'to must be a New York date or wall-clock moment'],
  invalid_every: [400, 'every must be a step that the operation offers, and coarse enough for the requested period'],
  invalid_side: [400, 'side must be all, calls or puts'],
  invalid_scope: [400, 'scope must be all, 0dte, next or rest'],
  invalid_measure: [400, 'measure must be delta, gamma or vega'],
  invalid_split: [400, 'split must be none, right, expiry or size'],
  invalid_metric: [400, 'metric names none of the figures that this operation offers'],
  invalid_format: [400, 'format must be json, csv, pine, pine6, line, thinkscript, ninjatrader or sierra'],
  invalid_rows: [400, 'rows must name rows that the answer has'],
  invalid_source: [400, 'source must be answers'],
  invalid_operation: [400, 'operation must be the id or the path of a GET operation about the market'],
  not_replayed: [400, 'this operation has no past moments'],
  invalid_symbols: [400, 'symbols must list 1 to 500 different tickers'],
  invalid_moments: [400, 'moments must be now, a list of New York moments, or from, to and every'],
  invalid_params: [400, 'params must be query parameters of the operation'],
  invalid_resume_from: [400, 'resume_from must be a group of the request'],
  too_many_groups: [400, 'symbols times moments are more than a response or a job may have'],
  invalid_as: [400, 'as must name another instrument on the same index'],
  invalid_sign_confidence: [400, 'sign_confidence must be a number from 0.5 to 1'],
  invalid_dealer_model: [400, 'dealer_model must be convention, all_short, index_overwriting, tape or open_close'],
  invalid_since: [400, 'since must be prior_close, open or a New York moment before that of the answer'],
  invalid_by: [400, 'by must be expiration or time'],
  invalid_range_pct: [400, 'range_pct must be a number: percent of the underlying price'],
  invalid_top: [400, 'top must be a whole number of rows'],
  invalid_points: [400, 'points must be a whole number of spots'],
  invalid_when: [400, 'when must be now, close or next_open'],
  invalid_vol_shift: [400, 'vol_shift must be a number of vol points'],
  invalid_mode: [400, 'mode must be raw or delta'],
  no_strike_data_for_window: [400, 'strikes were not recorded in this window'],
  empty_legs: [400, 'legs must hold at least one leg'],
  too_many_legs: [400, 'legs may hold at most 100 legs'],
  invalid_action: [400, 'action must be buy, sell, long or short'],
  invalid_premium: [400, 'premium must be a number of 0 or more'],
  invalid_quantity: [400, 'quantity must be a whole number of 1 or more'],
  invalid_iv: [400, 'impliedVol must be a number above 0, as a fraction (0.28 for 28 %)'],
  invalid_spot: [400, 'spot must be a number above 0'],
  invalid_today: [400, 'today must be a date, yyyy-MM-dd'],
  invalid_scenarios: [400, 'a scenario axis is empty, too long or out of range'],
  validation_error: [400, 'a part of the request is invalid'],
  formula_error: [400, 'a formula cannot be read; position says where, counted from 0'],
  invalid_body: [400, 'the body must be a JSON object of the documented shape'],
  invalid_webhook: [400, 'messages cannot be sent to this webhook address'],
  unauthorized: [401, 'a valid API key is needed in the X-Api-Key header, or as Authorization: Bearer'],
  tier_restricted: [403, 'a higher plan is needed'],
  cross_site: [403, 'this is for pages of this service only; the request comes from another origin'],
  embed_scope: [403, 'the token of an embedded panel works for its own symbol only'],
  symbol_not_found: [404, 'no data for this symbol'],
  no_data: [404, 'no options data in this scope'],
  no_snapshot: [404, 'there is no stored snapshot'],
  insufficient_data: [404, 'too few expirations have quotes to which a smile can be fitted'],
  insufficient_history: [404, 'too few daily bars'],
  index_not_found: [404, 'no data for this index'],
  no_index_iv: [404, 'the index has no at-the-money volatility'],
  no_vix: [404, 'the VIX is not quoted'],
  no_rv_data: [404, 'there are no daily bars of SPX'],
  no_quote: [404, 'no quote for this symbol'],
  no_match: [404, 'no listed contract matches'],
  no_options_data: [404, 'no options are listed for this symbol'],
  user_not_found: [404, 'there is no user with this id'],
  key_not_found: [404, 'there is no key with this id'],
  bundle_not_found: [404, 'the user has no streaming bundle'],
  doubt_not_found: [404, 'nothing is doubted about this symbol'],
  alert_not_found: [404, 'there is no alert with this id'],
  document_not_found: [404, 'nothing is kept under this name'],
  job_not_found: [404, 'there is no job of this user with this id, or it was kept no longer'],
  part_not_found: [404, 'the job has no such part, or not yet'],
  no_coverage: [404, 'nothing has been recorded for this symbol'],
  live_only: [404, 'this is available for the present only'],
  not_found: [404, 'no such path'],
  method_not_allowed: [405, 'this path does not support this method; the Allow header lists those that it supports'],
  request_timeout: [408, 'the request did not arrive in time'],
  bad_address: [400, 'the URL or the headers of the request cannot be read'],
  moved_to_replay_host: [404, 'this is answered by the replay host'],
  user_exists: [409, 'there is a user with this email already'],
  idempotency_conflict: [409, 'this Idempotency-Key belongs to another request'],
  alert_limit: [409, 'the plan allows no more alerts'],
  document_limit: [409, 'no more documents of this kind can be kept: remove one first'],
  document_changed: [409, 'it has changed since the state that If-Match names: read it again'],
  payload_too_large: [413, 'the body is too large'],
  uri_too_long: [414, 'the address is too long'],
  range_not_satisfiable: [416, 'the range lies behind the end of the file'],
  expectation_failed: [417, '100-continue is the only supported value of the Expect header'],
  misdirected: [
    421,
    'pages are not served under this name: use the address, or have the operator add the name to --allowed-hosts'
  ],
  iv_not_found: [422, 'no volatility gives this price'],
  upgrade_required: [426, 'a WebSocket handshake is needed'],
  connection_limit: [429, 'too many connections or handshakes'],
  quota_exceeded: [429, 'the daily quota is used up'],
  bulk_busy: [429, 'as many bulk responses or jobs are under way as the service allows'],
  too_many_requests: [
    429,
    'too many requests without a valid key from this address, or for symbols that are not loaded'
  ],
  upstream_unavailable: [502, 'trades, or the quotes to compare them with, are temporarily unavailable'],
  source_unavailable: [502, 'the data source does not respond and nothing is loaded for this symbol yet'],
  coming_soon: [503, 'announced but not available yet'],
  loading: [503, 'not ready yet; this request has started its preparation: try again shortly'],
  data_loading: [503, 'the data of this answer is still being loaded; try again after the time in Retry-After'],
  storage_unavailable: [503, 'the disk accepts no writes at the moment; nothing was changed'],
  no_room: [503, 'the files of bulk jobs fill the disk space that they may have'],
  history_off: [503, 'this service keeps no history'],
  draining: [503, 'the stream is not available now; try again shortly'],
  overloaded: [503, 'the service is busy; try again shortly'],
  history_damaged: [
    500,
    'files of the recorded history are damaged here; other symbols and days are answered as before'
  ],
  internal_error: [500, 'the answer could not be computed; the request id helps the operator find out why']
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof catalogue

export type ErrorDetail = Readonly<Record<string, string | number | null>>

/** An error whose code is listed in the catalogue above. Only `server/http/refusal.ts` turns it into a response. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: ErrorDetail
  /** Seconds after which a retry makes sense, sent in the header Retry-After. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, detail: ErrorDetail, retryAfter?: number) {
    // API errors are ordinary responses. A stack trace would cost more than the rest of the request.
    const depth = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = depth
    this.name = 'ApiError'
    this.code = code
    this.status = catalogue[code][0]
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

/**
 * Creates an error with a code of the catalogue. `message` replaces the catalogue's general message where a more
 * specific one is known.
 */
export function apiError(code: ErrorCode, message?: string, detail: ErrorDetail = {}, retryAfter?: number): ApiError {
  return new ApiError(code, message ?? catalogue[code][1], detail, retryAfter)
}

export function statusOf(code: ErrorCode): number {
  return catalogue[code][0]
}
