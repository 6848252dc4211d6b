// What every endpoint takes and answers, made from the declarations; a test keeps it up to date, and makes it anew with:
// npx vitest run test/client/endpoint-types.test.ts -u

/** Every endpoint by its path. Units and meanings stand at the fields; null is a figure that does not exist. */
export interface Endpoints {
  /** Option quotes with greeks */
  '/optionquote/{ticker}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly ticker: string
      /** a date, yyyy-MM-dd */
      readonly expiry?: string | undefined
      /** a number above 0 */
      readonly strike?: number | undefined
      /** C, Call, P or Put, in any case */
      readonly type?: 'c' | 'call' | 'p' | 'put' | undefined
    }
    readonly body: undefined
    readonly answer: Optionquote
  }
  /** Latest stock quote */
  '/stockquote/{ticker}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly ticker: string
    }
    readonly body: undefined
    readonly answer: Stockquote
  }
  /** Plan and quota of the caller */
  '/v1/account': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Account
  }
  /** Fitted smiles, forwards, variance surface, arbitrage flags, variance swaps and grids of higher greeks */
  '/v1/adv_volatility/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: AdvVolatility
  }
  /** Bars of prices over time, with figures at the end of each */
  '/v1/bars/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** length of a bar, counted from the open of its session; 1d a session, 1w a calendar week */
      readonly every?: '1m' | '5m' | '15m' | '30m' | '1h' | '1d' | '1w' | undefined
      /** a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: bars that begin then or later; without it the open of the last session, for 1d a year and for 1w three before to */
      readonly from?: string | undefined
      /** a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: bars that begin then or earlier; without it as_of */
      readonly to?: string | undefined
      /** names of figures, comma separated, in the order wanted */
      readonly fields?: string | undefined
    }
    readonly body: undefined
    readonly answer: Bars
  }
  /** Implied and realized correlation of an index with a basket */
  '/v1/dispersion': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: an index or ETF with listed options */
      readonly index: string
      /** comma-separated tickers, at most 50 different ones */
      readonly symbols: string
      /** comma-separated numbers of 0 or more */
      readonly weights?: string | undefined
      /** a whole number of trading days, 5 to 252 (values outside are moved to the nearest bound) */
      readonly horizon_days?: number | undefined
    }
    readonly body: undefined
    readonly answer: Dispersion
  }
  /** Upcoming reports */
  '/v1/earnings/calendar': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** how far ahead (values outside are moved to the nearest bound) */
      readonly days?: number | undefined
      /** tickers, comma separated, any case; without it all */
      readonly symbols?: string | undefined
      /** the minimum importance, 1 to 5; default: all */
      readonly importance?: number | undefined
    }
    readonly body: undefined
    readonly answer: EarningsCalendar
  }
  /** Dealer exposure around the next report */
  '/v1/earnings/dealer-positioning/{symbol}': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: EarningsDealerPositioning
  }
  /** Implied move of the next report, split into the report and everyday trading */
  '/v1/earnings/expected-move/{symbol}': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: EarningsExpectedMove
  }
  /** Past reports: surprises, moves and the fall in volatility */
  '/v1/earnings/history/{symbol}': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** reports at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
    }
    readonly body: undefined
    readonly answer: EarningsHistory
  }
  /** The fall in volatility priced for the next report, and at past ones */
  '/v1/earnings/iv-crush/{symbol}': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: EarningsIvCrush
  }
  /** Upcoming reports, ranked */
  '/v1/earnings/screener': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** vrp_richest, cheapest_move, highest_crush or importance; anything else means the first */
      readonly sort?: 'vrp_richest' | 'cheapest_move' | 'highest_crush' | 'importance' | undefined
      /** reports at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
      /** how far ahead (values outside are moved to the nearest bound) */
      readonly days?: number | undefined
      /** the minimum importance, 1 to 5; default: all */
      readonly min_importance?: number | undefined
    }
    readonly body: undefined
    readonly answer: EarningsScreener
  }
  /** How well common structures suit the next report */
  '/v1/earnings/strategies/{symbol}': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: EarningsStrategies
  }
  /** Implied move of the next report against the moves at past ones */
  '/v1/earnings/vrp/{symbol}': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: EarningsVrp
  }
  /** One standard deviation to each expiration */
  '/v1/expected-move/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: all expirations */
      readonly expiry?: string | undefined
      /** a date, yyyy-MM-dd: another name of expiry */
      readonly expiration?: string | undefined
    }
    readonly body: undefined
    readonly answer: ExpectedMove
  }
  /** Why a net exposure changed */
  '/v1/exposure/attribution/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** prior_close, open, or a New York moment, yyyy-MM-ddTHH:mm or yyyy-MM-ddTHH:mm:ss */
      readonly since?: string | undefined
    }
    readonly body: undefined
    readonly answer: ExposureAttribution
  }
  /** How certain the net exposures and levels are */
  '/v1/exposure/bands/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** a number: the probability that the conventional side of a contract is right (values outside are moved to the nearest bound) */
      readonly sign_confidence?: number | undefined
    }
    readonly body: undefined
    readonly answer: ExposureBands
  }
  /** Weighted exposure of several symbols */
  '/v1/exposure/basket': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** comma-separated tickers, at most 50 different ones */
      readonly symbols: string
      /** comma-separated numbers of 0 or more */
      readonly weights?: string | undefined
    }
    readonly body: undefined
    readonly answer: ExposureBasket
  }
  /** Largest changes of net gamma by strike over the last minutes */
  '/v1/exposure/changes/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a list of 1 to 5 whole numbers from 1 to 30, comma separated: how far back each window reaches */
      readonly minutes?: string | undefined
      /** a whole number of strikes of each window (values outside are moved to the nearest bound) */
      readonly top?: number | undefined
    }
    readonly body: undefined
    readonly answer: ExposureChanges
  }
  /** Key levels in the form that charting programs read */
  '/v1/exposure/chart-levels/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** json, csv, pine, pine6, line, thinkscript, ninjatrader, sierra */
      readonly format?: 'json' | 'csv' | 'pine' | 'pine6' | 'line' | 'thinkscript' | 'ninjatrader' | 'sierra' | undefined
      /** another instrument on the same index: an index, a fund or a future */
      readonly as?: string | undefined
    }
    readonly body: undefined
    readonly answer: ExposureChartLevels
  }
  /** Charm exposure by strike */
  '/v1/exposure/chex/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
      /** oi, volume, effective: the contracts that are counted; oi without it */
      readonly weight?: 'oi' | 'volume' | 'effective' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureChex
  }
  /** Delta exposure by strike */
  '/v1/exposure/dex/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
      /** oi, volume, effective: the contracts that are counted; oi without it */
      readonly weight?: 'oi' | 'volume' | 'effective' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureDex
  }
  /** What a number is based on */
  '/v1/exposure/explain/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** net_gex, net_dex, net_vex, net_chex, gamma_flip, call_wall, put_wall, magnet, max_pain */
      readonly metric?: 'net_gex' | 'net_dex' | 'net_vex' | 'net_chex' | 'gamma_flip' | 'call_wall' | 'put_wall' | 'magnet' | 'max_pain' | undefined
      /** a whole number of rows of each list (values outside are moved to the nearest bound) */
      readonly top?: number | undefined
    }
    readonly body: undefined
    readonly answer: ExposureExplain
  }
  /** Gamma exposure by strike */
  '/v1/exposure/gex/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** a whole number of contracts, 0 or more: strikes with less open interest, calls and puts together, are dropped */
      readonly min_oi?: number | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
      /** oi, volume, effective: the contracts that are counted; oi without it */
      readonly weight?: 'oi' | 'volume' | 'effective' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureGex
  }
  /** Speed, zomma and vomma exposure by strike */
  '/v1/exposure/higher/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
      /** oi, volume, effective: the contracts that are counted; oi without it */
      readonly weight?: 'oi' | 'volume' | 'effective' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureHigher
  }
  /** Daily exposure snapshots (announced but not available yet) */
  '/v1/exposure/history/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** look-back in days, 1 to 365 */
      readonly days?: string | undefined
    }
    readonly body: undefined
    readonly answer: ExposureHistory
  }
  /** Key levels derived from exposure */
  '/v1/exposure/levels/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureLevels
  }
  /** One exposure by strike and expiration, or by strike and time */
  '/v1/exposure/matrix/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** gex, dex, vex, chex, oi, oi_change, volume */
      readonly metric?: 'gex' | 'dex' | 'vex' | 'chex' | 'oi' | 'oi_change' | 'volume' | undefined
      /** expiration or time */
      readonly by?: 'expiration' | 'time' | undefined
      /** a number: strikes so near to the underlying price, percent (values outside are moved to the nearest bound) */
      readonly range_pct?: number | undefined
      /** 1m, 5m, 15m, 30m or 1h: how close the columns are, by time only */
      readonly every?: '1m' | '5m' | '15m' | '30m' | '1h' | undefined
      /** a date, yyyy-MM-dd, not in the future: the first session of a matrix by time; without it date alone */
      readonly from?: string | undefined
      /** a date, yyyy-MM-dd, not in the future: the last session of a matrix by time */
      readonly date?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureMatrix
  }
  /** The same exposures under other assumptions about who holds what */
  '/v1/exposure/models/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
    }
    readonly body: undefined
    readonly answer: ExposureModels
  }
  /** The exposure picture in sentences, with the numbers behind them */
  '/v1/exposure/narrative/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: ExposureNarrative
  }
  /** Open-interest change against the previous trading day */
  '/v1/exposure/oi-diff/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a whole number of rows to return (values outside are moved to the nearest bound) */
      readonly topN?: number | undefined
    }
    readonly body: undefined
    readonly answer: ExposureOiDiff
  }
  /** Net exposures over a range of spots, now and later */
  '/v1/exposure/profile/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** a number: how far the spots reach to both sides, percent (values outside are moved to the nearest bound) */
      readonly range_pct?: number | undefined
      /** a whole number of spots, an even one raised by one (values outside are moved to the nearest bound) */
      readonly points?: number | undefined
      /** now, close or next_open: the moment that the clock is moved to, the chain otherwise unchanged */
      readonly when?: 'now' | 'close' | 'next_open' | undefined
      /** a number of vol points, added to every volatility (values outside are moved to the nearest bound) */
      readonly vol_shift?: number | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
      /** oi, volume, effective: the contracts that are counted; oi without it */
      readonly weight?: 'oi' | 'volume' | 'effective' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureProfile
  }
  /** All exposures per strike in one table, with totals, inflection strike and gamma peaks */
  '/v1/exposure/sheet/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** a whole number of contracts, 0 or more: strikes with less open interest, calls and puts together, are dropped */
      readonly min_oi?: number | undefined
    }
    readonly body: undefined
    readonly answer: ExposureSheet
  }
  /** Net exposures, regime and hedging estimate of the full chain */
  '/v1/exposure/summary/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureSummary
  }
  /** Exposure by time to expiry */
  '/v1/exposure/term-structure/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: ExposureTermStructure
  }
  /** Vanna exposure by strike */
  '/v1/exposure/vex/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
      /** oi, volume, effective: the contracts that are counted; oi without it */
      readonly weight?: 'oi' | 'volume' | 'effective' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureVex
  }
  /** Same-day expiration analytics */
  '/v1/exposure/zero-dte/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a number: half-width of strikes[] as a fraction of spot (values outside are moved to the nearest bound) */
      readonly strike_range?: number | undefined
      /** a date, yyyy-MM-dd: another expiration than today */
      readonly expiry?: string | undefined
      /** convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it */
      readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close' | undefined
    }
    readonly body: undefined
    readonly answer: ExposureZeroDte
  }
  /** Dealer exposure on settled and on currently estimated positions, with the shift between them */
  '/v1/flow/dealer-risk/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowDealerRisk
  }
  /** Delta exposure by strike on currently estimated positions */
  '/v1/flow/dex/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowDex
  }
  /** Gamma exposure by strike on currently estimated positions */
  '/v1/flow/gex/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowGex
  }
  /** Estimated hedging pressure of all expirations, by bar and since the open */
  '/v1/flow/hedge-flow/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** the size of a bar: 30s, 1m, 5m or 15m */
      readonly bar?: '30s' | '1m' | '5m' | '15m' | undefined
      /** minutes of the window, which ends now or with the session (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
      /** all expirations, those of the day (0dte), the next one, or the rest */
      readonly scope?: 'all' | '0dte' | 'next' | 'rest' | undefined
      /** delta, gamma or vega */
      readonly measure?: 'delta' | 'gamma' | 'vega' | undefined
      /** none, by right (calls, puts), by expiry (0dte, next, rest), or by size of print (small, medium, large) */
      readonly split?: 'none' | 'right' | 'expiry' | 'size' | undefined
    }
    readonly body: undefined
    readonly answer: FlowHedgeFlow
  }
  /** Gamma flip, walls and max pain on currently estimated positions */
  '/v1/flow/levels/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowLevels
  }
  /** All headline figures on currently estimated positions in one answer */
  '/v1/flow/live/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowLive
  }
  /** Official open interest, and the estimate after the session's flow */
  '/v1/flow/oi/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowOi
  }
  /** Underlyings with the most net option money */
  '/v1/flow/options/leaderboard': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** symbols at most on each side (values outside are moved to the nearest bound) */
      readonly n?: number | undefined
      /** minutes of the window (values outside are moved to the nearest bound) */
      readonly windowMinutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsLeaderboard
  }
  /** Most one-sided option flow across symbols */
  '/v1/flow/options/outliers': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** symbols at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
      /** prints that a symbol has in the window at least (values outside are moved to the nearest bound) */
      readonly minTrades?: number | undefined
      /** minutes of the window (values outside are moved to the nearest bound) */
      readonly windowMinutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsOutliers
  }
  /** Large option prints */
  '/v1/flow/options/{symbol}/blocks': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
      /** contracts that a print has at least (values outside are moved to the nearest bound) */
      readonly minSize?: number | undefined
      /** rows at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsBlocks
  }
  /** Cumulative net option volume over the window, oldest first */
  '/v1/flow/options/{symbol}/cumulative': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
      /** minutes of the window, the current one included (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsCumulative
  }
  /** Net premium dealers paid or wrote over the whole tape */
  '/v1/flow/options/{symbol}/dealer-premium': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
      /** minutes of the window, the current one included (values outside are moved to the nearest bound) */
      readonly windowMinutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsDealerPremium
  }
  /** Minute buckets of the option tape, newest first */
  '/v1/flow/options/{symbol}/history': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
      /** minutes of the window, the current one included (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsHistory
  }
  /** Newest option prints of an underlying */
  '/v1/flow/options/{symbol}/recent': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
      /** rows at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsRecent
  }
  /** Session totals of the option tape */
  '/v1/flow/options/{symbol}/summary': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowOptionsSummary
  }
  /** Pin score on currently estimated positions, with the strike that pulls and its four parts */
  '/v1/flow/pin-risk/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowPinRisk
  }
  /** Large option prints and sweeps, scored */
  '/v1/flow/signals/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a whole number: the minimum score (values outside are moved to the nearest bound) */
      readonly minScore?: number | undefined
      /** bullish, bearish or neutral */
      readonly intent?: 'bullish' | 'bearish' | 'neutral' | undefined
      /** block, sweep or single, which is the structure of none */
      readonly structure?: 'block' | 'sweep' | 'single' | undefined
      /** a whole number of minutes, closed hours included: how far before the current minute the feed begins (values outside are moved to the nearest bound) */
      readonly windowMinutes?: number | undefined
      /** a whole number of signals (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowSignals
  }
  /** Premium of the scored prints by its likely intent */
  '/v1/flow/signals/{symbol}/summary': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a whole number of minutes, closed hours included: how far before the current minute the feed begins (values outside are moved to the nearest bound) */
      readonly windowMinutes?: number | undefined
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowSignalsSummary
  }
  /** Stocks with the most net money */
  '/v1/flow/stocks/leaderboard': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** symbols at most on each side (values outside are moved to the nearest bound) */
      readonly n?: number | undefined
      /** minutes of the window (values outside are moved to the nearest bound) */
      readonly windowMinutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowStocksLeaderboard
  }
  /** Most one-sided stock flow across symbols */
  '/v1/flow/stocks/outliers': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** symbols at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
      /** prints that a symbol has in the window at least (values outside are moved to the nearest bound) */
      readonly minTrades?: number | undefined
      /** minutes of the window (values outside are moved to the nearest bound) */
      readonly windowMinutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowStocksOutliers
  }
  /** OHLCV bars with side volumes, oldest first */
  '/v1/flow/stocks/{symbol}/bars': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** length of a bar: 1s, 1m, 5m, 15m, 30m, 1h, 4h */
      readonly resolution: '1s' | '1m' | '5m' | '15m' | '30m' | '1h' | '4h'
      /** minutes of the window (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowStocksBars
  }
  /** Large stock prints */
  '/v1/flow/stocks/{symbol}/blocks': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** shares that a print has at least (values outside are moved to the nearest bound) */
      readonly minSize?: number | undefined
      /** rows at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowStocksBlocks
  }
  /** Cumulative net share volume over the window, oldest first */
  '/v1/flow/stocks/{symbol}/cumulative': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** minutes of the window, the current one included (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowStocksCumulative
  }
  /** Minute buckets of the stock tape, newest first */
  '/v1/flow/stocks/{symbol}/history': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** minutes of the window, the current one included (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowStocksHistory
  }
  /** Newest stock prints */
  '/v1/flow/stocks/{symbol}/recent': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** rows at most (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowStocksRecent
  }
  /** Session totals of the stock tape */
  '/v1/flow/stocks/{symbol}/summary': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: FlowStocksSummary
  }
  /** How the session's flow changed what dealers hold, in one line */
  '/v1/flow/summary/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: FlowSummary
  }
  /** One figure of the contracts that expire that day, by strike and minute */
  '/v1/flow/zero-dte/heatmap/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** the size of a bar: 1m, the only one by strike */
      readonly bar?: '1m' | undefined
      /** minutes of the window, which ends now or with the session (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
      /** gex, dex, vex, chex, oi or signed_flow */
      readonly metric?: 'gex' | 'dex' | 'vex' | 'chex' | 'oi' | 'signed_flow' | undefined
      /** raw, or delta: the change since the previous bar */
      readonly mode?: 'raw' | 'delta' | undefined
    }
    readonly body: undefined
    readonly answer: FlowZeroDteHeatmap
  }
  /** Estimated dealer hedging in contracts that expire that day, by bar and cumulative */
  '/v1/flow/zero-dte/hedge-flow/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** the size of a bar: 30s, 1m, 5m or 15m */
      readonly bar?: '30s' | '1m' | '5m' | '15m' | undefined
      /** minutes of the window, which ends now or with the session (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
      /** all, calls or puts */
      readonly side?: 'all' | 'calls' | 'puts' | undefined
    }
    readonly body: undefined
    readonly answer: FlowZeroDteHedgeFlow
  }
  /** Symbols ranked by one figure of the contracts that expire that day */
  '/v1/flow/zero-dte/leaderboard': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** heat, pin_risk, abs_flow or charm_intensity */
      readonly metric?: 'heat' | 'pin_risk' | 'abs_flow' | 'charm_intensity' | undefined
      /** symbols at most (values outside are moved to the nearest bound) */
      readonly n?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowZeroDteLeaderboard
  }
  /** Figures of the contracts that expire that day, through the session */
  '/v1/flow/zero-dte/series/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** the size of a bar: 30s, 1m, 5m or 15m */
      readonly bar?: '30s' | '1m' | '5m' | '15m' | undefined
      /** minutes of the window, which ends now or with the session (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowZeroDteSeries
  }
  /** Same-day expiration analytics on currently estimated positions */
  '/v1/flow/zero-dte/snapshot/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiry?: string | undefined
      /** a number: half-width of strikes[] as a fraction of spot (values outside are moved to the nearest bound) */
      readonly strike_range?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowZeroDteSnapshot
  }
  /** Signed flow of the contracts that expire that day, by strike and minute */
  '/v1/flow/zero-dte/strike-flow/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** the size of a bar: 1m, the only one by strike */
      readonly bar?: '1m' | undefined
      /** minutes of the window, which ends now or with the session (values outside are moved to the nearest bound) */
      readonly minutes?: number | undefined
    }
    readonly body: undefined
    readonly answer: FlowZeroDteStrikeFlow
  }
  /** Cost of trading each expiration */
  '/v1/liquidity/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: Liquidity
  }
  /** The VIX against 20-day realized volatility of the S&P 500 */
  '/v1/macro/vix-state': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: MacroVixState
  }
  /** Hours of the market of a symbol */
  '/v1/market/session/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: MarketSession
  }
  /** Max pain with dealer overlay */
  '/v1/maxpain/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, or the word 0dte */
      readonly expiration?: string | undefined
      /** a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together */
      readonly expirations?: string | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: expirations before are left out */
      readonly dte_min?: number | undefined
      /** a whole number of calendar days to expiration, 0 to 4000: later expirations are left out */
      readonly dte_max?: number | undefined
      /** a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone */
      readonly expiry_type?: string | undefined
    }
    readonly body: undefined
    readonly answer: Maxpain
  }
  /** Expirations and strikes of a chain */
  '/v1/options/{ticker}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly ticker: string
    }
    readonly body: undefined
    readonly answer: Options
  }
  /** Black-Scholes-Merton price and greeks to third order, with early exercise where requested */
  '/v1/pricing/greeks': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a number from 0.000001 to 1000000000000: price of the underlying, USD */
      readonly spot: number
      /** a number from 0.000001 to 1000000000000: strike price, USD */
      readonly strike: number
      /** a number from 0.000001 to 36500: days to expiry, fractions allowed */
      readonly dte: number
      /** a number from 0.000001 to 20: annual volatility as a fraction (0.18 for 18 %) */
      readonly sigma: number
      /** european (at expiry alone) or american (on any day), in any case */
      readonly exercise?: 'european' | 'american' | undefined
      /** call or put (c or p), in any case */
      readonly type?: 'call' | 'c' | 'put' | 'p' | undefined
      /** a number from -1 to 1: risk-free rate, annual fraction */
      readonly r?: number | undefined
      /** a number from -1 to 1: dividend yield, annual fraction */
      readonly q?: number | undefined
    }
    readonly body: undefined
    readonly answer: PricingGreeks
  }
  /** Implied volatility of a price, with early exercise where requested */
  '/v1/pricing/iv': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a number from 0.000001 to 1000000000000: price of the underlying, USD */
      readonly spot: number
      /** a number from 0.000001 to 1000000000000: strike price, USD */
      readonly strike: number
      /** a number from 0.000001 to 36500: days to expiry, fractions allowed */
      readonly dte: number
      /** a number from 0.000001 to 1000000000000: price of the option, per share, USD */
      readonly price: number
      /** european (at expiry alone) or american (on any day), in any case */
      readonly exercise?: 'european' | 'american' | undefined
      /** call or put (c or p), in any case */
      readonly type?: 'call' | 'c' | 'put' | 'p' | undefined
      /** a number from -1 to 1: risk-free rate, annual fraction */
      readonly r?: number | undefined
      /** a number from -1 to 1: dividend yield, annual fraction */
      readonly q?: number | undefined
    }
    readonly body: undefined
    readonly answer: PricingIv
  }
  /** Kelly sizing of a long option */
  '/v1/pricing/kelly': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** a number from 0.000001 to 1000000000000: price of the underlying, USD */
      readonly spot: number
      /** a number from 0.000001 to 1000000000000: strike price, USD */
      readonly strike: number
      /** a number from 0.000001 to 36500: days to expiry, fractions allowed */
      readonly dte: number
      /** a number from 0.000001 to 20: annual volatility as a fraction (0.18 for 18 %) */
      readonly sigma: number
      /** a number from 0.000001 to 1000000000000: premium paid per share, USD */
      readonly premium: number
      /** a number from -2 to 2: expected annual return of the underlying, as a fraction */
      readonly mu: number
      /** call or put (c or p), in any case */
      readonly type?: 'call' | 'c' | 'put' | 'p' | undefined
      /** a number from -1 to 1: risk-free rate, annual fraction */
      readonly r?: number | undefined
      /** a number from -1 to 1: dividend yield, annual fraction */
      readonly q?: number | undefined
    }
    readonly body: undefined
    readonly answer: PricingKelly
  }
  /** How good the data under the numbers is */
  '/v1/quality/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: Quality
  }
  /** Filter, rank and project all loaded symbols */
  '/v1/screener': {
    readonly method: 'POST'
    readonly replay: false
    readonly params: Readonly<Record<string, never>>
    readonly body: ScreenerRequest
    readonly answer: Screener
  }
  /** Fields and types that screener requests may use */
  '/v1/screener/fields': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: ScreenerFields
  }
  /** Figures over a stretch of time, in columns */
  '/v1/series/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** names of figures, comma separated, in the order wanted */
      readonly fields?: string | undefined
      /** a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: the first; without it the open of the session of as_of */
      readonly from?: string | undefined
      /** a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: the last, itself included; without it as_of */
      readonly to?: string | undefined
      /** of each so long a part of a session, counted from its open, the last row; 1d: the close of each session */
      readonly every?: '1m' | '5m' | '15m' | '30m' | '1h' | '1d' | undefined
    }
    readonly body: undefined
    readonly answer: Series
  }
  /** Price, volatility, flow, exposure and macro of one symbol in one answer */
  '/v1/stock/{symbol}/summary': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: StockSummary
  }
  /** What dealer hedging does to moves, and an iron condor where it dampens them */
  '/v1/strategies/dealer-regime/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the whole chain */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesDealerRegime
  }
  /** How strongly max pain of an expiration pulls, and an iron fly on it */
  '/v1/strategies/expiry-positioning/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the nearest live expiration */
      readonly expiry?: string | undefined
      /** a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound) */
      readonly minOpenInterest?: number | undefined
      /** the distance of the wings of an iron fly, in strike points (values outside are moved to the nearest bound) */
      readonly wingWidth?: number | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesExpiryPositioning
  }
  /** Whether calls or puts trade more */
  '/v1/strategies/flow-anomaly/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the whole chain */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesFlowAnomaly
  }
  /** How much richer one wing of an expiration is than the other */
  '/v1/strategies/skew/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the nearest live expiration */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesSkew
  }
  /** Rich and cheap wings of an expiration against its fitted smile */
  '/v1/strategies/surface-anomaly/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the nearest with a fitted smile */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesSurfaceAnomaly
  }
  /** What the downside tail of an expiration costs */
  '/v1/strategies/tail-pricing/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the nearest live expiration */
      readonly expiry?: string | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesTailPricing
  }
  /** How volatility changes with time to expiry */
  '/v1/strategies/term-structure/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: StrategiesTermStructure
  }
  /** Whether volatility is worth selling, and on which side */
  '/v1/strategies/vol-carry/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the nearest with at least a calendar day left */
      readonly expiry?: string | undefined
      /** a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound) */
      readonly minOpenInterest?: number | undefined
      /** the delta of a short leg by size (values outside are moved to the nearest bound) */
      readonly targetShortDelta?: number | undefined
      /** between the strikes of a spread at most, in strike points (values outside are moved to the nearest bound) */
      readonly maxWidth?: number | undefined
      /** the minimum credit of a structure, USD per share (values outside are moved to the nearest bound) */
      readonly minCredit?: number | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesVolCarry
  }
  /** The covered call or cash-secured put near a delta that pays best */
  '/v1/strategies/yield-enhancement/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: the one nearest to 30 days, within 20 to 45 */
      readonly expiry?: string | undefined
      /** the delta of a short leg by size (values outside are moved to the nearest bound) */
      readonly targetDelta?: number | undefined
      /** a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound) */
      readonly minOpenInterest?: number | undefined
      /** covered_call or cash_secured_put */
      readonly structure?: 'covered_call' | 'cash_secured_put' | undefined
      /** whether a report before the expiration weighs on candidates: true, false, 1 or 0 */
      readonly excludeEarningsBeforeExpiry?: '0' | '1' | 'true' | 'false' | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesYieldEnhancement
  }
  /** Whether price is likely to stay in a range until the close */
  '/v1/strategies/zero-dte/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd; default: today's expiration */
      readonly expiry?: string | undefined
      /** a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound) */
      readonly minOpenInterest?: number | undefined
      /** the distance of the wings of an iron fly, in strike points (values outside are moved to the nearest bound) */
      readonly wingWidth?: number | undefined
    }
    readonly body: undefined
    readonly answer: StrategiesZeroDte
  }
  /** Summed greeks of a multi-leg structure */
  '/v1/structures/greeks': {
    readonly method: 'POST'
    readonly replay: false
    readonly params: Readonly<Record<string, never>>
    readonly body: StructuresGreeksRequest
    readonly answer: StructuresGreeks
  }
  /** P&L of a multi-leg structure at expiry, optionally over spot, volatility and time */
  '/v1/structures/pnl': {
    readonly method: 'POST'
    readonly replay: false
    readonly params: Readonly<Record<string, never>>
    readonly body: StructuresPnlRequest
    readonly answer: StructuresPnl
  }
  /** Implied-volatility grid over time and moneyness, from the fitted smiles; with fit=market risk-neutral probabilities too */
  '/v1/surface/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** svi: five parameters an expiration; market: smiles through the quotes of every listing, with what they say of the price at expiry */
      readonly fit?: 'svi' | 'market' | undefined
    }
    readonly body: undefined
    readonly answer: Surface
  }
  /** Fitted smile of each expiration, as SVI parameters */
  '/v1/surface/{symbol}/svi': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: SurfaceSvi
  }
  /** Symbols with live data in the cache */
  '/v1/symbols': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Symbols
  }
  /** Every known ticker */
  '/v1/tickers': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Tickers
  }
  /** Curated symbols kept warm */
  '/v1/universe': {
    readonly method: 'GET'
    readonly replay: false
    readonly params: {
      /** tier or symbol; anything else counts as tier */
      readonly sort?: 'tier' | 'symbol' | undefined
      /** a whole number of symbols (values outside are moved to the nearest bound) */
      readonly limit?: number | undefined
    }
    readonly body: undefined
    readonly answer: Universe
  }
  /** Volatility forecasts: EWMA, HAR-RV and GARCH(1,1) */
  '/v1/volatility/forecast/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** student_t or gaussian: the innovations of GARCH */
      readonly dist?: 'student_t' | 'gaussian' | undefined
    }
    readonly body: undefined
    readonly answer: VolatilityForecast
  }
  /** Realized volatility by five estimators over 10, 20 and 30 trading days */
  '/v1/volatility/realized/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: VolatilityRealized
  }
  /** Skew by expiration: risk reversal, butterfly and tail convexity */
  '/v1/volatility/skew-term/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: VolatilitySkewTerm
  }
  /** Correlation of daily returns with daily changes of volatility at the money */
  '/v1/volatility/spot-vol-correlation/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: VolatilitySpotVolCorrelation
  }
  /** Realized and implied volatility, skew, term structure, positioning by tenor and liquidity */
  '/v1/volatility/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
    }
    readonly body: undefined
    readonly answer: Volatility
  }
  /** Volatility risk premium with its regime, warnings and scores */
  '/v1/vrp/{symbol}': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a date, yyyy-MM-dd, not in the future: the session whose close is described */
      readonly date?: string | undefined
    }
    readonly body: undefined
    readonly answer: Vrp
  }
  /** Volatility risk premium of past sessions, one row for each */
  '/v1/vrp/{symbol}/history': {
    readonly method: 'GET'
    readonly replay: true
    readonly params: {
      /** a ticker: 1 to 10 of A-Z 0-9 . - ^ = */
      readonly symbol: string
      /** a whole number of calendar days back from today (values outside are moved to the nearest bound) */
      readonly days?: number | undefined
    }
    readonly body: undefined
    readonly answer: VrpHistory
  }
}

export type Account = {
  readonly user_id: string
  readonly email: string
  /** plan id, lower case */
  readonly plan: string
  /** digits, or the word unlimited */
  readonly daily_limit: string
  /** count; this request included; 0 on unlimited plans */
  readonly usage_today: number
  /** digits, or the word unlimited */
  readonly remaining: string
  /** next 00:00 UTC */
  readonly resets_at: string
  /** the last 90 days that have any requests, oldest first, this one included */
  readonly usage_by_day: readonly DailyUsage[]
  readonly capabilities: Capabilities
  /** the last four characters of the requesting key */
  readonly key_hint: string
}

export type AdditionalGreeks = {
  /** ratio; delta * spot / price; null when the price is 0 */
  readonly lambda: number | null
  /** vega-per-day; change of vega per 1.00 of volatility, per day of time to expiry */
  readonly veta: number
}

export type AdvVolatility = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** whether the regular session was in progress at as_of */
  readonly market_open: boolean
  /** accepted fits, by days to expiry */
  readonly svi_parameters: readonly SviSlice[]
  /** accepted fits of AM-settled series, by days to expiry, whichever series stands for their date */
  readonly svi_parameters_am: readonly SviSlice[]
  readonly forward_prices: readonly ForwardPrice[]
  readonly total_variance_surface: TotalVarianceSurface
  readonly arbitrage_flags: readonly ArbitrageFlag[]
  readonly variance_swap_fair_values: readonly VarianceSwap[]
  readonly model_free: ModelFreeVolatility
  readonly greeks_surfaces: GreekSurfaces
}

export type ArbitrageFlag = {
  /** a date; for calendar the earlier and the later one, joined by a slash */
  readonly expiry: string
  readonly type: 'butterfly' | 'calendar'
  /** log-moneyness; where it is worst */
  readonly strike_or_k: number
  readonly found_in: 'fit' | 'quotes'
  readonly description: string
  readonly condition: 'd2w_dk2' | 'durrleman_g' | 'total_variance_decrease'
  /** quantity; the offending quantity there */
  readonly value: number
}

export type AttributedContracts = {
  /** count; in both, with a volatility in both */
  readonly common: number
  /** count */
  readonly since_only: number
  /** count */
  readonly now_only: number
}

export type AttributionExpiration = {
  readonly expiration: string
  /** usd-notional */
  readonly from: number
  /** usd-notional */
  readonly to: number
}

export type AttributionStrike = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly from: number
  /** usd-notional */
  readonly to: number
}

export type AverageSpreads = {
  /** percent; of mid, strikes within 2 % of spot */
  readonly atm_avg_spread_pct: number | null
  /** percent; of mid, more than 10 % out of the money */
  readonly wing_avg_spread_pct: number | null
  /** contracts; averaged */
  readonly atm_contracts: number
  /** contracts; averaged */
  readonly wing_contracts: number
}

export type BandCalibration = {
  readonly basis: 'symbol' | 'class' | 'all'
  /** count; past mornings of the basis that were compared with bands */
  readonly mornings: number
  /** percent; of these mornings that lay inside the band stated the evening before; of other symbols, inside the prior */
  readonly held_pct: number
  readonly class: 'index' | 'etf' | 'equity'
}

/** how open interest changes with volume */
export type BandFigures = {
  readonly source: 'default' | 'calibrated'
  /** count; that they were measured over */
  readonly sessions: number
}

export type BarGap = {
  readonly start: string
  /** exclusive */
  readonly end: string
  /** count */
  readonly missing_bars: number
}

export type Bars = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC: no bar holds anything later */
  readonly as_of: string
  readonly every: '1m' | '5m' | '15m' | '30m' | '1h' | '1d' | '1w'
  /** epoch-seconds; beginning of the first bar, seconds since 1970 UTC; null without a bar */
  readonly t0: number | null
  readonly dt: readonly number[]
  /** first price of each bar */
  readonly o: readonly (number | null)[]
  /** highest price; of snapshots the highest that was sampled */
  readonly h: readonly (number | null)[]
  /** lowest price; of snapshots the lowest that was sampled */
  readonly l: readonly (number | null)[]
  /** last price */
  readonly c: readonly (number | null)[]
  /** volume in the unit of volume_of; null where it is unknown */
  readonly v: readonly (number | null)[]
  readonly volume_of: 'shares' | 'contracts' | null
  /** where the prices of the bars come from: ascending, each [from, before, word], seconds since 1970 UTC */
  readonly made_of: readonly (readonly (number | 'tape' | 'snapshots' | 'daily' | 'generated')[])[]
  /** one array for each field asked for, as long as dt, of the last snapshot within each bar and before the close: underlying_price, net_gex, net_dex, net_vex, net_chex, gamma_flip, call_wall, put_wall, call_wall_above, put_wall_below, max_positive_gamma, max_negative_gamma, max_pain, atm_iv, atm_iv_30d, skew_25d, expected_move_1d, pc_ratio_oi, pc_ratio_volume, total_call_oi, total_put_oi, total_call_volume, total_put_volume, zero_dte.net_gex, zero_dte.net_chex, zero_dte.call_wall, zero_dte.put_wall, zero_dte.magnet, zero_dte.pin_score, zero_dte.theta_per_hour, zero_dte.remaining_1sd_dollars, flow.net_premium, flow.delta_dollars, flow.hedge.delta, flow.hedge.delta_calls, flow.hedge.delta_puts, flow.hedge.delta_next, flow.hedge.gamma, flow.hedge.vega, flow.net_gex_live */
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
  /** sessions of which snapshots are kept: ascending, each [from, before, word], seconds since 1970 UTC */
  readonly recorded: readonly (readonly (number | 'minutes' | 'closes' | 'imported')[])[]
  /** stretches with snapshots whose figures wait to be made, by formulas that changed or of prints */
  readonly incomplete: readonly IncompleteStretch[]
}

export type BasketConstituent = {
  readonly symbol: string
  /** fraction; scaled so that the weights add up to 1 */
  readonly weight: number
  /** price */
  readonly underlying_price: number
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** percent; 100 |weight net_gex| over the sum of them */
  readonly contribution_pct: number
  readonly regime: 'positive_gamma' | 'negative_gamma'
}

export type Capabilities = {
  readonly stream: StreamBundle | null
  /** past moments may be requested */
  readonly replay: boolean
  /** this key may manage users and keys */
  readonly admin: boolean
  /** seconds; how old the data of an answer may be */
  readonly freshness_seconds: number
  /** what the plan opens, by the words of the plan file */
  readonly features: readonly ('etf' | 'index' | 'full_chain' | 'same_day' | 'svi' | 'full_screen' | 'replay' | 'admin')[]
}

/** null where the prices are of the symbol itself */
export type ChartBasis = {
  /** ratio; price over level */
  readonly factor: number
  /** of the future; null for an index or fund */
  readonly expiry: string | null
  /** fraction; until expiry, continuously compounded */
  readonly rate: number | null
  /** fraction; of the index until expiry, as the forward implies it */
  readonly yield: number | null
}

export type ChartLevel = {
  readonly id: 'gamma_flip' | 'call_wall' | 'put_wall' | 'max_pain' | 'zero_dte_magnet' | 'zero_dte_call_wall' | 'zero_dte_put_wall' | 'expected_move_upper' | 'expected_move_lower' | 'gex_1' | 'gex_2' | 'gex_3' | 'gex_4' | 'gex_5'
  /** name and level of the symbol */
  readonly label: string
  /** price; of the instrument */
  readonly price: number
}

export type ChexStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly call_chex: number
  /** usd-notional */
  readonly put_chex: number
  /** usd-notional */
  readonly net_chex: number
}

export type ContractContribution = {
  readonly expiration: string
  /** price */
  readonly strike: number
  readonly right: 'call' | 'put'
  /** contracts */
  readonly open_interest: number
  readonly sigma_source: 'own_mid' | 'twin' | 'smile'
  /** usd-notional */
  readonly value: number
  /** fraction; of gross */
  readonly share: number
}

export type ContractCounts = {
  /** count; live contracts */
  readonly listed: number
  /** count; with a bid above 0 and an ask not below it */
  readonly two_sided: number
  /** count */
  readonly with_open_interest: number
}

export type ContractQuote = {
  readonly underlying: string
  readonly type: 'C' | 'P'
  readonly expiry: string
  /** price */
  readonly strike: number
  /** price */
  readonly bid: number
  /** price */
  readonly ask: number
  /** price */
  readonly mid: number
  /** contracts; 0 where the feed has none */
  readonly bidSize: number
  /** contracts; 0 where the feed has none */
  readonly askSize: number
  readonly lastUpdate: string
  /** fraction; inverted from the mid */
  readonly implied_vol: number | null
  /** fraction; inverted from the bid */
  readonly iv_bid: number | null
  /** fraction; inverted from the ask */
  readonly iv_ask: number | null
  /** greek; per share */
  readonly delta: number | null
  /** greek; per share, per USD of spot */
  readonly gamma: number | null
  /** greek; USD per share and calendar day passing */
  readonly theta: number | null
  /** greek; USD per share and 0.01 of volatility */
  readonly vega: number | null
  /** greek; USD per share and 0.01 of rate */
  readonly rho: number | null
  /** greek; delta per 1.00 of volatility */
  readonly vanna: number | null
  /** greek; delta per calendar day passing */
  readonly charm: number | null
  /** on the last day of the contract, what theta and charm mean */
  readonly greeks_note?: string
  /** fraction; of the fitted smile at this strike */
  readonly svi_vol: number | null
  readonly svi_vol_gated: 'requires_alpha_tier' | 'backtest_mode' | 'not_fitted' | null
  /** contracts */
  readonly open_interest: number
  /** contracts */
  readonly volume: number
  /** tells apart series that share expiry, strike and type, such as SPX and SPXW */
  readonly occ_symbol: string
}

/** the value less the rows of each list */
export type ContributionRemainder = {
  /** usd-notional */
  readonly by_expiration: number
  /** usd-notional */
  readonly by_strike: number
  /** usd-notional */
  readonly by_contract: number
}

export type Contributions = {
  /** usd-notional; sum of the absolute contributions of the contracts */
  readonly gross: number
  readonly by_right: readonly RightContribution[]
  /** by absolute size */
  readonly by_expiration: readonly ExpirationContribution[]
  /** by absolute size */
  readonly by_strike: readonly StrikeContribution[]
  /** by absolute size */
  readonly by_contract: readonly ContractContribution[]
  readonly remainder: ContributionRemainder
}

export type CustomerGroupSide = {
  readonly group: 'calls_out' | 'calls_in' | 'puts_out' | 'puts_in'
  /** count; sessions in which a contract of the group traded */
  readonly sessions: number
  /** ratio; contracts of open interest for each contract that customers bought more than they sold */
  readonly slope: number | null
  /** ratio; of the slope */
  readonly standard_error: number | null
  readonly side: 'long' | 'short' | null
  readonly verdict: 'fits' | 'contradicts' | 'not_shown'
}

/** on which side customers stand, from the changes of open interest; null without recorded sessions */
export type CustomerSides = {
  /** the first session that counts */
  readonly since: string
  /** count; sessions whose flow and following open interest are known, at most the newest 60 */
  readonly sessions: number
  readonly groups: readonly CustomerGroupSide[]
}

export type DailyUsage = {
  /** UTC */
  readonly date: string
  /** count; counted on unlimited plans too */
  readonly requests: number
  /** count; how many of them came from embedded panels */
  readonly of_panels: number
}

export type DataQuality = {
  /** score-0-100 */
  readonly score: number
  readonly warnings: readonly ('stale_quotes' | 'delayed_data' | 'market_closed' | 'one_sided_quotes' | 'no_open_interest' | 'thin_chain' | 'short_history')[]
}

export type DealerModelTotals = {
  readonly id: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly available: boolean
  /** why it is not available */
  readonly reason: string | null
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number | null
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number | null
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number | null
  /** usd-notional; delta of the option book that the model gives to dealers, before any hedge */
  readonly dealer_delta: number | null
  /** price */
  readonly gamma_flip: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'undetermined' | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
}

export type DealerRegimeMetrics = {
  /** usd-notional; net_gex of the scope, USD per 1 % move */
  readonly net_gamma: number | null
  /** usd-notional; net_dex of the scope */
  readonly net_delta: number | null
  readonly gamma_source: 'settled_oi' | 'live_oi' | null
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** percent; spot minus flip, of spot */
  readonly distance_to_flip_pct: number | null
  readonly spot_position_label: 'above_call_wall' | 'below_put_wall' | 'between_walls_above_flip' | 'between_walls_below_flip' | 'unknown' | null
  /** usd-notional */
  readonly net_vex: number | null
  /** usd-notional; USD of delta gained per volatility point */
  readonly net_vex_per_point: number | null
  /** usd-notional */
  readonly net_chex: number | null
  /** price */
  readonly underlying_price: number
}

export type DexStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional; 0 or more */
  readonly call_dex: number
  /** usd-notional; 0 or less */
  readonly put_dex: number
  /** usd-notional */
  readonly net_dex: number
}

export type Dispersion = {
  /** the newest moment among index and constituents, UTC */
  readonly as_of: string
  readonly index: string
  /** count */
  readonly constituent_count: number
  /** symbols without a volatility, left out */
  readonly missing_symbols: readonly string[]
  /** days */
  readonly horizon_days: number
  /** fraction; not limited to -1 to 1 */
  readonly implied_correlation: number | null
  /** fraction; over the last horizon_days common returns */
  readonly realized_correlation: number | null
  /** fraction; implied minus realized */
  readonly correlation_premium: number | null
  /** fraction; at the money, a fraction */
  readonly implied_vol_index: number
  /** fraction; mean of the constituents by weight, a fraction */
  readonly implied_vol_basket: number
  readonly top_contributors: readonly DispersionContributor[]
}

export type DispersionContributor = {
  readonly symbol: string
  /** fraction; scaled so that the weights add up to 1 */
  readonly weight: number
  /** fraction */
  readonly iv: number
  /** fraction; weight × iv */
  readonly contribution_to_basket_vol: number
}

export type EarningsCalendar = {
  readonly events: readonly EarningsEvent[]
  /** count */
  readonly count: number
}

export type EarningsDealerPositioning = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** as the calendar states it */
  readonly earnings_date: string
  /** the first expiration on that day or later */
  readonly event_expiry: string | null
  readonly levels: EarningsPositioningLevels
  readonly gex_by_dte_bucket: readonly EarningsGexBucket[]
  readonly top_strikes: readonly EarningsGexStrike[]
  /** fraction; charm exposure of event_expiry by size, over that of the chain */
  readonly charm_acceleration: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'undetermined'
}

export type EarningsEvent = {
  readonly symbol: string
  readonly company_name: string | null
  /** as the calendar states it */
  readonly earnings_date: string
  /** days */
  readonly days_to_event: number
  readonly timing: 'bmo' | 'amc' | 'dmh' | null
  /** score-1-5; 5 moves markets most */
  readonly importance: number | null
  /** percent; of the report alone, the newest that was taken of its chain */
  readonly implied_move_pct: number | null
  /** whether the company named the date */
  readonly is_confirmed: boolean
  readonly fiscal_period: string | null
  /** year */
  readonly fiscal_year: number | null
  /** usd; per share */
  readonly eps_estimate: number | null
}

export type EarningsExpectedMove = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** as the calendar states it */
  readonly earnings_date: string
  readonly session: 'bmo' | 'amc' | 'dmh' | null
  /** days */
  readonly days_to_event: number
  readonly expected_move: EarningsMoveEstimate | null
}

export type EarningsGexBucket = {
  readonly bucket: 'pre_event' | 'event_week' | 'post_event'
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** contracts; series with open interest */
  readonly contract_count: number
}

export type EarningsGexStrike = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly net_gex: number
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
}

export type EarningsHistory = {
  readonly symbol: string
  /** count */
  readonly count: number
  readonly history: readonly EarningsReport[]
}

export type EarningsIvCrush = {
  readonly symbol: string
  /** the moment of the chain, UTC; the present minute without one */
  readonly as_of: string
  /** as the calendar states it; null where no coming report is known */
  readonly earnings_date: string | null
  readonly current_estimate: IvCrushEstimate | null
  readonly distribution: IvCrushDistribution
}

/** null where the term structure resolves nothing */
export type EarningsMoveEstimate = {
  /** percent; expected absolute move to the first expiration behind the report */
  readonly raw_straddle_pct: number
  /** percent; the part of the report */
  readonly earnings_implied_pct: number
  /** percent; the part of everyday trading; squares add up */
  readonly baseline_drift_pct: number
  /** percent; volatility at the money of that expiration */
  readonly earnings_iv: number
  /** percent; of the expiration behind it */
  readonly term_iv_post_event: number
  /** percent; the first above the second, vol points */
  readonly term_kink_pct: number
}

/** of the expirations from the day of the report to seven days after it */
export type EarningsPositioningLevels = {
  /** price */
  readonly gamma_flip: number | null
  /** price; above spot, the largest positive net gamma */
  readonly call_wall: number | null
  /** price; below spot, the most negative put gamma */
  readonly put_wall: number | null
  /** price */
  readonly highest_oi_strike: number | null
}

export type EarningsReport = {
  readonly date: string
  readonly fiscal_period: string | null
  /** year */
  readonly fiscal_year: number | null
  /** usd; per share */
  readonly eps_estimate: number | null
  /** usd; per share */
  readonly eps_actual: number
  /** percent; of the estimate */
  readonly eps_surprise_pct: number | null
  /** usd */
  readonly revenue_actual: number | null
  /** percent; of the estimate */
  readonly revenue_surprise_pct: number | null
  /** percent; of the report alone, at the close before */
  readonly implied_move_pct: number | null
  /** percent; from the close before to the close after, signed */
  readonly actual_move_pct: number | null
  /** percent; of the volatility before */
  readonly iv_crush_pct: number | null
  /** percent; of the first expiration behind the report, at the close before */
  readonly pre_atm_iv: number | null
  /** percent; of the same expiration, at the close after */
  readonly post_atm_iv: number | null
}

export type EarningsRiskPremium = {
  /** percent; of the report alone */
  readonly implied_move_pct: number | null
  /** percent; of the absolute moves at the newest 20 reports at most */
  readonly realized_median: number | null
  /** percent */
  readonly realized_mean: number | null
  /** ratio; implied over the median */
  readonly premium_ratio: number | null
  /** sigmas; implied above the mean */
  readonly z_score: number | null
  /** score-0-100; share of past moves below */
  readonly percentile: number | null
  readonly assessment: 'rich' | 'slightly_rich' | 'fair' | 'slightly_cheap' | 'cheap' | 'insufficient_data'
  readonly directional_bias: 'downside_overpriced' | 'upside_overpriced' | null
}

export type EarningsScreener = {
  readonly events: readonly EarningsScreenerRow[]
  /** count; reports that matched, before limit */
  readonly count: number
}

export type EarningsScreenerRow = {
  readonly symbol: string
  readonly company_name: string | null
  /** as the calendar states it */
  readonly earnings_date: string
  /** days */
  readonly days_to_event: number
  readonly timing: 'bmo' | 'amc' | 'dmh' | null
  /** score-1-5; 5 moves markets most */
  readonly importance: number | null
  /** percent; of the report alone, the newest that was taken of its chain */
  readonly implied_move_pct: number | null
  /** ratio; implied move over the usual one */
  readonly premium_ratio: number | null
  /** percent; of the volatility before, at past reports */
  readonly iv_crush_median: number | null
  readonly assessment: 'rich' | 'slightly_rich' | 'fair' | 'slightly_cheap' | 'cheap' | 'insufficient_data' | null
}

export type EarningsStrategies = {
  readonly symbol: string
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** as the calendar states it */
  readonly earnings_date: string
  readonly scores: EarningsStrategyScores
  readonly context: EarningsStrategyContext
}

export type EarningsStrategyContext = {
  /** ratio; implied move over the usual one */
  readonly premium_ratio: number | null
  /** percent; of the volatility before */
  readonly iv_crush_median: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'undetermined'
  /** percent; of the report alone */
  readonly implied_move_pct: number | null
}

export type EarningsStrategyScores = {
  /** score-0-100; cheap premium, dealers short gamma */
  readonly long_straddle: number
  /** score-0-100; rich premium, dealers long gamma, volatility that falls */
  readonly short_strangle: number
  /** score-0-100; the same with bounded risk */
  readonly iron_condor: number
  /** score-0-100; volatility that falls */
  readonly calendar_spread: number
  /** score-0-100; the same, with past moves to one side */
  readonly earnings_diagonal: number
}

export type EarningsVrp = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** as the calendar states it */
  readonly earnings_date: string
  /** days */
  readonly days_to_event: number
  readonly earnings_vrp: EarningsRiskPremium
  readonly surprise_reaction: SurpriseReaction
}

export type EvidenceSummary = {
  readonly sigma_sources: VolatilitySourceShares
  readonly quote_age: QuoteAge | null
  readonly spreads: SpreadWidths
  /** contracts of the scope without exposure */
  readonly left_out: readonly LeftOutContracts[]
}

export type EwmaForecast = {
  /** ratio */
  readonly lambda: number
  /** percent */
  readonly vol_annualized: number
  /** percent */
  readonly next_day_forecast: number
}

export type ExpectedDividend = {
  readonly ex_date: string
  /** price; USD per share */
  readonly amount: number
}

export type ExpectedMove = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly expected_moves: readonly ExpirationExpectedMove[]
}

export type ExpirationContribution = {
  readonly expiration: string
  /** usd-notional */
  readonly value: number
  /** fraction; of gross */
  readonly share: number
}

export type ExpirationExpectedMove = {
  readonly expiry: string
  /** days */
  readonly daysToExpiry: number
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** fraction; at the forward, a fraction */
  readonly atmIv: number | null
  /** price; spot × atmIv × √T */
  readonly expectedMove: number | null
  /** percent */
  readonly expectedMovePct: number | null
  /** price; spot × exp(-atmIv √T) */
  readonly lowerBound: number | null
  /** price; spot × exp(atmIv √T) */
  readonly upperBound: number | null
}

export type ExpirationExposures = {
  readonly expiration: string
  /** days */
  readonly dte: number
  readonly is_opex: boolean
  readonly is_triple_witching: boolean
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** percent; 100 |net_gex| over the sum of them */
  readonly pct_of_chain_gex: number
}

export type ExpirationLiquidity = {
  readonly expiration: string
  /** days */
  readonly dte: number
  /** percent; of mid, at the listed strike nearest to spot */
  readonly atm_spread_pct: number | null
  /** percent; of mid, by open interest */
  readonly weighted_spread_pct: number | null
  /** contracts */
  readonly atm_oi: number
  /** score-0-100 */
  readonly execution_score: number
  readonly label: 'tight' | 'normal' | 'wide' | 'illiquid'
}

export type ExpirationMaxPain = {
  readonly expiration: string
  /** price */
  readonly max_pain_strike: number
  /** days */
  readonly dte: number
  /** contracts */
  readonly total_oi: number
}

export type ExpirationModelFree = {
  readonly expiration: string
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** percent; of the quoted strip, calendar minutes */
  readonly vol: number | null
  /** count */
  readonly strikes_used: number
}

export type ExpirationPutCall = {
  readonly expiry: string
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
  /** ratio */
  readonly pc_ratio_oi: number | null
  /** contracts */
  readonly call_volume: number
  /** contracts */
  readonly put_volume: number
  /** ratio */
  readonly pc_ratio_volume: number | null
}

/** which contracts the answer is about */
export type ExpirationScope = {
  /** the requested expiration; null for the whole chain */
  readonly expiration: string | null
  /** the set of expirations that was asked for, as a value of expirations that means the same */
  readonly filter?: string
  /** the dates whose contracts are added up, ascending */
  readonly expirations: readonly string[]
  /** contracts; listed contracts among them */
  readonly contracts: number
}

/** which contracts the answer is about, if a set was asked for */
export type ExpirationSetScope = {
  /** the set of expirations that was asked for, as a value of expirations that means the same */
  readonly filter: string
  /** the dates whose contracts are added up, ascending */
  readonly expirations: readonly string[]
  /** contracts; listed contracts among them */
  readonly contracts: number
}

export type ExpirationSkew = {
  readonly expiry: string
  /** days */
  readonly dte: number
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** percent */
  readonly atm_iv: number
  /** percent */
  readonly put_25d_iv: number
  /** percent */
  readonly call_25d_iv: number
  /** percent */
  readonly put_10d_iv: number
  /** percent */
  readonly call_10d_iv: number
  /** percent; put minus call, vol points */
  readonly skew_25d: number
  /** percent; call minus put, vol points */
  readonly risk_reversal_25d: number
  /** percent; mean of call and put minus the center, vol points */
  readonly butterfly_25d: number
  /** percent; how the downside steepens, vol points */
  readonly tail_convexity: number
}

export type ExpirationStrikes = {
  readonly expiration: string
  readonly strikes: readonly number[]
}

export type ExpirationVolatility = {
  readonly expiry: string
  /** percent; at the forward of a fitted slice */
  readonly iv: number
  /** days */
  readonly days_to_expiry: number
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
}

export type ExpiryPositioningMetrics = {
  /** price; strike at which option holders are paid least */
  readonly max_pain_strike: number | null
  /** percent; of spot, unsigned */
  readonly distance_to_pain_pct: number | null
  /** score-0-100; of the three largest strikes */
  readonly oi_concentration_score: number | null
  /** contracts */
  readonly total_open_interest: number | null
  readonly expiry: string | null
  /** days */
  readonly days_to_expiry: number | null
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** percent; spot minus flip, of spot */
  readonly distance_to_flip_pct: number | null
  readonly spot_position_label: 'above_call_wall' | 'below_put_wall' | 'between_walls_above_flip' | 'between_walls_below_flip' | 'unknown' | null
  /** price */
  readonly underlying_price: number
}

export type ExposureAttribution = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the moment of the earlier chain, UTC */
  readonly since: string
  /** price */
  readonly underlying_price_since: number
  readonly contracts: AttributedContracts
  readonly gex: ExposureChangeParts
  readonly dex: ExposureChangeParts
  readonly vex: ExposureChangeParts
  readonly chex: ExposureChangeParts
  /** where gex changed most */
  readonly top_expirations: readonly AttributionExpiration[]
  /** where gex changed most */
  readonly top_strikes: readonly AttributionStrike[]
  readonly scope?: ExpirationSetScope
}

export type ExposureBand = {
  /** usd-notional; that of the plain endpoint, at settled open interest */
  readonly value: number
  /** usd-notional; at the open interest that the session's volume leads to expect */
  readonly expected: number
  /** usd-notional; expected less value: what the volume since the last settlement is expected to add */
  readonly shift: number
  /** whose mornings correct the band: with fewer than 20 of the symbol those of other symbols of its class, else of all others; prior: there are fewer of all others too */
  readonly calibration: 'prior' | BandCalibration
  readonly positions: Quantiles
  readonly quotes: QuoteRange
  readonly sign: Quantiles
  readonly combined: Quantiles
}

export type ExposureBands = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** fraction; that the conventional side is right: a stated prior, not a measurement */
  readonly sign_confidence: number
  readonly figures: BandFigures
  readonly net_gex: ExposureBand
  readonly net_dex: ExposureBand
  readonly net_vex: ExposureBand
  readonly net_chex: ExposureBand
  readonly gamma_flip: GammaFlipBand
  readonly regime: RegimeProbability
  readonly walls: WallProbabilities
  readonly scope?: ExpirationSetScope
}

export type ExposureBasket = {
  /** the oldest moment among the constituents */
  readonly as_of: string
  /** count */
  readonly constituent_count: number
  /** symbols without data, left out */
  readonly missing_symbols: readonly string[]
  readonly aggregate: NetExposures
  readonly constituents: readonly BasketConstituent[]
}

/** to - from is the sum of the other six */
export type ExposureChangeParts = {
  /** usd-notional */
  readonly from: number
  /** usd-notional; that of the plain endpoint */
  readonly to: number
  /** usd-notional; contracts of one moment alone: expired, newly listed, priced in one of the two only */
  readonly listing: number
  /** usd-notional */
  readonly open_interest: number
  /** usd-notional */
  readonly time: number
  /** usd-notional */
  readonly spot: number
  /** usd-notional */
  readonly volatility: number
  /** usd-notional; rates and yields */
  readonly carry: number
}

export type ExposureChanges = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly windows: readonly GammaChangeWindow[]
}

export type ExposureChartLevels = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the instrument that the prices are of */
  readonly as: string
  readonly basis: ChartBasis | null
  /** in the order of the ids; one that does not exist is left out */
  readonly levels: readonly ChartLevel[]
  readonly scope?: ExpirationSetScope
}

export type ExposureChex = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly weight?: 'oi' | 'volume' | 'effective'
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** how dealers react to the passage of time */
  readonly chex_interpretation: string
  readonly reading: Reading
  readonly strikes: readonly ChexStrikeRow[]
  readonly scope: ExpirationScope
}

export type ExposureDex = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly weight?: 'oi' | 'volume' | 'effective'
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  readonly strikes: readonly DexStrikeRow[]
  readonly scope: ExpirationScope
}

export type ExposureExplain = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly metric: 'net_gex' | 'net_dex' | 'net_vex' | 'net_chex' | 'gamma_flip' | 'call_wall' | 'put_wall' | 'magnet' | 'max_pain'
  /** usd-notional; that of the plain endpoint; a price for levels */
  readonly value: number | null
  readonly null_reason: 'no_exposure' | 'no_open_interest' | 'no_same_day' | 'one_sided' | 'other_side' | 'outside_strikes' | null
  readonly contributions: Contributions | null
  /** ascending */
  readonly crossings: readonly FlipCrossing[] | null
  readonly candidates: LevelCandidates | null
  readonly rests_on: EvidenceSummary
  readonly scope?: ExpirationSetScope
}

export type ExposureGex = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly weight?: 'oi' | 'volume' | 'effective'
  /** price; spot at which net gamma exposure crosses zero, volatilities held */
  readonly gamma_flip: number | null
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  readonly net_gex_label: 'positive' | 'negative' | 'neutral'
  readonly strikes: readonly GexStrikeRow[]
  readonly scope: ExpirationScope
}

export type ExposureHigher = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly weight?: 'oi' | 'volume' | 'effective'
  /** usd-notional; USD of gamma exposure gained per 1 % rise of spot */
  readonly net_speed: number
  /** usd-notional; USD of gamma exposure gained per volatility point */
  readonly net_zomma: number
  /** usd-notional; USD of vega per point gained per volatility point */
  readonly net_vomma: number
  /** strikes at which dealers hold priced contracts */
  readonly strikes: readonly HigherStrikeRow[]
  readonly scope: ExpirationScope
}

export type ExposureHistory = {
  readonly symbol: string
  /** days */
  readonly days: number
  /** count */
  readonly count: number
  readonly snapshots: readonly ExposureSnapshot[]
}

export type ExposureInterpretation = {
  readonly gamma: string
  readonly vanna: string
  readonly charm: string
}

export type ExposureLevels = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly levels: KeyLevels
  readonly levels_by_scope: LevelsByHorizon
  readonly scope: ExpirationScope
}

export type ExposureMatrix = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly metric: 'gex' | 'dex' | 'vex' | 'chex' | 'oi' | 'oi_change' | 'volume'
  readonly by: 'expiration' | 'time'
  /** within range_pct of underlying_price, ascending */
  readonly strikes: readonly number[]
  /** expiration dates, or times of recorded snapshots; ascending */
  readonly columns: readonly (string | string)[]
  /** a row for each strike, a value for each column; null where the column does not list the strike */
  readonly values: readonly (readonly (number | null)[])[]
  readonly row_totals: readonly number[]
  /** over the strikes shown */
  readonly column_totals: readonly number[]
  /** the rest of each column, over the strikes not shown */
  readonly outside: readonly number[]
  readonly scope?: ExpirationSetScope
}

export type ExposureModels = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** fraction; of the available models whose regime is that of the convention, which counts; null where that has none */
  readonly agreement: number | null
  readonly customers: CustomerSides | null
  readonly models: readonly DealerModelTotals[]
  readonly scope?: ExpirationSetScope
}

export type ExposureNarrative = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly reading: Reading
  readonly narrative: Narrative
}

export type ExposureOiDiff = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly prior_snapshot_available: boolean
  /** contracts; over all contracts listed on both days */
  readonly total_call_oi_change: number
  /** contracts; over all contracts listed on both days */
  readonly total_put_oi_change: number
  readonly top_oi_changes: readonly OpenInterestChange[]
}

export type ExposureProfile = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly weight?: 'oi' | 'volume' | 'effective'
  readonly when: 'now' | 'close' | 'next_open'
  /** vol-points; added to every volatility */
  readonly vol_shift: number
  /** ascending, underlying_price in the middle */
  readonly spots: readonly number[]
  /** USD of delta gained per 1 % move of spot at each of spots */
  readonly gex: readonly number[]
  /** USD delta of the option holders at each of spots */
  readonly dex: readonly number[]
  /** USD of delta gained per +1.00 of volatility at each of spots */
  readonly vex: readonly number[]
  /** USD of delta gained per calendar day passing; of contracts that expire today, to their expiry at each of spots */
  readonly chex: readonly number[]
  /** gex by days to expiry at as_of */
  readonly by_bucket: readonly ProfileBucket[]
  /** spots at which gex changes its sign, ascending */
  readonly crossings: readonly number[]
  readonly scope?: ExpirationSetScope
}

export type ExposureSheet = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** echo of the filter */
  readonly expiration: string | null
  readonly is_opex: boolean
  readonly is_triple_witching: boolean
  readonly totals: SheetTotals
  readonly lis: LargestInventoryStrike | null
  readonly peaks: readonly GexPeak[]
  readonly strikes: readonly SheetStrikeRow[]
  readonly scope: ExpirationScope
}

export type ExposureSnapshot = {
  readonly date: string
  /** price; close */
  readonly underlying_price: number
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'undetermined'
}

export type ExposureSummary = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  /** price */
  readonly gamma_flip: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'undetermined'
  readonly exposures: NetExposures
  readonly interpretation: ExposureInterpretation
  readonly reading: Reading
  readonly hedging_estimate: HedgingEstimates
  readonly zero_dte: ZeroDteShare
  readonly scope?: ExpirationSetScope
}

export type ExposureTermStructure = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly by_dte_bucket: readonly TenorExposures[]
  readonly by_expiry: readonly ExpirationExposures[]
}

export type ExposureVex = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly weight?: 'oi' | 'volume' | 'effective'
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per volatility point: net_vex / 100 */
  readonly net_vex_per_point: number
  /** how dealers react to rising volatility */
  readonly vex_interpretation: string
  readonly reading: Reading
  readonly strikes: readonly VexStrikeRow[]
  readonly scope: ExpirationScope
}

export type ExposureZeroDte = ZeroDteAnalytics | NoZeroDte

export type FearAndGreed = {
  /** score-0-100 */
  readonly score: number
  readonly rating: 'Extreme Fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme Greed'
}

export type FirstOrderGreeks = {
  /** greek */
  readonly delta: number
  /** greek */
  readonly gamma: number
  /** usd-per-day; per calendar day passing */
  readonly theta: number
  /** usd per vol point */
  readonly vega: number
  /** usd per 1.00 rate */
  readonly rho: number
}

export type FlipCrossing = {
  /** price */
  readonly spot: number
  /** usd-notional; change of net GEX there for +1 % of spot */
  readonly slope: number
  readonly from: 'positive' | 'negative'
  readonly to: 'positive' | 'negative'
  /** the gamma flip */
  readonly chosen: boolean
}

export type FlipQuantiles = {
  /** price */
  readonly p05: number | null
  /** price */
  readonly p25: number | null
  /** price */
  readonly p50: number | null
  /** price */
  readonly p75: number | null
  /** price */
  readonly p95: number | null
  /** fraction; of the draws without a flip */
  readonly share_without: number
}

export type FlowAnomalyMetrics = {
  readonly bias: 'bullish' | 'bearish' | 'neutral' | null
  /** ratio; null without put volume */
  readonly call_put_volume_ratio: number | null
  /** ratio */
  readonly call_put_oi_ratio: number | null
  /** contracts */
  readonly total_volume: number | null
  /** contracts */
  readonly total_open_interest: number | null
  /** usd; volume times mid times 100 of the larger side */
  readonly dominant_premium_usd: number | null
  /** fraction; of both sides */
  readonly dominant_premium_pct: number | null
  /** fraction; of volume at the three busiest strikes */
  readonly top3_strikes_volume_pct: number | null
  /** price */
  readonly underlying_price: number
}

export type FlowDealerRisk = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  /** usd-notional; on official open interest, USD of delta gained per 1 % move of spot */
  readonly settled_net_gex: number
  /** usd-notional; on effective open interest */
  readonly live_net_gex: number
  /** usd-notional; live - settled */
  readonly flow_gex_adjustment: number
  /** fraction; flow_gex_adjustment / settled; null where only that is 0 */
  readonly flow_gex_pct_shift: number | null
  /** usd-notional; on official open interest, USD delta of the option holders */
  readonly settled_net_dex: number
  /** usd-notional; on effective open interest */
  readonly live_net_dex: number
  /** usd-notional; live - settled */
  readonly flow_dex_adjustment: number
  /** fraction; flow_dex_adjustment / settled; null where only that is 0 */
  readonly flow_dex_pct_shift: number | null
  /** contracts; sum of |effective - official| over the contracts */
  readonly total_abs_delta_contracts: number
  readonly flow_direction: 'no_flow' | 'neutral' | 'amplifying' | 'dampening' | 'regime_flip'
  readonly description: string
  /** count; option series whose open interest the session's flow is estimated to have changed */
  readonly contracts_with_flow: number
}

export type FlowDex = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  /** usd-notional; USD delta of the option holders */
  readonly live_net_dex: number
  readonly strikes: readonly FlowDexStrikeRow[]
}

export type FlowDexStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional; 0 or more */
  readonly call_dex: number
  /** usd-notional; 0 or less */
  readonly put_dex: number
  /** usd-notional */
  readonly net_dex: number
}

export type FlowGex = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly live_net_gex: number
  readonly live_net_gex_label: 'positive' | 'negative' | 'neutral'
  /** price; spot at which net gamma exposure crosses zero, volatilities held */
  readonly live_gamma_flip: number | null
  readonly strikes: readonly FlowGexStrikeRow[]
}

export type FlowGexStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional; 0 or more */
  readonly call_gex: number
  /** usd-notional; 0 or less */
  readonly put_gex: number
  /** usd-notional */
  readonly net_gex: number
  /** contracts; effective */
  readonly call_oi: number
  /** contracts; effective */
  readonly put_oi: number
  /** contracts; of the session */
  readonly call_volume: number
  /** contracts; of the session */
  readonly put_volume: number
  /** contracts; change of official call open interest against the previous session; null without one to compare with */
  readonly call_oi_change: number | null
  /** contracts; change of official put open interest against the previous session; null without one to compare with */
  readonly put_oi_change: number | null
}

export type FlowHedgeFlow = {
  /** underlying ticker */
  readonly symbol: string
  /** the end of the newest half minute */
  readonly as_of: string
  /** the session that is served */
  readonly session: string
  /** the beginning of the first half minute that is held; null without any */
  readonly recorded_from: string | null
  readonly scope: 'all' | '0dte' | 'next' | 'rest'
  /** the expiration that counts as next; null if none is known */
  readonly next_expiration: string | null
  readonly measure: 'delta' | 'gamma' | 'vega'
  readonly unit: 'usd' | 'usd_per_percent' | 'usd_per_vol_point'
  readonly split: 'none' | 'right' | 'expiry' | 'size'
  readonly bar_size: '30s' | '1m' | '5m' | '15m'
  /** fraction; contracts with a known side of all eligible contracts of the scope since the open, 0 to 1 */
  readonly sided_share: number | null
  /** one for each part of the split; empty if nothing is held */
  readonly totals: readonly HedgePressureTotal[]
  /** ascending */
  readonly bars: readonly HedgePressureBar[]
  readonly usual: UsualPressure | null
}

export type FlowLevels = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  /** price; spot at which net gamma exposure crosses zero, volatilities held */
  readonly live_gamma_flip: number | null
  /** price; strike with the largest call gamma */
  readonly live_call_wall: number | null
  /** price; strike with the most negative put gamma */
  readonly live_put_wall: number | null
  /** price; strike at which the fewest dollars are paid out */
  readonly live_max_pain: number | null
}

export type FlowLive = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  /** count; option series in scope */
  readonly contracts: number
  /** count; option series whose open interest the session's flow is estimated to have changed */
  readonly contracts_with_flow: number
  /** contracts; as published in the morning */
  readonly official_oi: number
  /** contracts; official_oi + intraday_oi_delta; may be below 0 */
  readonly simulated_oi: number
  /** contracts; contracts that the session's flow is estimated to have opened, less those closed */
  readonly intraday_oi_delta: number
  /** fraction; the share of classified volume that is taken to change positions */
  readonly oi_delta_confidence: number
  /** contracts; the sum of what each contract has, none of them below 0 */
  readonly effective_oi: number
  /** usd-notional; on effective open interest, USD of delta gained per 1 % move of spot */
  readonly live_gex: number
  /** usd-notional; net delta exposure on effective open interest, USD delta of the option holders */
  readonly live_gex_delta: number
  /** price; spot at which net gamma exposure crosses zero, volatilities held */
  readonly live_gamma_flip: number | null
  /** price; strike with the largest call gamma */
  readonly live_call_wall: number | null
  /** price; strike with the most negative put gamma */
  readonly live_put_wall: number | null
  /** price; strike at which the fewest dollars are paid out */
  readonly live_max_pain: number | null
  /** score-0-100 */
  readonly live_pin_risk: number
  readonly flow_adjusted_dealer_risk: FlowLiveFlowAdjustedDealerRisk
}

export type FlowLiveFlowAdjustedDealerRisk = {
  /** usd-notional; on official open interest, USD of delta gained per 1 % move of spot */
  readonly settled_net_gex: number
  /** usd-notional; on effective open interest */
  readonly live_net_gex: number
  /** usd-notional; live - settled */
  readonly flow_gex_adjustment: number
  /** fraction; flow_gex_adjustment / settled; null where only that is 0 */
  readonly flow_gex_pct_shift: number | null
  /** usd-notional; on official open interest, USD delta of the option holders */
  readonly settled_net_dex: number
  /** usd-notional; on effective open interest */
  readonly live_net_dex: number
  /** usd-notional; live - settled */
  readonly flow_dex_adjustment: number
  /** fraction; flow_dex_adjustment / settled; null where only that is 0 */
  readonly flow_dex_pct_shift: number | null
  /** contracts; sum of |effective - official| over the contracts */
  readonly total_abs_delta_contracts: number
  readonly flow_direction: 'no_flow' | 'neutral' | 'amplifying' | 'dampening' | 'regime_flip'
  readonly description: string
}

export type FlowOi = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  /** contracts; as published in the morning */
  readonly official_oi: number
  /** contracts; official_oi + intraday_oi_delta; may be below 0 */
  readonly simulated_oi: number
  /** contracts; contracts that the session's flow is estimated to have opened, less those closed */
  readonly intraday_oi_delta: number
  /** fraction; the share of classified volume that is taken to change positions */
  readonly oi_delta_confidence: number
  /** contracts; the sum of what each contract has, none of them below 0 */
  readonly effective_oi: number
  /** count; option series in scope */
  readonly contracts_total: number
  /** count; option series whose open interest the session's flow is estimated to have changed */
  readonly contracts_with_flow: number
}

export type FlowOptionsBlocks = {
  /** underlying ticker */
  readonly symbol: string
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** contracts; of a print; below 25 only the newest prints are looked through */
  readonly minSize: number
  /** count; rows below */
  readonly count: number
  readonly blocks: readonly OptionBlockTrade[]
}

export type FlowOptionsCumulative = {
  /** underlying ticker */
  readonly symbol: string
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** count; of the window, the current minute included */
  readonly minutes: number
  /** count; minutes with a print */
  readonly count: number
  readonly points: readonly FlowOptionsCumulativePoint[]
}

export type FlowOptionsCumulativePoint = {
  /** the beginning of the minute */
  readonly ts: string
  /** contracts; bought less sold */
  readonly netVolume: number
  /** contracts; the same from the first bucket of the window on */
  readonly cumulative: number
  /** price; mean price of a share; null where no print of it may set a price */
  readonly vwap: number | null
  /** count */
  readonly tradeCount: number
}

export type FlowOptionsDealerPremium = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** count; minutes of the window, the current one included */
  readonly window_minutes: number
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** usd; paid for what customers sold */
  readonly dealer_buy_premium: number
  /** usd; received for what customers bought */
  readonly dealer_write_premium: number
  /** usd; paid less received */
  readonly net_dealer_premium: number
  /** usd; paid and received; prints without a side are in neither */
  readonly total_premium: number
  /** count; all prints of the window */
  readonly trade_count: number
  /** count; minutes with a print */
  readonly bucket_count: number
}

export type FlowOptionsHistory = {
  /** underlying ticker */
  readonly symbol: string
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** count; of the window, the current minute included */
  readonly minutes: number
  /** count; minutes with a print */
  readonly count: number
  readonly buckets: readonly OptionFlowBucket[]
}

export type FlowOptionsLeaderboard = {
  /** when it was computed; it is cached for half a minute */
  readonly generatedUtc: string
  /** count; symbols at most on each side */
  readonly n: number
  /** count; minutes before the current one */
  readonly windowMinutes: number
  readonly buyers: readonly OptionLeader[]
  readonly sellers: readonly OptionLeader[]
}

export type FlowOptionsOutliers = {
  /** when it was computed; it is cached for half a minute */
  readonly generatedUtc: string
  /** count; minutes before the current one */
  readonly windowMinutes: number
  /** count; symbols with a print in the window */
  readonly tracked: number
  /** count; those of them with enough prints, and with volume that has a side */
  readonly qualified: number
  /** count; symbols at most */
  readonly limit: number
  readonly outliers: readonly FlowOutlier[]
}

export type FlowOptionsRecent = {
  /** underlying ticker */
  readonly symbol: string
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** count; rows below */
  readonly count: number
  /** count; of the newest prints of the session that are kept, how many are in scope */
  readonly totalAvailable: number
  readonly trades: readonly OptionTrade[]
}

export type FlowOptionsSummary = {
  /** underlying ticker */
  readonly symbol: string
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** count; option series with a print */
  readonly contractsWithTrades: number
  /** count; null where only the volume of the day is known, at its close */
  readonly totalTrades: number | null
  /** contracts; bought by customers */
  readonly buyVolume: number
  /** contracts; sold by customers */
  readonly sellVolume: number
  /** contracts; of prints without a side */
  readonly midVolume: number
  /** contracts; bought less sold */
  readonly netVolume: number
  /** contracts; null where only the volume of the day is known */
  readonly biggestSingleTrade: number | null
  /** by the clock of the exchange, UTC; null without a print */
  readonly lastTradeUtc: string | null
}

export type FlowOutlier = {
  readonly symbol: string
  /** count */
  readonly tradeCount: number
  /** count; bought by customers */
  readonly buyVolume: number
  /** count; sold by customers */
  readonly sellVolume: number
  /** count; of prints without a side */
  readonly midVolume: number
  /** count; bought less sold */
  readonly netVolume: number
  /** percent; net volume over the volume that has a side, without its sign */
  readonly imbalancePct: number
  readonly skew: 'STRONG_SELL' | 'SELL' | 'MILD_SELL' | 'FLAT' | 'MILD_BUY' | 'BUY' | 'STRONG_BUY'
  /** usd-notional; of all prints that may set a price */
  readonly notional: number
  /** usd-notional; net volume at the vwap of the window */
  readonly netNotional: number
  /** count */
  readonly biggestTrade: number
  /** when the newest of the biggest prints happened */
  readonly biggestTradeUtc: string | null
  /** count; whole seconds before generatedUtc; -1 when there is none */
  readonly biggestAgeSec: number
  /** price; of the newest minute; null where no print of it may set a price */
  readonly lastVwap: number | null
  /** by the clock of the exchange, UTC */
  readonly lastTradeUtc: string | null
  /** count; whole seconds before generatedUtc; -1 when there is none */
  readonly lastTradeAgeSec: number
}

export type FlowPinRisk = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  /** score-0-100 */
  readonly live_pin_risk: number
  /** price; strike with the largest net gamma by size */
  readonly magnet_strike: number | null
  /** percent; of spot, unsigned */
  readonly distance_to_magnet_pct: number | null
  /** hours; hours of session until the expiration, or the nearest one, closes */
  readonly time_to_close_hours: number
  readonly breakdown: PinRiskParts
}

export type FlowSignal = {
  /** the first print of the group */
  readonly ts: string
  readonly expiry: string
  /** price */
  readonly strike: number
  readonly right: 'C' | 'P'
  readonly side: 'mid' | 'buy' | 'sell'
  /** price; weighted by size */
  readonly price: number
  /** contracts */
  readonly size: number
  /** usd; price times size times 100 */
  readonly premium: number
  /** days; calendar days to the expiration */
  readonly dte: number
  readonly structure: 'block' | 'sweep'
  readonly aggressor: 'mid' | 'above_ask' | 'at_ask' | 'at_bid' | 'below_bid'
  readonly open_close_bias: 'unknown' | 'opening_bias' | 'closing_bias'
  /** fraction; the share of classified volume that is taken to change positions */
  readonly open_close_confidence: number
  /** contracts; estimated change of the series' open interest by the session's flow */
  readonly contract_net_oi_delta: number
  readonly intent: 'neutral' | 'bullish' | 'bearish'
  /** score-0-100; the sum of its parts */
  readonly score: number
  readonly conviction: 'minimal' | 'low' | 'medium' | 'high'
  readonly tags: readonly ('sweep' | 'block' | 'opening' | 'closing' | '0dte' | 'whale' | 'golden')[]
  readonly score_breakdown: FlowSignalScores
  readonly enrichment: FlowSignalGreeks
}

export type FlowSignalGreeks = {
  /** fraction */
  readonly iv: number | null
  /** greek */
  readonly delta: number | null
  /** greek */
  readonly gamma: number | null
  /** fraction; iv less that at the strike nearest to spot of the same expiration */
  readonly iv_vs_atm: number | null
  readonly moneyness: 'OTM' | 'ATM' | 'ITM' | 'unknown'
  /** usd-notional; delta times size, USD; by the sign of delta, not of the trade */
  readonly estimated_delta_notional: number | null
  /** usd-notional; gamma of the contracts as if all were opened, USD per 1 % move; never added to any exposure */
  readonly hypothetical_gex_impact_if_opening: number | null
}

export type FlowSignalScores = {
  /** count */
  readonly premium: number
  /** count */
  readonly size_vs_oi: number
  /** count */
  readonly aggressor: number
  /** count */
  readonly sweep: number
  /** count */
  readonly opening_bias: number
  /** count */
  readonly tenor: number
}

export type FlowSignals = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** count */
  readonly window_minutes: number
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  readonly chain: SettledLevels
  /** count */
  readonly count: number
  readonly signals: readonly FlowSignal[]
}

export type FlowSignalsSummary = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** count */
  readonly window_minutes: number
  /** the requested expiration; null for all of them */
  readonly expiry: string | null
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** count; signals in the window, whatever their score */
  readonly signal_count: number
  /** usd; of bought calls and sold puts that do not close */
  readonly bullish_premium: number
  /** usd; of bought puts and sold calls that do not close */
  readonly bearish_premium: number
  /** usd; bullish less bearish */
  readonly net_directional_premium: number
  /** usd; of series whose volume leans to opening */
  readonly opening_premium: number
  /** usd; of series whose volume leans to closing */
  readonly closing_premium: number
  readonly top_signals: readonly FlowSignal[]
}

export type FlowStocksBars = {
  /** ticker */
  readonly symbol: string
  readonly resolution: '1s' | '1m' | '5m' | '15m' | '30m' | '1h' | '4h'
  /** count; of the window */
  readonly minutes: number
  /** count; bars with a print */
  readonly count: number
  /** the beginning of the oldest second that is kept; null without one */
  readonly dataStartUtc: string | null
  readonly bars: readonly StockBar[]
}

export type FlowStocksBlocks = {
  /** ticker */
  readonly symbol: string
  /** shares; of a print; below 1000 only the newest prints are looked through */
  readonly minSize: number
  /** count; rows below */
  readonly count: number
  readonly blocks: readonly StockBlockTrade[]
}

export type FlowStocksCumulative = {
  /** ticker */
  readonly symbol: string
  /** count; of the window, the current minute included */
  readonly minutes: number
  /** count; minutes with a print */
  readonly count: number
  readonly points: readonly FlowStocksCumulativePoint[]
}

export type FlowStocksCumulativePoint = {
  /** the beginning of the minute */
  readonly ts: string
  /** shares; bought less sold */
  readonly netVolume: number
  /** shares; the same from the first bucket of the window on */
  readonly cumulative: number
  /** price; mean price of a share; null where no print of it may set a price */
  readonly vwap: number | null
  /** count */
  readonly tradeCount: number
}

export type FlowStocksHistory = {
  /** ticker */
  readonly symbol: string
  /** count; of the window, the current minute included */
  readonly minutes: number
  /** count; minutes with a print */
  readonly count: number
  readonly buckets: readonly StockFlowBucket[]
}

export type FlowStocksLeaderboard = {
  /** when it was computed; it is cached for half a minute */
  readonly generatedUtc: string
  /** count; symbols at most on each side */
  readonly n: number
  /** count; minutes before the current one */
  readonly windowMinutes: number
  readonly buyers: readonly StockLeader[]
  readonly sellers: readonly StockLeader[]
}

export type FlowStocksOutliers = {
  /** when it was computed; it is cached for half a minute */
  readonly generatedUtc: string
  /** count; minutes before the current one */
  readonly windowMinutes: number
  /** count; symbols with a print in the window */
  readonly tracked: number
  /** count; those of them with enough prints, and with volume that has a side */
  readonly qualified: number
  /** count; symbols at most */
  readonly limit: number
  readonly outliers: readonly FlowOutlier[]
}

export type FlowStocksRecent = {
  /** ticker */
  readonly symbol: string
  /** count; rows below */
  readonly count: number
  /** count; the newest prints of the session that are kept */
  readonly totalAvailable: number
  readonly trades: readonly StockTrade[]
}

export type FlowStocksSummary = {
  /** ticker */
  readonly symbol: string
  /** count */
  readonly totalTrades: number
  /** shares; bought by customers */
  readonly buyVolume: number
  /** shares; sold by customers */
  readonly sellVolume: number
  /** shares; of prints without a side */
  readonly midVolume: number
  /** shares; bought less sold */
  readonly netVolume: number
  /** shares */
  readonly biggestSingleTrade: number
  /** by the clock of the exchange, UTC; null without a print */
  readonly lastTradeUtc: string | null
}

export type FlowSummary = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** the requested expiration; null for the whole chain */
  readonly expiry: string | null
  readonly flow_direction: 'no_flow' | 'neutral' | 'amplifying' | 'dampening' | 'regime_flip'
  /** contracts; contracts that the session's flow is estimated to have opened, less those closed */
  readonly intraday_oi_delta: number
  /** count; option series whose open interest the session's flow is estimated to have changed */
  readonly contracts_with_flow: number
  /** count; option series in scope */
  readonly contracts_total: number
  /** usd-notional; on effective open interest, USD of delta gained per 1 % move of spot */
  readonly live_gex: number
  /** fraction; flow_gex_adjustment / settled; null where only that is 0 */
  readonly flow_gex_pct_shift: number | null
}

export type FlowZeroDteHeatmap = {
  /** underlying ticker */
  readonly symbol: string
  /** price; spot of the last bar; null without bars */
  readonly underlying_price: number | null
  /** the date of the session that is served */
  readonly expiration: string
  readonly bar_size: '1m'
  /** the end of the newest minute */
  readonly as_of: string
  readonly tier_used: 'raw'
  /** every strike that expires on the day within 5 % of the spot of any bar, ascending */
  readonly strikes_grid: readonly number[]
  /** spans of the window in which bars are missing */
  readonly gap_intervals: readonly BarGap[]
  readonly metric: 'gex' | 'dex' | 'vex' | 'chex' | 'oi' | 'signed_flow'
  readonly mode: 'raw' | 'delta'
  /** ascending; values are parallel to strikes_grid */
  readonly bars: readonly HeatmapBar[]
}

export type FlowZeroDteHedgeFlow = {
  /** underlying ticker */
  readonly symbol: string
  /** the date of the session that is served */
  readonly expiration: string
  /** the end of the newest raw bar */
  readonly as_of: string
  readonly side: 'all' | 'calls' | 'puts'
  readonly bar_size: '30s' | '1m' | '5m' | '15m'
  /** ascending */
  readonly bars: readonly HedgeFlowBar[]
}

export type FlowZeroDteLeaderboard = {
  readonly metric: 'heat' | 'pin_risk' | 'abs_flow' | 'charm_intensity'
  /** count; symbols at most */
  readonly n: number
  /** the end of the newest raw bar of any symbol */
  readonly as_of: string
  readonly market_open: boolean
  readonly entries: readonly ZeroDteLeader[]
}

export type FlowZeroDteSeries = {
  /** underlying ticker */
  readonly symbol: string
  /** the date of the session that is served */
  readonly expiration: string
  /** the end of the newest raw bar */
  readonly as_of: string
  readonly bar_size: '30s' | '1m' | '5m' | '15m'
  /** ascending; each shows the last raw bar of 30 s in it */
  readonly bars: readonly ZeroDteSeriesBar[]
}

export type FlowZeroDteSnapshot = ZeroDteSnapshotAnalytics | ZeroDteSnapshotNone | SessionClosed

export type FlowZeroDteStrikeFlow = {
  /** underlying ticker */
  readonly symbol: string
  /** price; spot of the last bar; null without bars */
  readonly underlying_price: number | null
  /** the date of the session that is served */
  readonly expiration: string
  readonly bar_size: '1m'
  /** the end of the newest minute */
  readonly as_of: string
  readonly tier_used: 'raw'
  /** every strike that expires on the day within 5 % of the spot of any bar, ascending */
  readonly strikes_grid: readonly number[]
  /** spans of the window in which bars are missing */
  readonly gap_intervals: readonly BarGap[]
  /** ascending; their arrays are parallel to strikes_grid */
  readonly bars: readonly StrikeFlowBar[]
}

export type ForwardPrice = {
  readonly expiry: string
  /** days */
  readonly days_to_expiry: number
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** price; from put-call parity, else spot carried at the configured rate and yield */
  readonly forward: number
  /** price */
  readonly spot: number
  /** percent; 100 (forward - spot) / spot */
  readonly basis_pct: number
}

export type GammaChangeWindow = {
  /** count; how far back the window reaches */
  readonly minutes: number
  /** the recorded moment that is compared; null if none was recorded near by */
  readonly since: string | null
  /** price */
  readonly underlying_price_since: number | null
  readonly net: NetGammaChange | null
  /** by the size of change */
  readonly strikes: readonly StrikeGammaChange[] | null
}

export type GammaFlipBand = {
  /** price; that of the plain endpoint */
  readonly value: number | null
  readonly positions: FlipQuantiles
  readonly combined: FlipQuantiles
}

export type GarchForecast = {
  readonly model: 'garch_1_1'
  readonly distribution: 'student_t' | 'gaussian'
  readonly params: GarchParameters
  /** ratio; alpha + beta */
  readonly persistence: number | null
  /** percent; null for an integrated model */
  readonly long_run_vol_annualized: number | null
  /** days; null for an integrated model */
  readonly half_life_days: number | null
  readonly converged: boolean
  /** why the distribution is not the requested one */
  readonly note: string | null
  readonly forecast: readonly HorizonVolatility[] | null
}

export type GarchParameters = {
  /** variance; of daily decimal returns */
  readonly omega: number | null
  /** ratio; weight of the last squared return */
  readonly alpha: number | null
  /** ratio; weight of the last variance */
  readonly beta: number | null
  /** degrees-of-freedom; present for student_t */
  readonly dof?: number | null
}

export type GexConditioned = {
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'unknown'
  /** fraction; 0 to 1 */
  readonly harvest_score: number | null
  readonly interpretation: string
}

export type GexPeak = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly net_gex: number
  /** fraction; |net_gex| over the largest */
  readonly strength: number
  readonly side: 'call_wall' | 'put_wall'
}

export type GexStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional; 0 or more by the convention */
  readonly call_gex: number
  /** usd-notional; 0 or less by the convention */
  readonly put_gex: number
  /** usd-notional */
  readonly net_gex: number
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
  /** contracts */
  readonly call_volume: number
  /** contracts */
  readonly put_volume: number
  /** contracts; change of call open interest against the previous trading day; null without a snapshot of it */
  readonly call_oi_change: number | null
  /** contracts; change of put open interest against the previous trading day; null without a snapshot of it */
  readonly put_oi_change: number | null
}

export type GreekSurfaces = {
  readonly vanna: GreekSurfacesVanna
  readonly charm: GreekSurfacesCharm
  readonly volga: GreekSurfacesVolga
  readonly speed: GreekSurfacesSpeed
}

export type GreekSurfacesCharm = {
  readonly strikes: readonly number[]
  readonly expiries: readonly string[]
  readonly values: readonly (readonly number[])[]
}

export type GreekSurfacesSpeed = {
  readonly strikes: readonly number[]
  readonly expiries: readonly string[]
  readonly values: readonly (readonly number[])[]
}

export type GreekSurfacesVanna = {
  readonly strikes: readonly number[]
  readonly expiries: readonly string[]
  readonly values: readonly (readonly number[])[]
}

export type GreekSurfacesVolga = {
  readonly strikes: readonly number[]
  readonly expiries: readonly string[]
  readonly values: readonly (readonly number[])[]
}

export type GreeksLeg = {
  /** buy, sell, long or short in any case */
  readonly action?: string
  /** call, put, c or p in any case */
  readonly type?: string
  /** price */
  readonly strike: number
  readonly expiry: string
  /** fraction */
  readonly impliedVol: number
  /** contracts */
  readonly quantity?: number
}

export type HarRvComponents = {
  /** percent */
  readonly daily: number
  /** percent */
  readonly weekly: number
  /** percent */
  readonly monthly: number
}

export type HarRvForecast = {
  /** percent; of the mean variance of the next 21 days */
  readonly vol_annualized: number
  readonly components: HarRvComponents
  /** percent */
  readonly next_day_forecast: number
}

export type HeatmapBar = {
  /** the beginning of the minute */
  readonly t: string
  /** price */
  readonly spot: number | null
  readonly values: readonly (number | null)[]
}

export type HedgeFlowBar = {
  /** the beginning of the bar */
  readonly t: string
  /** usd; since the previous bar; positive where dealers buy the underlying */
  readonly bar: number
  /** usd; running since the open, at the end of the last raw bar of 30 s in it */
  readonly cumulative: number
}

export type HedgePressureBar = {
  /** the beginning of the bar */
  readonly t: string
  /** usd; since the previous bar */
  readonly bar: number
  /** usd; since the open, at the end of the last half minute in the bar */
  readonly cumulative: number
  readonly parts: HedgePressureParts | null
}

/** what each part of the split adds to `bar`; null without a split */
export type HedgePressureParts = {
  /** usd */
  readonly calls?: number
  /** usd */
  readonly puts?: number
  /** usd */
  readonly '0dte'?: number
  /** usd */
  readonly next?: number
  /** usd */
  readonly rest?: number
  /** usd */
  readonly small?: number
  /** usd */
  readonly medium?: number
  /** usd */
  readonly large?: number
}

export type HedgePressureTotal = {
  readonly key: 'all' | 'calls' | 'puts' | '0dte' | 'next' | 'rest' | 'small' | 'medium' | 'large'
  /** usd; since the open */
  readonly value: number
}

export type HedgingEstimate = {
  /** shares; signed: dealers buy when positive */
  readonly dealer_shares_to_trade: number
  readonly direction: 'BUY' | 'SELL'
  /** usd; |shares| times spot */
  readonly notional_usd: number
}

export type HedgingEstimates = {
  readonly spot_down_1pct: HedgingEstimate
  readonly spot_up_1pct: HedgingEstimate
}

export type HedgingScenario = {
  /** percent; move of spot */
  readonly move_pct: number
  /** shares; signed: dealers buy when positive */
  readonly dealer_shares: number
  readonly direction: 'buy' | 'sell'
  /** usd; |shares| times spot */
  readonly notional_usd: number
}

export type HeldSymbol = {
  readonly symbol: string
  /** when its chain was observed */
  readonly as_of: string
  /** its source has failed since */
  readonly is_stale: boolean
}

export type HigherStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly call_speed: number
  /** usd-notional */
  readonly put_speed: number
  /** usd-notional */
  readonly net_speed: number
  /** usd-notional */
  readonly call_zomma: number
  /** usd-notional */
  readonly put_zomma: number
  /** usd-notional */
  readonly net_zomma: number
  /** usd-notional */
  readonly call_vomma: number
  /** usd-notional */
  readonly put_vomma: number
  /** usd-notional */
  readonly net_vomma: number
}

export type HorizonLevels = {
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** price; call wall among the strikes at or above spot */
  readonly call_wall_above: number | null
  /** price; put wall among the strikes at or below spot */
  readonly put_wall_below: number | null
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
}

export type HorizonVolatility = {
  /** days */
  readonly horizon_days: number
  /** percent */
  readonly vol_annualized: number
}

export type IncompleteStretch = {
  readonly from: string
  readonly to: string
}

export type IvCrushDistribution = {
  /** percent; of the volatility before, over the newest 20 reports at most */
  readonly median: number | null
  /** percent; a quarter fell less */
  readonly p25: number | null
  /** percent; a quarter fell more */
  readonly p75: number | null
  /** percent; the smallest fall */
  readonly worst: number | null
  /** percent; the largest */
  readonly best: number | null
  /** count; reports */
  readonly count: number
}

export type IvCrushEstimate = {
  /** percent; to the volatility of the expiration behind; negative: no fall is priced */
  readonly expected_crush_pct: number
  /** percent; of the first expiration behind the report */
  readonly pre_iv: number
  /** percent; of the expiration behind that */
  readonly post_iv: number
  /** percent; everyday volatility, without the report */
  readonly ex_event_iv: number
  /** percent; to everyday volatility: one expiration before and after */
  readonly model_crush_pct: number
}

export type KellyAnalysis = {
  /** fraction; expected payoff / premium - 1, at expiry and undiscounted */
  readonly expected_roi: number
  /** percent */
  readonly expected_roi_pct: number
  /** usd; per share */
  readonly expected_payoff: number
  /** fraction */
  readonly probability_of_profit: number
  /** percent */
  readonly probability_of_profit_pct: number
  /** fraction */
  readonly probability_itm: number
  /** percent */
  readonly probability_itm_pct: number
  /** usd; the premium */
  readonly max_loss: number
  /** price; the underlying at expiry where payoff and premium are equal */
  readonly breakeven: number
  /** log-growth; of wealth over the life of the option, at kelly_fraction */
  readonly expected_growth_rate: number
}

export type KellySizing = {
  /** fraction */
  readonly kelly_fraction: number
  /** fraction */
  readonly half_kelly: number
  /** fraction */
  readonly quarter_kelly: number
  /** percent */
  readonly kelly_pct: number
  /** percent */
  readonly half_kelly_pct: number
}

export type KeyLevels = {
  /** price; above it dealers dampen moves, below it they amplify them */
  readonly gamma_flip: number | null
  /** price; strike with the highest positive net gamma */
  readonly max_positive_gamma: number | null
  /** price; strike with the most negative net gamma */
  readonly max_negative_gamma: number | null
  /** price; strike with the highest call gamma: resistance */
  readonly call_wall: number | null
  /** price; strike with the most negative put gamma: support */
  readonly put_wall: number | null
  /** price; strike with the most open interest */
  readonly highest_oi_strike: number | null
  /** price; strike with the largest net gamma of what expires today */
  readonly zero_dte_magnet: number | null
  /** price; strike at or above spot with the highest call gamma */
  readonly call_wall_above: number | null
  /** price; strike at or below spot with the most negative put gamma */
  readonly put_wall_below: number | null
}

export type LargestInventoryStrike = {
  /** price; where the gamma profile bends most */
  readonly strike: number
  /** ratio */
  readonly magnitude: number
}

export type LeftOutContracts = {
  readonly reason: 'no_open_interest' | 'no_volatility' | 'not_live'
  /** count */
  readonly contracts: number
  /** contracts */
  readonly open_interest: number
}

export type LevelCandidate = {
  /** price */
  readonly strike: number
  /** usd-notional; call gex, put gex, net gex or total pain at the strike */
  readonly value: number
}

export type LevelCandidates = {
  readonly rows: readonly LevelCandidate[]
  /** ratio; leader over runner-up, for max_pain the inverse */
  readonly margin: number | null
  /** fraction; how often a call wall with this margin stood elsewhere at the next settlement */
  readonly moved_overnight: number | null
}

/** what expires today, within 7 days, within 35 days, ever; null where nothing live does, or below the plan that gex asks for it */
export type LevelsByHorizon = {
  readonly zero_dte: HorizonLevels | null
  readonly week: HorizonLevels | null
  readonly month: HorizonLevels | null
  readonly all: HorizonLevels | null
}

export type Liquidity = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** score-0-100; mean of the expirations by open interest */
  readonly chain_execution_score: number
  readonly best_expiry: string | null
  readonly worst_expiry: string | null
  /** count; expirations labelled illiquid */
  readonly thin_expiry_count: number
  readonly expiries: readonly ExpirationLiquidity[]
}

export type MacroLevel = {
  /** index-points */
  readonly value: number
  /** index-points; against the previous close */
  readonly change: number | null
  /** percent */
  readonly change_pct: number | null
}

export type MacroVixState = {
  /** the newer of the quote of the VIX and the last close of SPX, UTC */
  readonly as_of: string
  /** index-points */
  readonly vix: number
  /** percent; close to close */
  readonly spx_rv_20d: number
  /** percent; vix minus spx_rv_20d, vol points */
  readonly spread: number
  /** ratio; vix over spx_rv_20d */
  readonly ratio: number | null
  readonly state: 'overvixing' | 'undervixing' | 'neutral'
  readonly interpretation: string
}

export type MarketSession = {
  /** underlying ticker */
  readonly symbol: string
  /** price; null where the symbol is not quoted */
  readonly underlying_price: number | null
  /** the minute of the market that the status is of, UTC */
  readonly as_of: string
  /** of the session of as_of, or of the last session before it */
  readonly date: string
  readonly status: 'pre' | 'open' | 'closed' | 'holiday'
  readonly open: string
  readonly close: string
  readonly is_half_day: boolean
  /** of the session after this one */
  readonly next_open: string
  /** of the newest session that is over, UTC: figures are of then until the next open */
  readonly last_close: string
  /** of the session before this one */
  readonly previous_date: string
  /** price; of the previous session; null if nothing is stored of it */
  readonly previous_close: number | null
}

export type MaxPainAlignment = {
  readonly alignment: 'converging' | 'moderate' | 'diverging' | 'unknown'
  readonly description: string
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
}

export type MaxPainDistance = {
  /** usd; |spot - max pain| */
  readonly absolute: number
  /** percent; of spot */
  readonly percent: number
  readonly direction: 'above' | 'below' | 'at'
}

export type MaxPainExpectedMove = {
  /** usd */
  readonly straddle_price: number | null
  /** percent */
  readonly atm_iv: number | null
  readonly max_pain_within_expected_range: boolean | null
}

export type Maxpain = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** price; strike at which option holders are paid least */
  readonly max_pain_strike: number
  readonly distance: MaxPainDistance
  readonly signal: 'bullish' | 'bearish' | 'neutral'
  /** the filter, else the nearest live expiration */
  readonly expiration: string
  /** ratio */
  readonly put_call_oi_ratio: number | null
  readonly pain_curve: readonly PainPoint[]
  readonly oi_by_strike: readonly OpenInterestStrike[]
  readonly max_pain_by_expiration: readonly ExpirationMaxPain[] | null
  readonly dealer_alignment: MaxPainAlignment
  readonly regime: 'positive_gamma' | 'negative_gamma'
  readonly expected_move: MaxPainExpectedMove
  /** score-0-100 */
  readonly pin_probability: number
  readonly scope: ExpirationScope
}

export type ModelFreeVolatility = {
  readonly by_expiration: readonly ExpirationModelFree[]
  /** percent; the same over the next 30 days */
  readonly days_30: number | null
}

export type MoneynessPutCall = {
  /** contracts */
  readonly otm_call_oi: number
  /** contracts; within 5 % of spot */
  readonly atm_call_oi: number
  /** contracts */
  readonly itm_call_oi: number
  /** contracts */
  readonly otm_put_oi: number
  /** contracts */
  readonly atm_put_oi: number
  /** contracts */
  readonly itm_put_oi: number
}

export type Narrative = {
  readonly regime: string
  readonly gex_change: string
  readonly key_levels: string
  readonly flow: string
  readonly vanna: string
  readonly charm: string
  readonly zero_dte: string
  readonly outlook: string
  readonly data: NarrativeFigures
}

export type NarrativeFigures = {
  /** usd-notional */
  readonly net_gex: number
  /** usd-notional; at the close of the previous trading day */
  readonly net_gex_prior: number | null
  /** percent */
  readonly net_gex_change_pct: number | null
  /** usd-notional; USD of delta gained per volatility point */
  readonly net_vex_per_point: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** index-points */
  readonly vix: number | null
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** price; call wall among the strikes at or above spot */
  readonly call_wall_above: number | null
  /** price; put wall among the strikes at or below spot */
  readonly put_wall_below: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'undetermined'
  /** percent; 100 |same-day net| / |full-chain net|; may exceed 100 */
  readonly zero_dte_pct: number | null
  /** percent; share of the gross gamma of all contracts, 0 to 100 */
  readonly zero_dte_gross_pct: number | null
  readonly top_oi_changes: readonly NarrativeOiChange[]
}

export type NarrativeOiChange = {
  readonly expiration: string
  /** price */
  readonly strike: number
  readonly type: 'C' | 'P'
  /** contracts; signed */
  readonly oi_change: number
  /** contracts */
  readonly volume: number
}

export type NetExposures = {
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** usd-notional; USD of delta gained per volatility point: net_vex / 100 */
  readonly net_vex_per_point: number
}

/** net gamma of the whole chain */
export type NetGammaChange = {
  /** usd-notional */
  readonly from: number
  /** usd-notional */
  readonly to: number
  /** usd-notional; to - from = spot + rest */
  readonly change: number
  /** usd-notional; what the move of spot alone makes of the contracts of now */
  readonly spot: number
  /** usd-notional; what is new: time, volatility, open interest, listing */
  readonly rest: number
}

export type NoZeroDte = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly market_open: boolean
  readonly expiration: string | null
  readonly no_zero_dte: true
  readonly message: string
  /** next listed expiration */
  readonly next_zero_dte_expiry: string | null
}

export type OpenInterestChange = {
  /** price */
  readonly strike: number
  readonly type: 'C' | 'P'
  readonly expiry: string
  /** contracts */
  readonly today_oi: number
  /** contracts */
  readonly prior_oi: number
  /** contracts; today_oi - prior_oi */
  readonly oi_change: number
}

export type OpenInterestConcentration = {
  /** percent; share of the three largest strikes */
  readonly top_3_pct: number | null
  /** percent */
  readonly top_5_pct: number | null
  /** percent */
  readonly top_10_pct: number | null
  /** fraction; sum of the squared shares of all strikes */
  readonly herfindahl: number | null
}

export type OpenInterestStrike = {
  /** price */
  readonly strike: number
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
  /** contracts */
  readonly total_oi: number
  /** contracts */
  readonly call_volume: number
  /** contracts */
  readonly put_volume: number
}

export type OptionBlockTrade = {
  /** by the clock of the exchange, UTC */
  readonly ts: string
  readonly expiry: string
  /** price */
  readonly strike: number
  readonly right: 'C' | 'P'
  /** price */
  readonly price: number
  /** contracts */
  readonly size: number
  readonly side: 'mid' | 'buy' | 'sell'
}

export type OptionFlowBucket = {
  /** the beginning of the minute */
  readonly ts: string
  /** contracts; bought by customers */
  readonly buyVolume: number
  /** contracts; sold by customers */
  readonly sellVolume: number
  /** contracts; of prints without a side */
  readonly midVolume: number
  /** contracts; bought less sold */
  readonly netVolume: number
  /** count */
  readonly tradeCount: number
  /** contracts */
  readonly biggestTrade: number
  /** price; mean price of a contract, all series in scope together; null where no print of it may set a price */
  readonly vwap: number | null
  /** price; highest price; null where no print of it may set a price */
  readonly high: number | null
  /** price; lowest price; null where no print of it may set a price */
  readonly low: number | null
}

export type OptionLeader = {
  readonly symbol: string
  /** contracts; bought by customers */
  readonly buyVolume: number
  /** contracts; sold by customers */
  readonly sellVolume: number
  /** contracts; bought less sold */
  readonly netVolume: number
  /** usd-notional; net volume at the average premium, times 100 */
  readonly netNotional: number
  /** count */
  readonly tradeCount: number
  /** by the clock of the exchange, UTC */
  readonly lastTradeUtc: string
  /** price; over all prints of the window */
  readonly avgPremium: number
}

export type OptionTrade = {
  /** by the clock of the exchange, UTC */
  readonly ts: string
  /** count; 52 bits of the OCC name of the series: the same on every host and every day */
  readonly instrumentId: number
  readonly expiry: string
  /** price */
  readonly strike: number
  readonly right: 'C' | 'P'
  /** price */
  readonly price: number
  /** contracts */
  readonly size: number
  readonly side: 'mid' | 'buy' | 'sell'
  /** 100 contracts or more */
  readonly isBlock: boolean
  /** price; best bid that the side was judged by; null where there was none */
  readonly bid: number | null
  /** price; best ask that the side was judged by; null where there was none */
  readonly ask: number | null
}

export type Optionquote = ContractQuote | readonly ContractQuote[]

export type Options = {
  readonly symbol: string
  readonly expirations: readonly ExpirationStrikes[]
  /** count */
  readonly expiration_count: number
  /** count; strikes over all expirations: a call and a put at one strike count once */
  readonly total_contracts: number
}

export type PainPoint = {
  /** price */
  readonly strike: number
  /** usd */
  readonly call_pain: number
  /** usd */
  readonly put_pain: number
  /** usd */
  readonly total_pain: number
}

/** the parts before they are weighted 0.30, 0.25, 0.25 and 0.20 */
export type PinRiskParts = {
  /** score-0-100 */
  readonly oi_score: number
  /** score-0-100 */
  readonly proximity_score: number
  /** score-0-100 */
  readonly time_score: number
  /** score-0-100 */
  readonly gamma_score: number
}

export type PinRiskScores = {
  /** score-0-100 */
  readonly oi_score: number
  /** score-0-100 */
  readonly proximity_score: number
  /** score-0-100 */
  readonly time_score: number
  /** score-0-100 */
  readonly gamma_score: number
}

export type PnlLeg = {
  /** buy, sell, long or short in any case */
  readonly action?: string
  /** call, put, c or p in any case */
  readonly type?: string
  /** price */
  readonly strike: number
  /** usd per share */
  readonly premium: number
  readonly expiry?: string
  /** fraction */
  readonly impliedVol?: number
  /** contracts */
  readonly quantity?: number
}

export type PnlPoint = {
  /** price */
  readonly underlying: number
  /** usd per share; at expiry */
  readonly pnl: number
}

export type PositionGreeks = {
  /** greek */
  readonly delta: number
  /** greek */
  readonly gamma: number
  /** usd-per-day; per calendar day passing */
  readonly theta: number
  /** usd per vol point */
  readonly vega: number
  /** usd per 1.00 rate */
  readonly rho: number
  /** per 1.00 vol */
  readonly vanna: number
  /** delta-per-day; per day of time to expiry: the sign is opposite to that of theta */
  readonly charm: number
}

/** risk-neutral: what option prices say, with the premium for risk in them, not a forecast */
export type PriceDensity = {
  readonly expiry: string
  /** option root; SPX and SPXW may expire on one day */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** days */
  readonly days_to_expiry: number
  /** years */
  readonly tenor: number
  /** price */
  readonly forward: number
  /** count; out-of-the-money quotes with bid and ask */
  readonly quotes: number
  /** fraction; of them, those whose bid and ask hold the price of the smile */
  readonly quotes_inside: number
  /** fraction; risk-neutral probability: an end below the lowest or above the highest of these quotes, which is extrapolation */
  readonly beyond_quotes: number
  /** percent; of the whole smile, tails included, calendar minutes: beside vol of model_free */
  readonly variance_vol: number
  /** fraction; of that variance, what comes from strikes beyond these quotes: extrapolation */
  readonly variance_beyond_quotes: number
  /** 1 %, 5 %, 10 %, 25 %, 50 %, 75 %, 90 %, 95 %, 99 % */
  readonly quantiles: readonly PriceQuantile[]
  /** every listed strike, ascending */
  readonly strikes: readonly number[]
  /** by index of strikes */
  readonly below: readonly number[]
  /** by index of strikes */
  readonly above: readonly number[]
}

export type PriceQuantile = {
  /** percent; risk-neutral probability of an end at or below the price */
  readonly probability: number
  /** price */
  readonly price: number
}

export type PricingGreeks = {
  readonly inputs: PricingGreeksInputs
  /** usd; per share */
  readonly theoretical_price: number
  readonly first_order: FirstOrderGreeks
  readonly second_order: SecondOrderGreeks
  readonly third_order: ThirdOrderGreeks
  readonly additional: AdditionalGreeks
}

export type PricingGreeksInputs = {
  /** price */
  readonly spot: number
  /** price */
  readonly strike: number
  /** days */
  readonly dte: number
  /** fraction */
  readonly sigma: number
  readonly type: 'call' | 'put'
  /** fraction */
  readonly risk_free_rate: number
  /** fraction */
  readonly dividend_yield: number
}

export type PricingIv = {
  readonly inputs: PricingIvInputs
  /** fraction; annual fraction */
  readonly implied_volatility: number
  /** percent */
  readonly implied_volatility_pct: number
}

export type PricingIvInputs = {
  /** price */
  readonly spot: number
  /** price */
  readonly strike: number
  /** days */
  readonly dte: number
  /** usd */
  readonly price: number
  readonly type: 'call' | 'put'
  /** fraction */
  readonly risk_free_rate: number
  /** fraction */
  readonly dividend_yield: number
}

export type PricingKelly = {
  readonly inputs: PricingKellyInputs
  readonly sizing: KellySizing
  readonly analysis: KellyAnalysis
  readonly recommendation: string
}

export type PricingKellyInputs = {
  /** price */
  readonly spot: number
  /** price */
  readonly strike: number
  /** days */
  readonly dte: number
  /** fraction */
  readonly sigma: number
  /** usd */
  readonly premium: number
  /** fraction */
  readonly mu: number
  readonly type: 'call' | 'put'
  /** fraction */
  readonly risk_free_rate: number
  /** fraction */
  readonly dividend_yield: number
}

export type ProfileBucket = {
  readonly bucket: '0' | '1-7' | '8-30' | '31-90' | '91+'
  readonly gex: readonly number[]
}

export type PutCallProfile = {
  readonly by_expiry: readonly ExpirationPutCall[]
  readonly by_moneyness: MoneynessPutCall
}

export type Quality = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** name of the connector; on the replay host recorded or imported */
  readonly source: string
  /** seconds; of the chain by the clock of the market */
  readonly age_s: number
  /** score-0-100; 100 less all deductions */
  readonly score: number
  readonly contracts: ContractCounts
  readonly checks: readonly QualityCheck[]
}

export type QualityCheck = {
  readonly id: 'age' | 'two_sided' | 'crossed' | 'spread' | 'parity' | 'smile' | 'arbitrage' | 'missing_expirations' | 'open_interest_date' | 'spot' | 'scale' | 'open_interest' | 'settlement' | 'frozen_quotes' | 'quote_times'
  /** as unit says; null where the check was not made */
  readonly value: number | null
  readonly unit: 'seconds' | 'percent' | 'ratio' | 'count'
  /** points; of the score */
  readonly deduction: number
  readonly state: 'passed' | 'failed' | 'not_checkable' | 'not_due'
  /** the finding */
  readonly text: string
}

export type Quantiles = {
  /** usd-notional */
  readonly p05: number
  /** usd-notional */
  readonly p25: number
  /** usd-notional */
  readonly p50: number
  /** usd-notional */
  readonly p75: number
  /** usd-notional */
  readonly p95: number
}

/** before as_of; null where the source does not state the time of each quote */
export type QuoteAge = {
  /** seconds */
  readonly median_s: number
  /** seconds */
  readonly p95_s: number
}

/** the least and the greatest at the volatilities of mid, bid and ask */
export type QuoteRange = {
  /** usd-notional */
  readonly low: number
  /** usd-notional */
  readonly high: number
}

/** which positions of dealers the sentences assume, and which the codes about vanna and charm */
export type Reading = {
  readonly sentences: 'dealers_long_calls_short_puts' | 'dealer_model'
  readonly codes: 'dealers_short_calls_long_puts' | 'opposite_of_dealer_model'
  readonly note: string
}

export type RealizedEstimators = {
  readonly close_to_close: WindowVolatilities
  readonly parkinson: WindowVolatilities
  readonly garman_klass: WindowVolatilities
  readonly rogers_satchell: WindowVolatilities
  readonly yang_zhang: WindowVolatilities
}

export type RealizedVolatilities = {
  /** percent; close to close over the last 5 returns */
  readonly rv_5d: number | null
  /** percent */
  readonly rv_10d: number | null
  /** percent */
  readonly rv_20d: number | null
  /** percent */
  readonly rv_30d: number | null
  /** percent */
  readonly rv_60d: number | null
}

export type RefusedExpiration = {
  readonly expiry: string
  readonly root: string
  readonly settlement: 'am' | 'pm'
  readonly reason: 'few_points' | 'no_fit' | 'rough'
}

/** probability that net gamma is above 0 */
export type RegimeProbability = {
  /** fraction */
  readonly positive_positions: number | null
  /** fraction */
  readonly positive_combined: number | null
}

export type RightContribution = {
  readonly right: 'call' | 'put'
  /** usd-notional */
  readonly value: number
  /** fraction; of gross */
  readonly share: number
}

export type RiskFlag = {
  readonly severity: 'low' | 'medium' | 'high'
  readonly code: 'NEGATIVE_GAMMA' | 'EARNINGS_BEFORE_EXPIRY' | 'EXPECTED_MOVE_EXHAUSTED' | 'EX_DIVIDEND_BEFORE_EXPIRY' | 'NEAR_GAMMA_FLIP' | 'PREMIUM_VOLUME_DIVERGENCE' | 'RISING_REALIZED_VOL' | 'TERM_INVERSION' | 'WIDE_SPREADS' | 'EX_DIVIDEND_RISK_NOT_MODELED' | 'LATE_DAY_GREEKS'
  readonly message: string
}

export type RiskPremiums = {
  /** percent; atm_iv minus rv_5d, vol points */
  readonly vrp_5d: number | null
  /** percent */
  readonly vrp_10d: number | null
  /** percent */
  readonly vrp_20d: number | null
  /** percent */
  readonly vrp_30d: number | null
  /** percent */
  readonly vrp_60d: number | null
  readonly assessment: 'very_high_premium' | 'healthy_premium' | 'moderate_premium' | 'thin_premium' | 'negative_spread' | 'danger_zone' | null
}

export type RollCandidate = {
  readonly expiry: string
  /** price */
  readonly strike: number
  /** usd */
  readonly premium: number
}

export type ScenarioAxes = {
  readonly days_forward: readonly number[]
  readonly vol_shocks: readonly number[]
  readonly spot_shocks_pct: readonly number[]
  readonly underlying: readonly number[]
}

export type ScenarioGrid = {
  /** price */
  readonly spot: number
  readonly valuation_date: string
  /** fraction */
  readonly rate: number
  /** fraction */
  readonly dividend_yield: number
  /** usd per share; net premium paid; negative = credit */
  readonly entry_cost: number
  /** usd per share; model value with no shock at day 0 */
  readonly base_value: number
  readonly axes: ScenarioAxes
  /** pnl[day][vol][spot] */
  readonly pnl: readonly (readonly (readonly number[])[])[]
  readonly best: ScenarioOutcome
  readonly worst: ScenarioOutcome
}

export type ScenarioOutcome = {
  /** usd per share */
  readonly pnl: number
  /** days */
  readonly days_forward: number
  /** fraction */
  readonly vol_shock: number
  /** percent */
  readonly spot_shock_pct: number
  /** price; spot * (1 + shock / 100) */
  readonly underlying: number
}

export type ScenarioRequest = {
  /** current price of the underlying */
  readonly spot: number
  /** percent of spot */
  readonly spotShocksPct?: readonly number[]
  /** fractions added to the volatility of every leg */
  readonly volShocks?: readonly number[]
  /** days after today */
  readonly daysForward?: readonly number[]
  /** default: current UTC date */
  readonly today?: string
  /** fraction */
  readonly rate?: number
  /** fraction */
  readonly dividendYield?: number
}

export type Screener = {
  readonly meta: ScreenerMeta
  readonly data: readonly object[]
}

/** a condition {field or formula, operator, value} or a group {op, conditions} */
export type ScreenerCondition = {
  readonly field?: string
  /** an alias or an expression */
  readonly formula?: string
  readonly operator?: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'in' | 'is_null' | 'is_not_null' | '=' | '==' | '!=' | '>' | '>=' | '<' | '<='
  /** [low, high] for between, an array for in, absent for the null tests */
  readonly value?: number | string | boolean | readonly (number | string | boolean)[]
  readonly op?: 'and' | 'or'
  /** conditions and groups alike */
  readonly conditions?: readonly object[]
}

export type ScreenerField = {
  readonly name: string
  readonly type: 'number' | 'string' | 'boolean'
  readonly level: 'stock' | 'expiries' | 'strikes' | 'contracts' | 'macro'
  readonly min_plan: 'growth' | 'alpha'
}

export type ScreenerFields = {
  readonly fields: readonly ScreenerField[]
  /** count */
  readonly count: number
}

export type ScreenerFormula = {
  readonly alias: string
  readonly expression: string
}

export type ScreenerMeta = {
  /** count; symbols that pass the filters */
  readonly total_count: number
  /** count; rows of this answer */
  readonly returned_count: number
  /** count; symbols considered: those loaded that plan and universe allow */
  readonly universe_size: number
  /** count; symbols that plan and universe allow and that have no row yet: they are still being read, or cannot be had */
  readonly missing_count: number
  /** count */
  readonly offset: number
  /** count; that of the request, or the most the plan may have */
  readonly limit: number
  readonly tier: 'growth' | 'alpha'
  /** the newest moment of the rows considered */
  readonly as_of: string
}

export type ScreenerRequest = {
  readonly universe?: ScreenerUniverse
  readonly filters?: ScreenerCondition
  /** in place of filters, conditions as text: atm_iv > 25 and regime = negative_gamma */
  readonly where?: string
  readonly formulas?: readonly ScreenerFormula[]
  readonly sort?: readonly ScreenerSort[]
  /** columns; * stands for all the plan may read */
  readonly select?: readonly string[]
  readonly limit?: number
  readonly offset?: number
}

export type ScreenerSort = {
  readonly field?: string
  /** an alias or an expression */
  readonly formula?: string
  readonly direction?: 'asc' | 'desc'
}

export type ScreenerUniverse = {
  readonly type: 'preset' | 'custom'
  /** all, tier1, tier2, etfs, indices, or a list of the operator */
  readonly value?: string
  readonly symbols?: readonly string[]
}

export type SecondOrderGreeks = {
  /** per 1.00 vol */
  readonly vanna: number
  /** delta-per-day; per day of time to expiry: the sign is opposite to that of theta */
  readonly charm: number
  /** usd per 1.00 vol squared */
  readonly vomma: number
  /** greek; price change per 1.00 of strike */
  readonly dual_delta: number
}

export type Series = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly every: '1m' | '5m' | '15m' | '30m' | '1h' | '1d'
  /** ascending */
  readonly t: readonly string[]
  /** one array for each field asked for, as long as t, of what the answer about that moment says: underlying_price, net_gex, net_dex, net_vex, net_chex, gamma_flip, call_wall, put_wall, call_wall_above, put_wall_below, max_positive_gamma, max_negative_gamma, max_pain, atm_iv, atm_iv_30d, skew_25d, expected_move_1d, pc_ratio_oi, pc_ratio_volume, total_call_oi, total_put_oi, total_call_volume, total_put_volume, zero_dte.net_gex, zero_dte.net_chex, zero_dte.call_wall, zero_dte.put_wall, zero_dte.magnet, zero_dte.pin_score, zero_dte.theta_per_hour, zero_dte.remaining_1sd_dollars, flow.net_premium, flow.delta_dollars, flow.hedge.delta, flow.hedge.delta_calls, flow.hedge.delta_puts, flow.hedge.delta_next, flow.hedge.gamma, flow.hedge.vega, flow.net_gex_live */
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
  /** stretches with snapshots whose figures wait to be made, by formulas that changed or of prints */
  readonly incomplete: readonly IncompleteStretch[]
}

export type SessionClosed = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly market_open: false
  readonly session_closed: true
  /** the newest session that has begun */
  readonly last_session: string
  readonly message: string
}

export type SettledLevels = {
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** price */
  readonly max_pain: number | null
  /** price */
  readonly gamma_flip: number | null
}

export type SheetStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly call_gex: number
  /** usd-notional */
  readonly put_gex: number
  /** usd-notional */
  readonly net_gex: number
  /** usd-notional */
  readonly call_dex: number
  /** usd-notional */
  readonly put_dex: number
  /** usd-notional */
  readonly net_dex: number
  /** usd-notional */
  readonly call_vex: number
  /** usd-notional */
  readonly put_vex: number
  /** usd-notional */
  readonly net_vex: number
  /** usd-notional */
  readonly call_chex: number
  /** usd-notional */
  readonly put_chex: number
  /** usd-notional */
  readonly net_chex: number
  /** usd-notional */
  readonly dag: number
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
}

export type SheetTotals = {
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** usd-notional; delta-adjusted gamma */
  readonly net_dag: number
}

export type SkewMetrics = {
  readonly expiry: string | null
  /** days */
  readonly days_to_expiry: number | null
  /** percent; at the forward */
  readonly atm_iv: number | null
  /** percent */
  readonly call_iv_25d: number | null
  /** percent */
  readonly put_iv_25d: number | null
  /** percent; call minus put, vol points */
  readonly risk_reversal_25d: number | null
  /** percent; vol points per 10 % of log-moneyness, above 0 where puts are more expensive */
  readonly skew_slope: number | null
  readonly dominant_wing: 'put' | 'call' | 'none' | null
  /** count; smile points */
  readonly sample_count: number | null
  /** price */
  readonly underlying_price: number
}

export type SkewProfile = {
  readonly expiry: string
  /** days */
  readonly days_to_expiry: number
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** percent */
  readonly put_10d_iv: number
  /** percent */
  readonly put_25d_iv: number
  /** percent */
  readonly atm_iv: number
  /** percent */
  readonly call_25d_iv: number
  /** percent */
  readonly call_10d_iv: number
  /** percent; put minus call, vol points */
  readonly skew_25d: number
  /** ratio; put over call */
  readonly smile_ratio: number
  /** percent; how the downside steepens, vol points */
  readonly tail_convexity: number
}

export type SpreadWidths = {
  /** percent; of the mid, contracts with a two-sided quote */
  readonly median_pct: number | null
  /** percent */
  readonly p95_pct: number | null
}

export type StockBar = {
  /** the beginning of the bar */
  readonly ts: string
  /** whether the bar is over */
  readonly closed: boolean
  /** price; first price by time; null where no print of it may set a price */
  readonly open: number | null
  /** price; last price by time; null where no print of it may set a price */
  readonly close: number | null
  /** price; highest price; null where no print of it may set a price */
  readonly high: number | null
  /** price; lowest price; null where no print of it may set a price */
  readonly low: number | null
  /** price; mean price of a share; null where no print of it may set a price */
  readonly vwap: number | null
  /** shares; bought by customers */
  readonly buyVolume: number
  /** shares; sold by customers */
  readonly sellVolume: number
  /** shares; of prints without a side */
  readonly midVolume: number
  /** shares; bought less sold */
  readonly netVolume: number
  /** count */
  readonly tradeCount: number
  /** shares */
  readonly biggestTrade: number
}

export type StockBlockTrade = {
  /** by the clock of the exchange, UTC */
  readonly ts: string
  /** price */
  readonly price: number
  /** shares */
  readonly size: number
  readonly side: 'mid' | 'buy' | 'sell'
  /** price; best bid that the side was judged by; null where there was none */
  readonly bid: number | null
  /** price; best ask that the side was judged by; null where there was none */
  readonly ask: number | null
}

export type StockFlowBucket = {
  /** the beginning of the minute */
  readonly ts: string
  /** shares; bought by customers */
  readonly buyVolume: number
  /** shares; sold by customers */
  readonly sellVolume: number
  /** shares; of prints without a side */
  readonly midVolume: number
  /** shares; bought less sold */
  readonly netVolume: number
  /** count */
  readonly tradeCount: number
  /** shares */
  readonly biggestTrade: number
  /** price; first price by time; null where no print of it may set a price */
  readonly open: number | null
  /** price; last price by time; null where no print of it may set a price */
  readonly close: number | null
  /** price; highest price; null where no print of it may set a price */
  readonly high: number | null
  /** price; lowest price; null where no print of it may set a price */
  readonly low: number | null
  /** price; mean price of a share; null where no print of it may set a price */
  readonly vwap: number | null
}

export type StockLeader = {
  readonly symbol: string
  /** shares; bought by customers */
  readonly buyVolume: number
  /** shares; sold by customers */
  readonly sellVolume: number
  /** shares; bought less sold */
  readonly netVolume: number
  /** usd-notional; net volume at the vwap */
  readonly netNotional: number
  /** count */
  readonly tradeCount: number
  /** by the clock of the exchange, UTC */
  readonly lastTradeUtc: string
  /** price; over the prints of the window that may set a price */
  readonly vwap: number
}

export type StockSummary = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC; the close of an earlier session without a key */
  readonly as_of: string
  /** whether the regular session was in progress at as_of */
  readonly market_open: boolean
  readonly price: SummaryPrice
  readonly volatility: SummaryVolatility
  readonly options_flow: SummaryFlow
  readonly exposure: SummaryExposure | null
  readonly macro: SummaryMacro
}

export type StockTrade = {
  /** by the clock of the exchange, UTC */
  readonly ts: string
  /** price */
  readonly price: number
  /** shares */
  readonly size: number
  readonly side: 'mid' | 'buy' | 'sell'
  /** 10000 shares or more */
  readonly isBlock: boolean
  /** price; best bid that the side was judged by; null where there was none */
  readonly bid: number | null
  /** price; best ask that the side was judged by; null where there was none */
  readonly ask: number | null
}

export type Stockquote = {
  readonly ticker: string
  /** price; null without a two-sided quote, as for an index */
  readonly bid: number | null
  /** price */
  readonly ask: number | null
  /** price; the last price where a side is missing */
  readonly mid: number
  /** price */
  readonly lastPrice: number
  readonly lastUpdate: string
  /** price; of the previous session; null if nothing is stored of it */
  readonly previous_close: number | null
}

export type StrategiesDealerRegime = {
  readonly strategy: 'dealer_regime'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'positive_gamma_compression' | 'negative_gamma_acceleration' | 'transition' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: DealerRegimeMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesExpiryPositioning = {
  readonly strategy: 'expiry_positioning'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'strong_pin_likely' | 'moderate_pin' | 'no_pin_setup' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: ExpiryPositioningMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesFlowAnomaly = {
  readonly strategy: 'flow_anomaly'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'bullish_flow_imbalance' | 'bearish_flow_imbalance' | 'neutral_flow' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: FlowAnomalyMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesSkew = {
  readonly strategy: 'skew'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'put_skew' | 'call_skew' | 'flat_skew' | 'no_skew_data' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: SkewMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesSurfaceAnomaly = {
  readonly strategy: 'surface_anomaly'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'rich_put_wing' | 'rich_call_wing' | 'flat_residuals' | 'no_fitted_surface' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: SurfaceAnomalyMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesTailPricing = {
  readonly strategy: 'tail_pricing'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'expensive_tail' | 'cheap_tail' | 'symmetric_tail' | 'no_tail_data' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: TailPricingMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesTermStructure = {
  readonly strategy: 'term_structure'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'contango' | 'backwardation' | 'flat_term' | 'no_term_structure_data' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: TermStructureMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesVolCarry = {
  readonly strategy: 'vol_carry'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'rich_iv_stable_realized_vol' | 'fair_iv_neutral_realized_vol' | 'cheap_iv_or_unstable_realized_vol' | 'vrp_unavailable' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: VolCarryMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesYieldEnhancement = {
  readonly strategy: 'yield_enhancement'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'covered_call_income' | 'cash_secured_put_income' | 'no_yield_candidate' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: YieldEnhancementMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

export type StrategiesZeroDte = {
  readonly strategy: 'zero_dte'
  /** underlying ticker */
  readonly symbol: string
  /** the moment the decision was made, UTC */
  readonly timestamp: string
  readonly decision: 'insufficient_data' | 'avoid' | 'neutral' | 'candidate'
  /** score-0-100; 0 where an input is missing */
  readonly score: number
  /** fraction; quality of the data, size of the sample and liquidity */
  readonly confidence: number
  readonly regime: 'pin_risk_positive_gamma' | 'range_compression' | 'trend_risk_or_no_setup' | 'no_same_day_expiry' | 'no_expiry_chain' | 'symbol_not_covered_historically'
  readonly best_structures: readonly SuggestedStructure[]
  readonly metrics: ZeroDteStrategyMetrics
  readonly risk_flags: readonly RiskFlag[]
  /** one reason each, with its number */
  readonly why: readonly string[]
  /** what would invalidate the signal */
  readonly avoid_if: readonly string[]
  readonly data_quality: DataQuality
}

/** the streaming bundle; null without one */
export type StreamBundle = {
  /** the first moment without it; null where it does not end */
  readonly until: string | null
  /** count; subscriptions; objects and lists count as ten */
  readonly limit: number
  /** count */
  readonly used: number
}

export type StrikeContribution = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly value: number
  /** fraction; of gross */
  readonly share: number
}

export type StrikeFlowBar = {
  /** the beginning of the minute */
  readonly t: string
  /** price */
  readonly spot: number | null
  readonly signed_delta_dollars: readonly (number | null)[]
  readonly signed_gamma_dollars: readonly (number | null)[]
  readonly contracts: readonly (number | null)[]
}

export type StrikeGammaChange = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly from: number
  /** usd-notional */
  readonly to: number
  /** usd-notional; to - from = spot + rest */
  readonly change: number
  /** usd-notional; what the move of spot alone makes of the contracts of now */
  readonly spot: number
  /** usd-notional; what is new: time, volatility, open interest, listing */
  readonly rest: number
}

export type StrikeResidual = {
  /** price */
  readonly strike: number
  readonly type: 'put' | 'call'
  /** percent */
  readonly market_iv: number
  /** percent */
  readonly fitted_iv: number
  /** percent; market_iv minus fitted_iv, vol points */
  readonly residual: number
}

export type StructuresGreeks = {
  /** price */
  readonly spot: number
  /** time of the request */
  readonly as_of: string
  /** the date the legs are valued on */
  readonly valuation_date: string
  /** fraction */
  readonly rate: number
  /** fraction */
  readonly dividend_yield: number
  /** the legs as they were sent */
  readonly legs: readonly GreeksLeg[]
  readonly position_greeks: PositionGreeks
}

export type StructuresGreeksRequest = {
  readonly legs: readonly GreeksLeg[]
  readonly spot: number
  /** at expiry alone, or on any day */
  readonly exercise?: 'european' | 'american'
  /** default: current UTC date */
  readonly today?: string
  /** fraction */
  readonly rate?: number
  /** fraction */
  readonly dividendYield?: number
}

export type StructuresPnl = {
  /** the legs as they were sent */
  readonly legs: readonly PnlLeg[]
  readonly pnl_curve: readonly PnlPoint[]
  readonly breakevens: readonly number[]
  /** usd per share; null where there is no limit */
  readonly max_profit: number | null
  /** usd per share; null where there is no limit */
  readonly max_loss: number | null
  readonly scenario_grid?: ScenarioGrid
}

export type StructuresPnlRequest = {
  readonly legs: readonly PnlLeg[]
  /** below 0 counts as 0 */
  readonly minUnderlying?: number
  /** not above minUnderlying: the range follows the strikes */
  readonly maxUnderlying?: number
  /** 2 to 2001, moved there from outside */
  readonly points?: number
  readonly scenarios?: ScenarioRequest
}

export type SuggestedLeg = {
  readonly action: 'sell' | 'buy'
  readonly type: 'put' | 'call'
  /** price */
  readonly strike: number
  /** ratio; of the option itself */
  readonly delta: number
  /** usd; mid, per share */
  readonly premium: number
  /** contracts */
  readonly quantity: number
}

export type SuggestedStructure = {
  /** count; from 1 */
  readonly rank: number
  readonly structure: 'short_put_spread' | 'short_call_spread' | 'iron_fly' | 'iron_condor' | 'covered_call' | 'cash_secured_put'
  readonly expiry: string
  readonly legs: readonly SuggestedLeg[]
  /** usd; per share */
  readonly credit: number | null
  /** usd; per share; no structure that costs money is proposed */
  readonly debit: number | null
  /** usd; per share */
  readonly max_profit: number
  /** usd; per share */
  readonly max_loss: number
  /** ascending */
  readonly breakevens: readonly number[]
  /** score-0-100; score of the signal, what the structure earns and how well it trades */
  readonly edge_score: number
  /** fraction; of the leg that trades worst */
  readonly liquidity_score: number
}

export type SummaryExposure = {
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** usd-notional; USD of delta gained per volatility point: net_vex / 100 */
  readonly net_vex_per_point: number
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** price; all expirations pooled */
  readonly max_pain: number | null
  /** price */
  readonly highest_oi_strike: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma'
  readonly interpretation: ExposureInterpretation
  readonly reading: Reading
  readonly hedging_estimate: SummaryHedges
  readonly zero_dte: SummaryZeroDte
  /** by size of net gamma, largest first */
  readonly top_strikes: readonly SummaryStrike[]
  /** days; mean days to expiry of the open contracts */
  readonly oi_weighted_dte: number | null
}

export type SummaryFlow = {
  /** contracts */
  readonly total_call_oi: number
  /** contracts */
  readonly total_put_oi: number
  /** contracts */
  readonly total_call_volume: number
  /** contracts */
  readonly total_put_volume: number
  /** ratio; puts over calls */
  readonly pc_ratio_oi: number | null
  /** ratio; puts over calls */
  readonly pc_ratio_volume: number | null
  /** count; dates with a live contract */
  readonly active_expirations: number
}

export type SummaryHedge = {
  /** shares; absolute */
  readonly dealer_shares: number
  readonly direction: 'buy' | 'sell'
  /** usd; shares times spot */
  readonly notional_usd: number
}

export type SummaryHedges = {
  readonly spot_down_1pct: SummaryHedge
  readonly spot_up_1pct: SummaryHedge
}

export type SummaryMacro = {
  readonly vix: MacroLevel | null
  readonly vvix: MacroLevel | null
  readonly skew: MacroLevel | null
  readonly spx: MacroLevel | null
  readonly move: MacroLevel | null
  readonly vix_term_structure: VixTermStructure | null
  readonly vix_futures: VixFutures | null
  readonly fear_and_greed: FearAndGreed | null
}

export type SummaryPrice = {
  /** price; null without a two-sided quote, as for an index */
  readonly bid: number | null
  /** price */
  readonly ask: number | null
  /** price; the last price where a side is missing */
  readonly mid: number
  /** price */
  readonly last: number
  readonly last_update: string
}

export type SummarySkew = {
  /** the expiration of atm_iv */
  readonly expiry: string
  /** days */
  readonly days_to_expiry: number
  /** percent */
  readonly put_25d_iv: number
  /** percent */
  readonly atm_iv: number
  /** percent */
  readonly call_25d_iv: number
  /** percent; put minus call, vol points */
  readonly skew_25d: number
  /** ratio; put over call */
  readonly smile_ratio: number | null
}

export type SummaryStrike = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly net_gex: number
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
  /** contracts */
  readonly total_oi: number
}

export type SummaryVolatility = {
  /** percent; at the forward of the reference expiration */
  readonly atm_iv: number | null
  /** percent; at the forward, constant maturity of 30 days */
  readonly atm_iv_30d: number | null
  /** percent; close to close over the last 20 returns */
  readonly hv_20: number | null
  /** percent; close to close over the last 60 returns */
  readonly hv_60: number | null
  /** percent; atm_iv minus hv_20, vol points */
  readonly vrp: number | null
  readonly skew_25d: SummarySkew | null
  readonly iv_term_structure: readonly ExpirationVolatility[]
}

export type SummaryZeroDte = {
  /** usd-notional */
  readonly net_gex: number
  /** percent; 100 |same-day net| / |full-chain net|; may exceed 100 */
  readonly pct_of_total: number | null
  /** percent; share of the gross gamma of all contracts, 0 to 100 */
  readonly pct_of_gross_gex: number | null
  /** today, or null when nothing live expires today */
  readonly expiration: string | null
}

export type Surface = {
  /** underlying ticker */
  readonly symbol: string
  /** price */
  readonly spot: number
  /** the moment of the quotes that were fitted, UTC */
  readonly as_of: string
  readonly grid_size: 50
  /** ascending, from the first fitted expiration to the last */
  readonly tenors: readonly number[]
  /** ascending, -0.5 to 0.5 */
  readonly moneyness: readonly number[]
  /** iv[tenor][moneyness] */
  readonly iv: readonly (readonly number[])[]
  /** count; fitted expirations behind the grid */
  readonly slices_used: number
  readonly fit?: 'market'
  /** percent; with fit=market: of the whole smiles over the next 30 days, beside days_30 of model_free */
  readonly variance_days_30?: number | null
  /** with fit=market: the risk-neutral distribution of the price at expiry of each listing, by expiry and root */
  readonly density?: readonly PriceDensity[]
  /** with fit=market: live listings without a smile, and why */
  readonly refused?: readonly RefusedExpiration[]
}

export type SurfaceAnomalyMetrics = {
  readonly expiry: string | null
  /** percent; mean residual by vega, vol points */
  readonly put_wing_richness: number | null
  /** percent; mean residual by vega, vol points */
  readonly call_wing_richness: number | null
  readonly dominant_wing: 'put' | 'call' | 'none' | null
  /** count; smile points */
  readonly sample_count: number | null
  /** price */
  readonly forward: number | null
  readonly per_strike_residuals: readonly StrikeResidual[] | null
  /** score-0-100 */
  readonly fit_quality_score: number | null
  /** score-0-100; how far the cheaper wing lies below the fit */
  readonly cheap_convexity_score: number | null
  /** price */
  readonly underlying_price: number
}

export type SurfaceSvi = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** whether the regular session was in progress at as_of */
  readonly market_open: boolean
  /** accepted fits, by days to expiry */
  readonly svi_parameters: readonly SviSlice[]
  /** accepted fits of AM-settled series, by days to expiry, whichever series stands for their date */
  readonly svi_parameters_am: readonly SviSlice[]
}

export type SurpriseReaction = {
  /** percent; mean move after earnings per share more than 1 % above the estimate, signed */
  readonly beat_avg_move_pct: number | null
  /** percent; mean move after more than 1 % below, signed */
  readonly miss_avg_move_pct: number | null
  /** percent; mean move after between, signed */
  readonly inline_avg_move_pct: number | null
}

export type SviSlice = {
  readonly expiry: string
  /** days */
  readonly days_to_expiry: number
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** price */
  readonly forward: number
  /** total-variance */
  readonly a: number
  /** total-variance */
  readonly b: number
  /** ratio */
  readonly rho: number
  /** log-moneyness */
  readonly m: number
  /** log-moneyness */
  readonly sigma: number
  /** total-variance; w(0) */
  readonly atm_total_variance: number
  /** percent; 100 √(w(0) / T) */
  readonly atm_iv: number
}

export type Symbols = {
  /** requested since the start and still loaded, ascending */
  readonly symbols: readonly string[]
  /** count */
  readonly count: number
  readonly note: string
  /** when the newest of them was observed */
  readonly last_updated: string | null
  /** every symbol whose chain is loaded, requested or kept warm, ascending */
  readonly held: readonly HeldSymbol[]
}

export type TailPricingMetrics = {
  readonly expiry: string | null
  /** days */
  readonly days_to_expiry: number | null
  /** percent; at the forward */
  readonly atm_iv: number | null
  /** percent */
  readonly put_tail_iv_10d: number | null
  /** percent */
  readonly call_tail_iv_10d: number | null
  /** percent; put_tail_iv_10d minus atm_iv, vol points */
  readonly downside_skew: number | null
  /** percent; put_tail_iv_10d minus call_tail_iv_10d, vol points */
  readonly tail_asymmetry: number | null
  /** count; smile points */
  readonly sample_count: number | null
  /** price */
  readonly underlying_price: number
}

export type TenorExposures = {
  readonly bucket: '0-7d' | '8-30d' | '31-60d' | '61-180d' | '180d+'
  /** days, both ends included */
  readonly dte_range: readonly number[]
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** contracts; contracts with open interest */
  readonly contract_count: number
}

export type TenorGex = {
  readonly bucket: '0-7d' | '8-30d' | '31-60d' | '60d+'
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** percent; 100 |net_gex| over the sum of them */
  readonly pct_of_total: number
  /** contracts; series with open interest and greeks */
  readonly contract_count: number
}

export type TenorTheta = {
  readonly bucket: '0-7d' | '8-30d' | '31-60d' | '60d+'
  /** usd; holder side, per calendar day; of contracts that expire today, to their expiry */
  readonly net_theta: number
  /** contracts; series with open interest and greeks */
  readonly contract_count: number
}

export type TenorVrp = {
  /** days; 7, 14, 30 or 60 */
  readonly dte: number
  /** percent; at the forward */
  readonly iv: number
  /** percent; over as many past returns */
  readonly rv: number
  /** percent; iv minus rv, vol points */
  readonly vrp: number
}

export type TermPoint = {
  readonly expiry: string
  /** days */
  readonly dte: number
  /** percent */
  readonly atm_iv: number
}

export type TermStructureMetrics = {
  /** percent; of the first expiration a day away or more */
  readonly front_iv: number | null
  /** percent; of the last within a year */
  readonly back_iv: number | null
  /** percent; back minus front, vol points */
  readonly slope: number | null
  readonly shape: 'contango' | 'backwardation' | 'flat' | null
  /** count */
  readonly expiry_count: number | null
  readonly term_points: readonly TermPoint[] | null
  /** price */
  readonly underlying_price: number
}

export type ThirdOrderGreeks = {
  /** greek; gamma change per 1.00 of spot */
  readonly speed: number
  /** per 1.00 vol; gamma change */
  readonly zomma: number
  /** gamma-per-day; per day of time to expiry */
  readonly color: number
  /** greek; vomma change per 1.00 of volatility */
  readonly ultima: number
}

export type Tickers = {
  /** ascending */
  readonly tickers: readonly string[]
  /** count */
  readonly count: number
}

export type TotalVarianceSurface = {
  readonly moneyness: readonly number[]
  readonly expiries: readonly string[]
  readonly tenors: readonly number[]
  readonly total_variance: readonly (readonly number[])[]
  readonly implied_vol: readonly (readonly number[])[]
}

export type Universe = {
  readonly as_of: string
  /** count; the whole universe */
  readonly count: number
  /** count */
  readonly returned: number
  /** count */
  readonly limit: number
  readonly sort: 'tier' | 'symbol'
  readonly symbols: readonly UniverseSymbol[]
}

export type UniverseSymbol = {
  readonly symbol: string
  /** 1 = refreshed first, 2 = the rest */
  readonly tier: 1 | 2
  /** loaded */
  readonly is_pre_warmed: boolean
  /** seconds; since the loaded data was requested from the source; null if nothing is loaded */
  readonly age_seconds: number | null
  /** not renewed for twice the intended time: the source fails or accepts no more requests */
  readonly is_late: boolean
}

/** size of the cumulative sum at this time of day in earlier sessions; null below 5 sessions */
export type UsualPressure = {
  /** count; among the newest 20 recorded sessions, those with a sided print of the scope by this time of day */
  readonly sessions: number
  /** usd; a tenth of them had less, whatever the sign */
  readonly low: number
  /** usd */
  readonly median: number
  /** usd; a tenth of them had more */
  readonly high: number
}

export type VannaConditioned = {
  readonly outlook: 'vanna_supportive' | 'vanna_neutral' | 'vanna_cascade_risk' | 'unknown'
  readonly interpretation: string
}

export type VarianceSwap = {
  readonly expiry: string
  /** days */
  readonly days_to_expiry: number
  /** option root */
  readonly root: string
  readonly settlement: 'am' | 'pm'
  /** total-variance; to expiry, not annualized */
  readonly fair_variance: number
  /** percent; 100 √(fair_variance / T) */
  readonly fair_vol: number
  /** percent */
  readonly atm_iv: number
  /** percent; fair_vol minus atm_iv, vol points */
  readonly convexity_adjustment: number
}

export type VexStrikeRow = {
  /** price */
  readonly strike: number
  /** usd-notional */
  readonly call_vex: number
  /** usd-notional */
  readonly put_vex: number
  /** usd-notional */
  readonly net_vex: number
}

/** approximated from the levels of the indexes, not from futures */
export type VixFutures = {
  /** index-points; the three-month index */
  readonly front_month: number
  /** index-points; the VIX */
  readonly spot: number
  /** index-points; front_month minus spot */
  readonly spread: number
  /** percent; 100 spread / spot */
  readonly basis_pct: number
  readonly basis: 'contango' | 'backwardation'
}

export type VixTermLevels = {
  /** index-points */
  readonly vix9d: number | null
  /** index-points */
  readonly vix: number | null
  /** index-points */
  readonly vix3m: number | null
  /** index-points */
  readonly vix6m: number | null
}

export type VixTermStructure = {
  readonly levels: VixTermLevels
  /** percent; 100 (vix - vix9d) / vix9d */
  readonly near_slope_pct: number | null
  readonly structure: 'contango' | 'backwardation'
}

export type VolCarryMetrics = {
  /** percent; at the forward of the reference expiration */
  readonly atm_iv: number | null
  /** percent; close to close over 20 returns */
  readonly realized_vol: number | null
  /** percent; atm_iv minus realized_vol, vol points */
  readonly vrp: number | null
  /** sigmas; among the previous sessions */
  readonly vrp_z_score: number | null
  /** score-0-100; among them */
  readonly vrp_percentile: number | null
  /** whether 20 stored sessions or more stand behind both */
  readonly used_real_metrics: boolean | null
  /** percent; put minus call, vol points */
  readonly skew_25d: number | null
  /** percent; call minus put, vol points */
  readonly risk_reversal_25d: number | null
  /** percent; volatility of 30 days over that of 7 */
  readonly term_slope: number | null
  /** percent; realized_vol now minus five sessions ago, vol points */
  readonly rv_change_5d: number | null
  /** null without an earnings calendar */
  readonly earnings_before_expiry: boolean | null
  readonly recommended_side: 'put' | 'call' | 'both' | 'none' | null
  /** price */
  readonly underlying_price: number
}

export type Volatility = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** whether the regular session was in progress at as_of */
  readonly market_open: boolean
  readonly realized_vol: RealizedVolatilities
  /** percent; at the forward of the reference expiration */
  readonly atm_iv: number | null
  /** percent; at the forward, constant maturity of 30 days */
  readonly atm_iv_30d: number | null
  readonly iv_rv_spreads: RiskPremiums
  readonly skew_profiles: readonly SkewProfile[]
  readonly term_structure: VolatilityTermStructure
  readonly iv_dispersion: VolatilityDispersion
  readonly model_free: ModelFreeVolatility
  readonly gex_by_dte: readonly TenorGex[]
  readonly theta_by_dte: readonly TenorTheta[]
  readonly put_call_profile: PutCallProfile
  readonly oi_concentration: OpenInterestConcentration
  readonly hedging_scenarios: readonly HedgingScenario[]
  readonly liquidity: AverageSpreads
}

export type VolatilityDispersion = {
  /** percent; deviation of the fitted volatilities at the money, vol points */
  readonly cross_expiry: number | null
  /** percent; deviation over the smile of the nearest expiration, vol points */
  readonly cross_strike: number | null
}

export type VolatilityForecast = {
  /** underlying ticker */
  readonly symbol: string
  /** the close of the newest daily bar, UTC */
  readonly as_of: string
  readonly ewma: EwmaForecast
  readonly har_rv: HarRvForecast
  readonly garch: GarchForecast
}

export type VolatilityRealized = {
  /** underlying ticker */
  readonly symbol: string
  /** the close of the newest daily bar, UTC */
  readonly as_of: string
  /** price; that close */
  readonly underlying_price: number
  readonly estimators: RealizedEstimators
}

export type VolatilitySkewTerm = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly expiries: readonly ExpirationSkew[]
}

/** shares of the absolute contributions; all 0 where there are none */
export type VolatilitySourceShares = {
  /** fraction; priced from its own quote */
  readonly own_mid: number
  /** fraction; from the quote of the other option at its strike */
  readonly twin: number
  /** fraction; from the smile, or interpolated between its neighbors */
  readonly smile: number
}

export type VolatilitySpotVolCorrelation = {
  /** underlying ticker */
  readonly symbol: string
  /** the moment the answer describes, UTC; sessions before its date are read */
  readonly as_of: string
  /** ratio; over the last 20 pairs of consecutive sessions */
  readonly spot_vol_correlation_20d: number | null
  /** ratio; over the last 60 */
  readonly spot_vol_correlation_60d: number | null
  /** count; 20, or 0 without a correlation */
  readonly data_points_20d: number
  /** count; 60, or 0 without a correlation */
  readonly data_points_60d: number
  readonly interpretation: string
}

export type VolatilityTermStructure = {
  /** percent; 30 days over 7 days */
  readonly near_slope_pct: number | null
  /** percent; 90 days over 30 days */
  readonly far_slope_pct: number | null
  readonly state: 'contango' | 'backwardation' | 'mixed' | 'unknown'
}

export type Vrp = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  /** whether the regular session was in progress at as_of */
  readonly market_open: boolean
  readonly vrp: VrpCore
  /** variance; atm_iv squared minus rv_20d squared, as fractions */
  readonly variance_risk_premium: number | null
  /** percent; fair_vol minus atm_iv, vol points */
  readonly convexity_premium: number | null
  /** percent; of a variance swap on the reference expiration */
  readonly fair_vol: number | null
  readonly directional: VrpDirectional
  readonly term_vrp: readonly TenorVrp[]
  readonly gex_conditioned: GexConditioned
  readonly vanna_conditioned: VannaConditioned
  readonly reading: Reading
  readonly regime: VrpRegime
  readonly strategy_scores: VrpStrategyScores | null
  /** score-0-100; premium, its rank and its setting in one figure */
  readonly net_harvest_score: number | null
  /** score-0-100; below 30 benign, above 70 hostile to short volatility */
  readonly dealer_flow_risk: number | null
  readonly warnings: readonly ('event_risk' | 'negative_gamma' | 'poor_wing_liquidity' | 'term_inversion' | 'credit_stress' | 'extreme_vrp' | 'insufficient_history_for_zscore')[]
  readonly macro: VrpMacro
}

export type VrpCore = {
  /** percent; at the forward of the reference expiration */
  readonly atm_iv: number | null
  /** percent; at the forward, constant maturity of 30 days */
  readonly atm_iv_30d: number | null
  /** percent; close to close over the last 5 returns */
  readonly rv_5d: number | null
  /** percent */
  readonly rv_10d: number | null
  /** percent */
  readonly rv_20d: number | null
  /** percent */
  readonly rv_30d: number | null
  /** percent; atm_iv minus rv_5d, vol points */
  readonly vrp_5d: number | null
  /** percent */
  readonly vrp_10d: number | null
  /** percent */
  readonly vrp_20d: number | null
  /** percent */
  readonly vrp_30d: number | null
  /** sigmas; of vrp_20d among previous sessions */
  readonly z_score: number | null
  /** score-0-100; of vrp_20d among them */
  readonly percentile: number | null
  /** days; sessions in the comparison, 60 at most */
  readonly history_days: number
}

export type VrpDay = {
  readonly date: string
  /** price; close */
  readonly spot: number
  /** percent; at the forward of the reference expiration */
  readonly atm_iv: number | null
  /** percent; at the forward, constant maturity of 30 days */
  readonly atm_iv_30d: number | null
  /** percent; close to close over the last 5 returns */
  readonly rv_5d: number | null
  /** percent */
  readonly rv_10d: number | null
  /** percent */
  readonly rv_20d: number | null
  /** percent */
  readonly rv_30d: number | null
  /** percent; atm_iv minus rv_20d, vol points */
  readonly vrp_20d: number | null
  /** price; call mid plus put mid at the strike nearest to spot, reference expiration */
  readonly straddle: number | null
  /** price; spot times atm_iv times the root of 1/252 */
  readonly expected_move_1d: number | null
}

export type VrpDirectional = {
  /** percent; 25 delta, reference expiration */
  readonly put_wing_iv_25d: number | null
  /** percent */
  readonly call_wing_iv_25d: number | null
  /** percent; semi-deviation of falling days, doubled */
  readonly downside_rv_20d: number | null
  /** percent; of rising days */
  readonly upside_rv_20d: number | null
  /** percent; put_wing_iv_25d minus downside_rv_20d, vol points */
  readonly downside_vrp: number | null
  /** percent */
  readonly upside_vrp: number | null
}

export type VrpHistory = {
  /** underlying ticker */
  readonly symbol: string
  /** days; looked back */
  readonly days: number
  /** count; rows */
  readonly data_points: number
  readonly history: readonly VrpDay[]
}

export type VrpMacro = {
  /** index-points */
  readonly vix: number | null
  /** index-points */
  readonly vix_3m: number | null
  /** ratio; vix_3m over vix */
  readonly vix_term_slope: number | null
  /** percent; 10-year Treasury yield */
  readonly dgs10: number | null
  /** percent; option-adjusted spread of high-yield bonds */
  readonly hy_spread: number | null
  /** percent */
  readonly fed_funds: number | null
}

export type VrpRegime = {
  readonly gamma: 'positive_gamma' | 'negative_gamma' | 'unknown'
  readonly vrp_regime: 'harvestable' | 'event_only' | 'toxic_short_vol' | 'cheap_convexity' | 'surface_distorted' | 'fair_value' | null
  /** usd-notional; full chain, USD of delta gained per 1 % move of spot */
  readonly net_gex: number | null
  /** price */
  readonly gamma_flip: number | null
}

export type VrpStrategyScores = {
  /** score-0-100 */
  readonly short_put_spread: number | null
  /** score-0-100 */
  readonly short_strangle: number | null
  /** score-0-100 */
  readonly iron_condor: number | null
  /** score-0-100 */
  readonly calendar_spread: number | null
}

export type WallProbabilities = {
  readonly call: readonly WallProbability[]
  readonly put: readonly WallProbability[]
}

export type WallProbability = {
  /** price */
  readonly strike: number
  /** fraction; of the draws */
  readonly probability: number
}

export type WindowVolatilities = {
  /** percent; over the last 10 trading days */
  readonly rv10: number | null
  /** percent */
  readonly rv20: number | null
  /** percent */
  readonly rv30: number | null
}

export type YieldEnhancementMetrics = {
  readonly structure: 'covered_call' | 'cash_secured_put' | null
  /** price */
  readonly strike: number | null
  /** ratio; of the option itself */
  readonly delta: number | null
  /** usd; mid, per share */
  readonly premium: number | null
  /** percent; premium a year of the capital that is tied up */
  readonly annualized_yield_pct: number | null
  /** fraction; risk-neutral */
  readonly assignment_probability: number | null
  /** percent; from spot to the strike of a call: gains beyond are given up */
  readonly upside_surrender_pct: number | null
  /** days */
  readonly dte: number | null
  /** null without an earnings calendar */
  readonly earnings_before_expiry: boolean | null
  /** null while no dividends of the underlying are known */
  readonly ex_dividend_risk: boolean | null
  /** those known to go ex by the expiration; null while no dividends of the underlying are known */
  readonly dividends: readonly ExpectedDividend[] | null
  /** price */
  readonly breakeven_price: number | null
  /** percent; within the range of the last 30 stored sessions */
  readonly iv_rank_30d: number | null
  readonly roll_candidate: RollCandidate | null
  readonly next_earnings_date: string | null
  /** days */
  readonly days_to_next_earnings: number | null
  /** price */
  readonly underlying_price: number
}

export type ZeroDteAnalytics = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly dealer_model?: 'convention' | 'all_short' | 'index_overwriting' | 'tape' | 'open_close'
  readonly market_open: boolean
  readonly expiration: string
  /** whether the last contract of this expiration has ended: from then on exposures are 0, and only open interest, volume, quotes and max pain remain */
  readonly expired: boolean
  /** hours; hours of session until the expiration closes */
  readonly time_to_close_hours: number
  /** percent; share of the current trading day elapsed */
  readonly time_to_close_pct: number
  readonly reading: Reading
  readonly regime: ZeroDteRegime
  readonly exposures: ZeroDteExposures
  readonly expected_move: ZeroDteExpectedMove
  readonly pin_risk: ZeroDtePinRisk
  readonly hedging: ZeroDteHedges
  readonly decay: ZeroDteDecay
  readonly vol_context: ZeroDteVolatility
  readonly flow: ZeroDteFlow
  readonly levels: ZeroDteLevels
  readonly liquidity: ZeroDteLiquidity
  readonly metadata: ZeroDteMetadata
  readonly strikes: readonly ZeroDteStrikeRow[]
  /** on the last day, what the theta of strikes[] means */
  readonly greeks_note?: string
  readonly warnings?: readonly string[]
}

export type ZeroDteDecay = {
  /** usd; holder side: to the close where the expiration is today, else per calendar day */
  readonly net_theta_dollars: number | null
  /** usd; net_theta_dollars over the hours left */
  readonly theta_per_hour_remaining: number | null
  readonly charm_regime: 'time_decay_dealers_buy' | 'time_decay_dealers_sell' | 'neutral'
  readonly charm_description: string
  /** ratio; at-the-money gamma over that of the seven-day expiration */
  readonly gamma_acceleration: number | null
  readonly description: string
}

export type ZeroDteExpectedMove = {
  /** usd; one deviation over a full trading day */
  readonly implied_1sd_dollars: number | null
  /** percent */
  readonly implied_1sd_pct: number | null
  /** usd; one deviation until this expiration */
  readonly remaining_1sd_dollars: number | null
  /** percent */
  readonly remaining_1sd_pct: number | null
  /** usd; one deviation of the logarithm above spot */
  readonly upper_bound: number | null
  /** usd; one deviation of the logarithm below spot */
  readonly lower_bound: number | null
  /** usd */
  readonly straddle_price: number | null
  /** fraction; a fraction */
  readonly atm_iv: number | null
}

export type ZeroDteExposures = {
  /** usd-notional; USD of delta gained per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional; USD delta of the option holders */
  readonly net_dex: number
  /** usd-notional; USD of delta gained per +1.00 of volatility */
  readonly net_vex: number
  /** usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry */
  readonly net_chex: number
  /** usd-notional; USD of delta gained per volatility point: net_vex / 100 */
  readonly net_vex_per_point: number
  /** percent; 100 |net of this expiration| / |full-chain net|; may exceed 100 */
  readonly pct_of_total_gex: number | null
  /** percent; share of the gross gamma of all contracts, 0 to 100 */
  readonly pct_of_gross_gex: number | null
  /** usd-notional */
  readonly total_chain_net_gex: number
}

export type ZeroDteFlow = {
  /** contracts */
  readonly total_volume: number
  /** contracts */
  readonly call_volume: number
  /** contracts */
  readonly put_volume: number
  /** contracts */
  readonly net_call_minus_put_volume: number
  /** contracts */
  readonly total_oi: number
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
  /** ratio */
  readonly pc_ratio_volume: number | null
  /** ratio */
  readonly pc_ratio_oi: number | null
  /** ratio */
  readonly volume_to_oi_ratio: number | null
  /** percent; share of volume within half a percent of spot */
  readonly atm_volume_share_pct: number | null
  /** percent; share of the three busiest strikes */
  readonly top3_strike_volume_pct: number | null
}

export type ZeroDteFlowDirection = {
  readonly label: 'no_flow' | 'neutral' | 'amplifying' | 'dampening' | 'regime_flip'
  /** usd-notional; on official open interest, USD of delta gained per 1 % move of spot */
  readonly settled_net_gex: number
  /** usd-notional; on effective open interest */
  readonly live_net_gex: number
  /** usd-notional; live - settled */
  readonly flow_gex_adjustment: number
  /** fraction; flow_gex_adjustment / settled; null where only that is 0 */
  readonly flow_gex_pct_shift: number | null
  /** count; option series whose open interest the session's flow is estimated to have changed */
  readonly contracts_with_flow: number
  /** contracts; sum of |effective - official| over the contracts */
  readonly total_abs_delta_contracts: number
  readonly description: string
}

export type ZeroDteHedge = {
  /** shares; signed: dealers buy when positive */
  readonly dealer_shares_to_trade: number
  readonly direction: 'buy' | 'sell'
  /** usd; signed like the shares */
  readonly notional_usd: number
}

export type ZeroDteHedges = {
  readonly spot_up_10bp: ZeroDteHedge
  readonly spot_down_10bp: ZeroDteHedge
  readonly spot_up_25bp: ZeroDteHedge
  readonly spot_down_25bp: ZeroDteHedge
  readonly spot_up_half_pct: ZeroDteHedge
  readonly spot_down_half_pct: ZeroDteHedge
  readonly spot_up_1pct: ZeroDteHedge
  readonly spot_down_1pct: ZeroDteHedge
  /** usd-notional per dollar^2; how sharply net gamma bends at spot */
  readonly convexity_at_spot: number | null
}

export type ZeroDteLeader = {
  /** count; 1 is the highest */
  readonly rank: number
  readonly symbol: string
  /** by the metric; a ratio for heat, a score for pin_risk, else USD */
  readonly value: number
}

export type ZeroDteLevels = {
  /** price */
  readonly call_wall: number | null
  /** usd-notional */
  readonly call_wall_gex: number | null
  /** fraction; of all call gamma */
  readonly call_wall_strength: number | null
  /** percent; signed, 100 (wall - spot) / spot */
  readonly distance_to_call_wall_pct: number | null
  /** price */
  readonly put_wall: number | null
  /** usd-notional; 0 or less */
  readonly put_wall_gex: number | null
  /** fraction; of all put gamma */
  readonly put_wall_strength: number | null
  /** percent; signed */
  readonly distance_to_put_wall_pct: number | null
  /** usd */
  readonly distance_to_magnet_dollars: number | null
  /** price */
  readonly highest_oi_strike: number | null
  /** contracts */
  readonly highest_oi_total: number | null
  /** price */
  readonly max_positive_gamma: number | null
  /** price */
  readonly max_negative_gamma: number | null
  /** score-0-100; how closely the levels agree, in moves of a day */
  readonly level_cluster_score: number | null
}

export type ZeroDteLiquidity = {
  /** percent */
  readonly atm_spread_pct: number | null
  /** percent; by open interest, within strike_range */
  readonly weighted_spread_pct: number | null
  /** score-0-100 */
  readonly execution_score: number | null
}

export type ZeroDteMetadata = {
  /** seconds; how far the source runs behind the market */
  readonly snapshot_age_seconds: number | null
  /** contracts */
  readonly chain_contract_count: number
  /** score-0-100 */
  readonly data_quality_score: number | null
  /** score-0-100 */
  readonly greek_smoothness_score: number | null
}

export type ZeroDtePinRisk = {
  /** price */
  readonly magnet_strike: number | null
  /** usd-notional */
  readonly magnet_gex: number | null
  /** percent */
  readonly distance_to_magnet_pct: number | null
  /** score-0-100 */
  readonly pin_score: number
  readonly components: PinRiskScores
  /** price */
  readonly max_pain: number | null
  /** percent */
  readonly oi_concentration_top3_pct: number | null
  readonly description: string
}

export type ZeroDteRegime = {
  readonly label: 'positive_gamma' | 'negative_gamma' | 'undetermined'
  readonly description: string
  /** price */
  readonly gamma_flip: number | null
  readonly spot_vs_flip: 'above' | 'below' | null
  /** percent; 100 (spot - flip) / spot */
  readonly spot_to_flip_pct: number | null
  /** usd */
  readonly distance_to_flip_dollars: number | null
  /** sigmas; in remaining one-deviation moves, of a full day once the market is closed */
  readonly distance_to_flip_sigmas: number | null
}

export type ZeroDteSeriesBar = {
  /** the beginning of the bar */
  readonly t: string
  /** price */
  readonly spot: number
  /** usd-notional; USD per 1 % move of spot */
  readonly net_gex: number
  /** usd-notional */
  readonly net_dex: number
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** price; strike with the largest net gamma by size */
  readonly magnet: number | null
  /** score-0-100 */
  readonly pin_score: number
  /** percent; that the close lies within 0.25 % of the magnet */
  readonly pin_probability_pct: number | null
  readonly regime: 'positive_gamma' | 'negative_gamma' | 'undetermined'
  /** fraction; a fraction */
  readonly atm_iv: number | null
  /** usd; delta gained to the close over the hours of session left */
  readonly charm_dollars_per_hour: number | null
  /** usd; running since the open; positive where dealers buy the underlying */
  readonly hedge_flow_call_cumulative: number
  /** usd; running since the open */
  readonly hedge_flow_put_cumulative: number
  /** usd; both legs */
  readonly hedge_flow_cumulative_all: number
}

export type ZeroDteShare = {
  /** usd-notional */
  readonly net_gex: number
  /** percent; 100 |same-day net| / |full-chain net|; may exceed 100 */
  readonly pct_of_total_gex: number | null
  /** percent; share of the gross gamma of all contracts, 0 to 100 */
  readonly pct_of_gross_gex: number | null
  /** today, or null when nothing live expires today */
  readonly expiration: string | null
}

export type ZeroDteSnapshotAnalytics = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly market_open: boolean
  readonly expiration: string
  /** whether the last contract of this expiration has ended: from then on exposures are 0, and only open interest, volume, quotes and max pain remain */
  readonly expired: boolean
  /** hours; hours of session until the expiration closes */
  readonly time_to_close_hours: number
  /** percent; share of the current trading day elapsed */
  readonly time_to_close_pct: number
  readonly reading: Reading
  readonly regime: ZeroDteRegime
  readonly exposures: ZeroDteExposures
  readonly expected_move: ZeroDteExpectedMove
  readonly pin_risk: ZeroDtePinRisk
  readonly hedging: ZeroDteHedges
  readonly decay: ZeroDteDecay
  readonly vol_context: ZeroDteVolatility
  readonly flow: ZeroDteFlow
  readonly levels: ZeroDteLevels
  readonly liquidity: ZeroDteLiquidity
  readonly metadata: ZeroDteMetadata
  readonly strikes: readonly ZeroDteStrikeRow[]
  /** on the last day, what the theta of strikes[] means */
  readonly greeks_note?: string
  readonly warnings?: readonly string[]
  readonly flow_direction: ZeroDteFlowDirection
}

export type ZeroDteSnapshotNone = {
  /** underlying ticker */
  readonly symbol: string
  /** price; midpoint of the underlying quote, its last price where a side is missing */
  readonly underlying_price: number
  /** the moment the answer describes, UTC */
  readonly as_of: string
  readonly market_open: boolean
  readonly expiration: string | null
  readonly no_zero_dte: true
  readonly message: string
  /** next listed expiration */
  readonly next_zero_dte_expiry: string | null
}

export type ZeroDteStrategyMetrics = {
  /** price; strike at which option holders are paid least */
  readonly max_pain_strike: number | null
  /** percent; of spot, unsigned */
  readonly distance_to_pain_pct: number | null
  /** score-0-100; of the three largest strikes */
  readonly oi_concentration_score: number | null
  /** contracts */
  readonly total_open_interest: number | null
  /** price */
  readonly gamma_flip: number | null
  /** price */
  readonly call_wall: number | null
  /** price */
  readonly put_wall: number | null
  /** percent; spot minus flip, of spot */
  readonly distance_to_flip_pct: number | null
  readonly spot_position_label: 'above_call_wall' | 'below_put_wall' | 'between_walls_above_flip' | 'between_walls_below_flip' | 'unknown' | null
  /** count; whole minutes */
  readonly minutes_to_close: number | null
  /** price; first print of the stock; null before the open and without a tape */
  readonly session_open_spot: number | null
  /** usd; one deviation of a full day, per share */
  readonly expected_move_today: number | null
  /** percent; share of the expected move, from the open to spot */
  readonly expected_move_consumed_pct: number | null
  /** ratio; current decay relative to that at the open */
  readonly theta_acceleration: number | null
  /** price */
  readonly underlying_price: number
}

export type ZeroDteStrikeRow = {
  /** price */
  readonly strike: number
  /** percent; signed, 100 (strike - spot) / spot */
  readonly distance_from_spot_pct: number
  readonly call_symbol: string | null
  readonly put_symbol: string | null
  /** usd-notional */
  readonly call_gex: number
  /** usd-notional */
  readonly put_gex: number
  /** usd-notional */
  readonly net_gex: number
  /** usd-notional */
  readonly call_dex: number
  /** usd-notional */
  readonly put_dex: number
  /** usd-notional */
  readonly net_dex: number
  /** usd-notional */
  readonly net_vex: number
  /** usd-notional */
  readonly net_chex: number
  /** contracts */
  readonly call_oi: number
  /** contracts */
  readonly put_oi: number
  /** contracts */
  readonly call_volume: number
  /** contracts */
  readonly put_volume: number
  /** percent */
  readonly gex_share_pct: number | null
  /** percent */
  readonly oi_share_pct: number | null
  /** percent */
  readonly volume_share_pct: number | null
  /** fraction */
  readonly call_iv: number | null
  /** fraction */
  readonly put_iv: number | null
  /** greek */
  readonly call_delta: number | null
  /** greek */
  readonly put_delta: number | null
  /** greek */
  readonly call_gamma: number | null
  /** greek */
  readonly put_gamma: number | null
  /** greek; USD per calendar day, which is not left of an expiration of today */
  readonly call_theta: number | null
  /** greek; USD per calendar day, which is not left of an expiration of today */
  readonly put_theta: number | null
  /** price */
  readonly call_mid: number | null
  /** price */
  readonly put_mid: number | null
  /** percent; of mid */
  readonly call_spread_pct: number | null
  /** percent; of mid */
  readonly put_spread_pct: number | null
}

export type ZeroDteVolatility = {
  /** percent */
  readonly zero_dte_atm_iv: number | null
  /** percent */
  readonly seven_dte_atm_iv: number | null
  /** ratio */
  readonly iv_ratio_0dte_7dte: number | null
  /** index-points */
  readonly vix: number | null
  /** percent; put minus call volatility at 25 delta, vol points */
  readonly skew_25d: number | null
  /** usd-notional */
  readonly vanna_exposure: number
  readonly vanna_interpretation: 'vol_up_dealers_buy' | 'vol_up_dealers_sell' | 'neutral'
  readonly description: string
}
