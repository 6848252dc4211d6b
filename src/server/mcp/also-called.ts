/** Words in which traders ask for an operation beyond those of its summary and figures, by its id. */
export const alsoCalled: Readonly<Record<string, string>> = {
  'stockquote.current': 'last price, spot, bid and ask, where it closed yesterday, previous close',
  'optionquote.current': 'bid, ask and greeks of one listed contract',
  'market.session': 'is the market open, hours, half day, holiday',
  'options.current': 'how many expirations and strikes are listed, chain',
  'tickers.current': 'how many symbols or tickers are known',
  'account.current': 'requests left of the quota, my plan',
  'quality.current': 'can the data be trusted, score of the data',
  'bars.current': 'daily open, high, low, close and volume, candles, OHLC, price history',
  'exposure.gex': 'net gamma, gamma by strike, call and put open interest of a strike',
  'exposure.levels':
    'where the gamma flip, the call wall and the put wall are, magnet, strike of highest open interest, support and resistance',
  'exposure.summary':
    'gamma regime, are dealers long or short gamma, shares that dealers must trade to hedge if spot drops or rises one percent',
  'exposure.zero_dte': 'share of total gamma that expires today, hours left, sigmas from the flip',
  'exposure.term_structure': 'gamma distributed over expirations, what the front expiration holds',
  'exposure.attribution':
    'why gamma exposure changed, how much of the change is due to spot, volatility, time or open interest',
  'maxpain.current': 'max pain, put call ratio of open interest',
  'flow.dex': 'live delta exposure after the flow of today',
  'vrp.current': 'how rich options are: variance premium, percentile, z score over 20 days',
  'earnings.calendar': 'which companies report in the next days, when',
  'pricing.greeks':
    'delta, gamma, theta, vega, theoretical price of a call or put from spot, strike, days and volatility',
  'pricing.iv': 'implied volatility that a given option price has, from spot, strike and days'
}
