/** A question as a trader asks it, and the figure of REST that answers it. */
export interface ExamQuestion {
  readonly ask: string
  /** What a reader of the question takes from it: symbol, expiration, moment, numbers, or the key of a row. */
  readonly given: Readonly<Record<string, unknown>>
  /** Where REST has the figure: GET address or POST address with a body, and the path in its answer. */
  readonly rest: string
  readonly figure: string
}

const SPY = { symbol: 'SPY' }
const AAPL = { symbol: 'AAPL' }
const at = '2026-07-29T12:00:00'
const ofKO = { symbol: 'KO', at }
const option = { spot: 100, strike: 105, dte: 30, sigma: 0.25, type: 'call' }
const optionQuery = 'spot=100&strike=105&dte=30&sigma=0.25&type=call'
const legs = [
  { action: 'buy', type: 'call', strike: 100, premium: 3.2, quantity: 1 },
  { action: 'sell', type: 'call', strike: 110, premium: 1.1, quantity: 1 }
]

export type Line = readonly [ask: string, given: ExamQuestion['given'], rest: string, figure: string]

const lines: readonly Line[] = [
  ['Where is the gamma flip of SPY?', SPY, '/v1/exposure/levels/SPY', 'levels.gamma_flip'],
  ['What is the net gamma exposure of SPY right now?', SPY, '/v1/exposure/gex/SPY', 'net_gex'],
  ['Where is the call wall in SPY?', SPY, '/v1/exposure/levels/SPY', 'levels.call_wall'],
  ['Where is the put wall in AAPL?', AAPL, '/v1/exposure/levels/AAPL', 'levels.put_wall'],
  ['Which strike has the highest open interest in SPY?', SPY, '/v1/exposure/levels/SPY', 'levels.highest_oi_strike'],
  ['What strike is the 0DTE magnet in SPY?', SPY, '/v1/exposure/levels/SPY', 'levels.zero_dte_magnet'],
  ['Are dealers long or short gamma in AAPL, what is the regime?', AAPL, '/v1/exposure/summary/AAPL', 'regime'],
  [
    'How many shares must dealers trade if SPY drops one percent?',
    SPY,
    '/v1/exposure/summary/SPY',
    'hedging_estimate.spot_down_1pct.dealer_shares_to_trade'
  ],
  ['What is the dealer delta exposure of AAPL?', AAPL, '/v1/exposure/dex/AAPL', 'net_dex'],
  ['How big is vanna exposure in SPY?', SPY, '/v1/exposure/vex/SPY', 'net_vex'],
  ['How much charm exposure is there in SPY?', SPY, '/v1/exposure/chex/SPY', 'net_chex'],
  [
    'Net gamma at the 100 strike of SPY?',
    { ...SPY, row: '100' },
    '/v1/exposure/gex/SPY',
    'strikes[strike=100].net_gex'
  ],
  [
    'How much call open interest sits at the 105 strike in SPY gamma by strike?',
    { ...SPY, row: '105' },
    '/v1/exposure/gex/SPY',
    'strikes[strike=105].call_oi'
  ],
  [
    'Gamma exposure of SPY for the expiration of August 21st only',
    { ...SPY, expiration: '2026-08-21' },
    '/v1/exposure/gex/SPY?expiration=2026-08-21',
    'net_gex'
  ],
  ['How much of the total gamma of SPY expires today?', SPY, '/v1/exposure/zero-dte/SPY', 'exposures.pct_of_total_gex'],
  ['How many hours until the same-day options of SPY expire?', SPY, '/v1/exposure/zero-dte/SPY', 'time_to_close_hours'],
  [
    'How many sigmas is SPY away from the 0DTE flip?',
    SPY,
    '/v1/exposure/zero-dte/SPY',
    'regime.distance_to_flip_sigmas'
  ],
  ['What is max pain of AAPL?', AAPL, '/v1/maxpain/AAPL', 'max_pain_strike'],
  ['What is the put call open interest ratio of AAPL?', AAPL, '/v1/maxpain/AAPL', 'put_call_oi_ratio'],
  ['How far is SPY from max pain in percent?', SPY, '/v1/maxpain/SPY', 'distance.percent'],
  [
    'How did call open interest of SPY change since the previous day?',
    SPY,
    '/v1/exposure/oi-diff/SPY',
    'total_call_oi_change'
  ],
  [
    'Total dollar gamma, delta, vanna and charm per strike table of SPY: what is the net charm total?',
    SPY,
    '/v1/exposure/sheet/SPY',
    'totals.net_chex'
  ],
  ['At which strike is the inflection (line in the sand) of SPY?', SPY, '/v1/exposure/sheet/SPY', 'lis.strike'],
  [
    'Weighted gamma exposure of a basket of SPY and AAPL',
    { symbols: 'SPY,AAPL' },
    '/v1/exposure/basket?symbols=SPY,AAPL',
    'aggregate.net_gex'
  ],
  [
    'Why did gamma exposure of SPY change, how much of it comes from spot?',
    SPY,
    '/v1/exposure/attribution/SPY',
    'gex.spot'
  ],
  ['How much of the change in SPY gamma is due to volatility?', SPY, '/v1/exposure/attribution/SPY', 'gex.volatility'],
  [
    'How certain is the gamma number of SPY, give me the band: what is the expected value?',
    SPY,
    '/v1/exposure/bands/SPY',
    'net_gex.expected'
  ],
  ['Do other dealer positioning models agree on the regime of SPY?', SPY, '/v1/exposure/models/SPY', 'agreement'],
  [
    'What is the net gex number of SPY based on, what is its gross contribution?',
    SPY,
    '/v1/exposure/explain/SPY',
    'contributions.gross'
  ],
  [
    'Give me the exposure story of AAPL in sentences: which change of gex against yesterday in percent?',
    AAPL,
    '/v1/exposure/narrative/AAPL',
    'narrative.data.net_gex_change_pct'
  ],
  [
    'How is gamma of SPY distributed over the expirations: what does the front one hold?',
    SPY,
    '/v1/exposure/term-structure/SPY',
    'by_expiry[0].net_gex'
  ],
  ['Put wall of SPY for a charting program', SPY, '/v1/exposure/chart-levels/SPY', 'levels[id=put_wall].price'],
  ['Where is the flip of SPY on positions estimated live from flow?', SPY, '/v1/flow/levels/SPY', 'live_gamma_flip'],
  ['What is the pin risk score of SPY?', SPY, '/v1/flow/pin-risk/SPY', 'live_pin_risk'],
  ['Which strike is SPY likely to pin at?', SPY, '/v1/flow/pin-risk/SPY', 'magnet_strike'],
  [
    'How much did today’s flow shift dealer gamma in SPY, in percent?',
    SPY,
    '/v1/flow/dealer-risk/SPY',
    'flow_gex_pct_shift'
  ],
  [
    'What is the settled dealer gamma of SPY before flow adjustment?',
    SPY,
    '/v1/flow/dealer-risk/SPY',
    'settled_net_gex'
  ],
  ['What is the live delta exposure of SPY after today’s flow?', SPY, '/v1/flow/dex/SPY', 'live_net_dex'],
  ['What is the official open interest of SPY against the intraday estimate?', SPY, '/v1/flow/oi/SPY', 'official_oi'],
  ['Bullish premium in the big prints of SPY?', SPY, '/v1/flow/signals/SPY/summary', 'bullish_premium'],
  [
    'Net directional premium of sweeps and blocks in SPY',
    SPY,
    '/v1/flow/signals/SPY/summary',
    'net_directional_premium'
  ],
  ['How many option contracts of SPY were bought this session?', SPY, '/v1/flow/options/SPY/summary', 'buyVolume'],
  ['How many trades did the option tape of AAPL have today?', AAPL, '/v1/flow/options/AAPL/summary', 'totalTrades'],
  [
    'What premium did dealers pay or write in SPY options?',
    SPY,
    '/v1/flow/options/SPY/dealer-premium',
    'net_dealer_premium'
  ],
  [
    'How many shares of AAPL were bought at the ask in the stock tape?',
    AAPL,
    '/v1/flow/stocks/AAPL/summary',
    'buyVolume'
  ],
  ['Biggest single stock trade in AAPL today', AAPL, '/v1/flow/stocks/AAPL/summary', 'biggestSingleTrade'],
  [
    'How large was the biggest option trade of SPY this session?',
    SPY,
    '/v1/flow/options/SPY/summary',
    'biggestSingleTrade'
  ],
  ['How many tickers do you know?', {}, '/v1/tickers', 'count'],
  [
    'Cumulative net option volume of SPY over the last hour',
    { ...SPY, minutes: 60 },
    '/v1/flow/options/SPY/cumulative?minutes=60',
    'points[last].cumulative'
  ],
  [
    'Five minute bars of the AAPL stock tape with side volumes',
    { ...AAPL, resolution: '5m' },
    '/v1/flow/stocks/AAPL/bars?resolution=5m',
    'bars[last].close'
  ],
  ['What is the at the money implied volatility of AAPL?', AAPL, '/v1/volatility/AAPL', 'atm_iv'],
  ['20 day realized volatility of SPY by Yang-Zhang', SPY, '/v1/volatility/realized/SPY', 'estimators.yang_zhang.rv20'],
  ['Parkinson volatility of AAPL over 30 days', AAPL, '/v1/volatility/realized/AAPL', 'estimators.parkinson.rv30'],
  ['Which GARCH model do you fit for SPY?', SPY, '/v1/volatility/forecast/SPY', 'garch.model'],
  ['EWMA volatility forecast for the next day in SPY', SPY, '/v1/volatility/forecast/SPY', 'ewma.next_day_forecast'],
  ['HAR-RV volatility of AAPL?', AAPL, '/v1/volatility/forecast/AAPL', 'har_rv.vol_annualized'],
  ['How large is the volatility risk premium of SPY over 20 days?', SPY, '/v1/vrp/SPY', 'vrp.vrp_20d'],
  ['In which percentile is the variance premium of SPY?', SPY, '/v1/vrp/SPY', 'vrp.percentile'],
  [
    'What is the 25 delta risk reversal of SPY by expiration?',
    SPY,
    '/v1/volatility/skew-term/SPY',
    'expiries[0].risk_reversal_25d'
  ],
  [
    'Butterfly and tail convexity of the AAPL smile by expiry',
    AAPL,
    '/v1/volatility/skew-term/AAPL',
    'expiries[0].butterfly_25d'
  ],
  [
    'Correlation of SPY returns with changes in its volatility over 60 days',
    SPY,
    '/v1/volatility/spot-vol-correlation/SPY',
    'spot_vol_correlation_60d'
  ],
  [
    'What is the expected move of SPY to August 21st?',
    { ...SPY, expiration: '2026-08-21' },
    '/v1/expected-move/SPY?expiration=2026-08-21',
    'expected_moves[0].expectedMove'
  ],
  [
    'Upper bound of the expected move of AAPL for each expiry',
    AAPL,
    '/v1/expected-move/AAPL',
    'expected_moves[0].upperBound'
  ],
  ['How liquid are the options of SPY, which expiry is cheapest to trade?', SPY, '/v1/liquidity/SPY', 'best_expiry'],
  ['Execution score of the AAPL chain', AAPL, '/v1/liquidity/AAPL', 'chain_execution_score'],
  [
    'Implied correlation of SPX against a basket of AAPL, MSFT and KO',
    { index: 'SPX', symbols: 'AAPL,MSFT,KO' },
    '/v1/dispersion?index=SPX&symbols=AAPL,MSFT,KO',
    'implied_correlation'
  ],
  ['What are the SVI parameters of the AAPL smiles?', AAPL, '/v1/surface/AAPL/svi', 'svi_parameters[0].rho'],
  ['Spot used for the implied volatility surface grid of SPY', SPY, '/v1/surface/SPY', 'spot'],
  [
    'Should I sell an iron condor because dealers dampen SPY? What is the score of that signal?',
    SPY,
    '/v1/strategies/dealer-regime/SPY',
    'score'
  ],
  ['Is one wing of SPY richer than the other, score of the skew trade?', SPY, '/v1/strategies/skew/SPY', 'score'],
  [
    'What does the downside tail of AAPL cost, is a tail hedge cheap?',
    AAPL,
    '/v1/strategies/tail-pricing/AAPL',
    'score'
  ],
  [
    'Will SPY stay in a range until the close today, decision of the signal?',
    SPY,
    '/v1/strategies/zero-dte/SPY',
    'decision'
  ],
  ['Best covered call on AAPL?', AAPL, '/v1/strategies/yield-enhancement/AAPL', 'metrics.strike'],
  [
    'Do calls or puts trade unusually much in SPY?',
    SPY,
    '/v1/strategies/flow-anomaly/SPY',
    'metrics.call_put_volume_ratio'
  ],
  [
    'Is the volatility term structure of SPY in contango? Slope of front against back IV',
    SPY,
    '/v1/strategies/term-structure/SPY',
    'metrics.slope'
  ],
  ['Is volatility of AAPL worth selling (carry)?', AAPL, '/v1/strategies/vol-carry/AAPL', 'score'],
  [
    'Put wing richness of SPY against its fitted smile',
    SPY,
    '/v1/strategies/surface-anomaly/SPY',
    'metrics.put_wing_richness'
  ],
  [
    'How strongly does max pain pull on this expiration of SPY, iron fly score?',
    SPY,
    '/v1/strategies/expiry-positioning/SPY',
    'score'
  ],
  [
    'When does AAPL report next, and how many days until then?',
    AAPL,
    '/v1/earnings/expected-move/AAPL',
    'days_to_event'
  ],
  [
    'What move do options imply for the next earnings of AAPL?',
    AAPL,
    '/v1/earnings/expected-move/AAPL',
    'expected_move.earnings_implied_pct'
  ],
  ['EPS surprise of AAPL at its last report', AAPL, '/v1/earnings/history/AAPL', 'history[0].eps_surprise_pct'],
  [
    'How large an IV crush is priced for AAPL after earnings?',
    AAPL,
    '/v1/earnings/iv-crush/AAPL',
    'current_estimate.expected_crush_pct'
  ],
  ['Which companies report in the next 30 days?', { days: 30 }, '/v1/earnings/calendar?days=30', 'events[0].symbol'],
  [
    'How well does an iron condor suit the next AAPL earnings?',
    AAPL,
    '/v1/earnings/strategies/AAPL',
    'scores.iron_condor'
  ],
  ['Last price of MSFT', { symbol: 'MSFT' }, '/stockquote/MSFT', 'lastPrice'],
  ['Where did KO close yesterday?', { symbol: 'KO' }, '/stockquote/KO', 'previous_close'],
  ['Is the market for SPY open right now?', SPY, '/v1/market/session/SPY', 'status'],
  ['Can I trust the data of SPY, what is the quality score?', SPY, '/v1/quality/SPY', 'score'],
  ['How many expirations are listed for AAPL?', AAPL, '/v1/options/AAPL', 'expiration_count'],
  ['How many requests of my quota are left today?', {}, '/v1/account', 'remaining'],
  [
    'Delta of a call struck at 105 with spot at 100, 30 days and 25 % volatility',
    option,
    `/v1/pricing/greeks?${optionQuery}`,
    'first_order.delta'
  ],
  [
    'Theoretical Black-Scholes price of that call: spot 100, strike 105, 30 days, vol 25 %',
    option,
    `/v1/pricing/greeks?${optionQuery}`,
    'theoretical_price'
  ],
  [
    'What implied volatility does a price of 1.5 give for a 105 call, spot 100, 30 days?',
    { spot: 100, strike: 105, dte: 30, price: 1.5, type: 'call' },
    '/v1/pricing/iv?spot=100&strike=105&dte=30&price=1.5&type=call',
    'implied_volatility'
  ],
  [
    'How much should I bet by Kelly on a long call for 1.2 if I expect 20 % a year?',
    { ...option, premium: 1.2, mu: 0.2 },
    `/v1/pricing/kelly?${optionQuery}&premium=1.2&mu=0.2`,
    'sizing.kelly_fraction'
  ],
  ['Max profit of a 100/110 call spread bought for 3.2 and 1.1', { legs }, 'POST /v1/structures/pnl', 'max_profit'],
  ['Where was the gamma flip of KO at noon on July 29th?', ofKO, '/v1/exposure/levels/KO', 'levels.gamma_flip'],
  ['What was the net delta exposure of KO at noon on July 29th?', ofKO, '/v1/exposure/dex/KO', 'net_dex'],
  ['What was max pain of KO at noon on July 29th?', ofKO, '/v1/maxpain/KO', 'max_pain_strike'],
  [
    'What was the expected move of XLE at noon on July 29th?',
    { symbol: 'XLE', at },
    '/v1/expected-move/XLE',
    'expected_moves[0].expectedMovePct'
  ],
  [
    'Daily open, high, low and close of SPY: the last close',
    { ...SPY, every: '1d' },
    '/v1/bars/SPY?every=1d',
    'c[last]'
  ]
]

export const questionsOf = (lines: readonly Line[]): readonly ExamQuestion[] =>
  lines.map(([ask, given, rest, figure]) => ({ ask, given, rest, figure }))

export const examQuestions = questionsOf(lines)
