import { type ExamQuestion, questionsOf } from './exam-questions.ts'

// Questions written from the pages of docs/methods alone, after the descriptions of the tools were. They tell whether the
// descriptions do for questions that they were not written for.

const SPY = { symbol: 'SPY' }
const AAPL = { symbol: 'AAPL' }
const ofKO = { symbol: 'KO', at: '2026-07-29T12:00:00' }
const spread = {
  spot: 102.5,
  legs: [
    { action: 'buy', type: 'call', strike: 100, expiry: '2026-07-17', impliedVol: 0.28, quantity: 1 },
    { action: 'sell', type: 'call', strike: 110, expiry: '2026-07-17', impliedVol: 0.25, quantity: 1 }
  ]
}

export const heldOutQuestions: readonly ExamQuestion[] = questionsOf([
  ['Is the VIX above what the S&P 500 really moved in the last 20 days?', {}, '/v1/macro/vix-state', 'spread'],
  ['How does dealer gamma of SPY change as spot moves, its speed?', SPY, '/v1/exposure/higher/SPY', 'net_speed'],
  ['Zomma: how does the gamma exposure of AAPL react to volatility?', AAPL, '/v1/exposure/higher/AAPL', 'net_zomma'],
  [
    'If I draw net gamma of AAPL against the price, where does the curve cross zero?',
    AAPL,
    '/v1/exposure/profile/AAPL',
    'crossings[0]'
  ],
  [
    'At which strike did net gamma of KO change most in the minute before noon?',
    ofKO,
    '/v1/exposure/changes/KO',
    'windows[0].strikes[0].strike'
  ],
  [
    'How much of the change of KO gamma in the last minutes is the move of spot alone?',
    ofKO,
    '/v1/exposure/changes/KO',
    'windows[0].net.spot'
  ],
  [
    'Gamma of AAPL laid out by strikes and expirations: total of the first expiration',
    AAPL,
    '/v1/exposure/matrix/AAPL',
    'column_totals[0]'
  ],
  [
    'Everything about AAPL on one page: its 60 day historical volatility',
    AAPL,
    '/v1/stock/AAPL/summary',
    'volatility.hv_60'
  ],
  [
    'What was the variance risk premium of AAPL in each of the last sessions?',
    AAPL,
    '/v1/vrp/AAPL/history',
    'history[last].vrp_20d'
  ],
  ['Premium of upside against downside variance in SPY', SPY, '/v1/vrp/SPY', 'directional.upside_vrp'],
  ['What was the newest option print in SPY?', SPY, '/v1/flow/options/SPY/recent', 'trades[0].price'],
  ['Large option blocks in AAPL today, the newest one', AAPL, '/v1/flow/options/AAPL/blocks', 'blocks[0].size'],
  ['Volume weighted price of SPY options, minute by minute', SPY, '/v1/flow/options/SPY/history', 'buckets[0].vwap'],
  ['Which trades were made last in the shares of AAPL?', AAPL, '/v1/flow/stocks/AAPL/recent', 'trades[0].price'],
  ['Block trades in AAPL stock', AAPL, '/v1/flow/stocks/AAPL/blocks', 'blocks[0].size'],
  [
    'Running total of shares of AAPL bought minus sold',
    AAPL,
    '/v1/flow/stocks/AAPL/cumulative',
    'points[last].cumulative'
  ],
  ['Which stocks see the most one-sided trading?', {}, '/v1/flow/stocks/outliers', 'outliers[0].imbalancePct'],
  [
    'Where is option buying and selling most lopsided across all symbols?',
    {},
    '/v1/flow/options/outliers',
    'outliers[0].imbalancePct'
  ],
  [
    'How far did AAPL really move at past reports, compared with what is implied now?',
    AAPL,
    '/v1/earnings/vrp/AAPL',
    'earnings_vrp.realized_median'
  ],
  [
    'How are dealers positioned around the next report of AAPL?',
    AAPL,
    '/v1/earnings/dealer-positioning/AAPL',
    'gex_by_dte_bucket[0].net_gex'
  ],
  ['Rank the upcoming company reports for me', {}, '/v1/earnings/screener', 'events[0].symbol'],
  [
    'By how much does volatility of AAPL usually fall after a report, the median?',
    AAPL,
    '/v1/earnings/iv-crush/AAPL',
    'distribution.median'
  ],
  ['When does trading in SPY open again?', SPY, '/v1/market/session/SPY', 'next_open'],
  ['How many contracts of SPY have both a bid and an ask?', SPY, '/v1/quality/SPY', 'contracts.two_sided'],
  ['Which plan is my key on?', {}, '/v1/account', 'plan'],
  ['What can I filter and rank stocks by in a screen?', {}, '/v1/screener/fields', 'count'],
  [
    'Summed greeks of a call spread of two legs, its delta',
    spread,
    'POST /v1/structures/greeks',
    'position_greeks.delta'
  ],
  [
    'Estimated open interest of AAPL after what was traded today, with all headline figures',
    AAPL,
    '/v1/flow/live/AAPL',
    'simulated_oi'
  ],
  [
    'Spread at the money of the nearest expiration of AAPL in percent, what does trading cost?',
    AAPL,
    '/v1/liquidity/AAPL',
    'expiries[0].atm_spread_pct'
  ],
  ['At the money volatility of KO at noon on July 29th', ofKO, '/v1/volatility/KO', 'atm_iv']
])
