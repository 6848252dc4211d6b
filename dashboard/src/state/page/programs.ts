/** Formats of levels by the charting programs that read them. The first is the default. */
export const PROGRAMS = [
  ['pine6', 'TradingView, script to add once'],
  ['line', 'TradingView, line for that script'],
  ['pine', 'TradingView, script with the levels'],
  ['thinkscript', 'thinkorswim'],
  ['ninjatrader', 'NinjaTrader'],
  ['sierra', 'Sierra Chart'],
  ['csv', 'Quantower, ATAS, CSV']
] as const
