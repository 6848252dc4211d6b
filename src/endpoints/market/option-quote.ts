import Type from 'typebox'
import { moment, rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { type Caller, endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { choice, expiry, number, symbolInPath } from '../../api/params.ts'
import { Contracts, Day, Greek, Name, Note, Nullable, Price, Timestamp, Volatility, Words } from '../../api/quantity.ts'
import { decaySpan } from '../../exposure/decay-ahead.ts'
import { expirationOfSlots, liveScope, visibleScope } from '../../exposure/scope.ts'
import { CALL, known, PUT } from '../../market/chain.ts'
import { isLive } from '../../market/clock.ts'
import { formatOcc } from '../../market/occ.ts'
import { isoInstant } from '../../market/units.ts'
import { logMoneyness } from '../../pricing/log-moneyness.ts'
import { mid } from '../../pricing/parity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { quoteVolatilities } from '../../pricing/quote-volatility.ts'
import { isAccepted, sliceOf } from '../../volatility/smile/slice.ts'
import { totalVariance } from '../../volatility/svi/svi.ts'
import { lastDayNote } from '../../wording/same-day-readings.ts'

const greek = (unit: string) => Nullable(Greek(unit))

/**
 * Quote of one contract. A missing bid counts as 0. An ask that is missing or below the bid counts as equal to the bid.
 * So bid <= mid <= ask in every row.
 */
const quoteBlock = block(
  Type.Object(
    {
      underlying: Name(),
      type: Words('C', 'P'),
      expiry: Day(),
      strike: Price(),
      bid: Price(),
      ask: Price(),
      mid: Price(),
      bidSize: Contracts('0 where the feed has none'),
      askSize: Contracts('0 where the feed has none'),
      lastUpdate: Timestamp(undefined, moment),
      implied_vol: Nullable(Volatility('inverted from the mid')),
      iv_bid: Nullable(Volatility('inverted from the bid')),
      iv_ask: Nullable(Volatility('inverted from the ask')),
      delta: greek('per share'),
      gamma: greek('per share, per USD of spot'),
      theta: greek('USD per share and calendar day passing'),
      vega: greek('USD per share and 0.01 of volatility'),
      rho: greek('USD per share and 0.01 of rate'),
      vanna: greek('delta per 1.00 of volatility'),
      charm: greek('delta per calendar day passing'),
      greeks_note: Type.Optional(Note('on the last day of the contract, what theta and charm mean')),
      svi_vol: Nullable(Volatility('of the fitted smile at this strike')),
      svi_vol_gated: Nullable(Words('requires_alpha_tier', 'backtest_mode', 'not_fitted')),
      open_interest: Contracts(),
      volume: Contracts(),
      occ_symbol: Name('tells apart series that share expiry, strike and type, such as SPX and SPXW')
    },
    { title: 'ContractQuote' }
  ),
  (chain: PricedChain, i: number, caller: Caller) => {
    const at = expirationOfSlots(chain)[i]
    const { date, root } = chain.expirations[at]
    const isLastDay = !Number.isNaN(chain.delta[i]) && decaySpan({ chain, expirations: [at] }) === 'close'
    const volatilities = quoteVolatilities(chain)
    const bid = chain.bid[i] || 0
    const ask = Math.max(bid, chain.ask[i] || 0)
    const call = chain.right[i] === CALL
    return {
      underlying: chain.symbol,
      type: call ? ('C' as const) : ('P' as const),
      expiry: date,
      strike: chain.strike[i],
      bid,
      ask,
      mid: Number.isNaN(mid(chain, i)) ? (bid + ask) / 2 : mid(chain, i),
      bidSize: known(chain.bidSize[i]),
      askSize: known(chain.askSize[i]),
      lastUpdate: isoInstant(chain.asOf),
      implied_vol: volatilities.mid[i],
      iv_bid: volatilities.bid[i],
      iv_ask: volatilities.ask[i],
      delta: chain.delta[i],
      gamma: chain.gamma[i],
      theta: chain.theta[i],
      vega: chain.vega[i],
      rho: chain.rho[i],
      vanna: chain.vanna[i],
      charm: chain.charm[i],
      ...(isLastDay ? { greeks_note: lastDayNote } : {}),
      ...smoothed(chain, i, caller),
      open_interest: known(chain.openInterest[i]),
      volume: known(chain.volume[i]),
      occ_symbol: formatOcc({ root, expiration: date, right: call ? 'call' : 'put', strike: chain.strike[i] })
    }
  }
)

export const optionQuote = endpoint({
  id: 'optionquote.current',
  path: '/optionquote/{ticker}',
  aliases: ['/v1/optionquote/{ticker}'],
  tag: 'market-data',
  summary: 'Option quotes with greeks',
  description:
    'One contract or many, narrowed by expiration, strike and type, each with its quote, implied volatilities of bid, mid and ask, greeks per share, volume and open interest. A single match is one object, several are an array.',
  plan: 'growth',
  needs: ['chain'],
  absent: ['no_options_data', 'no_options_data'],
  varies: ['svi'],
  params: {
    ticker: symbolInPath('no_options_data'),
    expiry: expiry('a date, yyyy-MM-dd'),
    strike: number({ description: 'a number above 0', above: 0, code: 'invalid_strike' }),
    type: choice<'C' | 'P'>({
      description: 'C, Call, P or Put, in any case',
      spelling: { c: 'C', call: 'C', p: 'P', put: 'P' },
      code: 'invalid_type'
    })
  },
  symbols: ({ ticker }) => [ticker],
  errors: ['no_match'],
  replay: true,
  stream: true,
  response: Type.Union([quoteBlock.schema, Type.Array(quoteBlock.schema, rowKey('occ_symbol'))]),
  answer: ({ chain }, { expiry, strike, type }, { caller }) => {
    const scope = expiry === undefined ? liveScope(chain) : visibleScope(chain, expiry)
    const right = type && (type === 'C' ? CALL : PUT)
    const matches = Array.from(scope.slots).filter(
      (i) =>
        (strike === undefined || Math.abs(chain.strike[i] - strike) <= 1e-6) &&
        (right === undefined || chain.right[i] === right)
    )
    if (matches.length === 0) throw apiError('no_match', `no listed contract of ${chain.symbol} matches these filters`)
    const sorted = matches.sort(byContract(chain))
    const single = expiry !== undefined && strike !== undefined && type !== undefined
    if (!single) return sorted.map((i) => quoteBlock.fill(chain, i, caller))
    const expirationOf = expirationOfSlots(chain)
    const own = sorted.find((i) => chain.expirations[expirationOf[i]].root === chain.symbol)
    return quoteBlock.fill(chain, own ?? sorted[0], caller)
  }
})

/**
 * Compares two contracts for sorting: by expiry, then strike, then calls before puts. At one strike the AM-settled
 * contract comes first.
 */
function byContract(chain: PricedChain) {
  const expirationOf = expirationOfSlots(chain)
  const dateOf = (i: number) => chain.expirations[expirationOf[i]].date
  return (a: number, b: number) => {
    if (dateOf(a) !== dateOf(b)) return dateOf(a) < dateOf(b) ? -1 : 1
    return chain.strike[a] - chain.strike[b] || chain.right[a] - chain.right[b] || a - b
  }
}

/**
 * Volatility of the fitted smile at the contract's strike, for callers who may see it. Other callers get a word that
 * says why it is missing.
 */
function smoothed(chain: PricedChain, i: number, caller: Caller) {
  if (!caller.has('svi')) return { svi_vol: undefined, svi_vol_gated: 'requires_alpha_tier' as const }
  const at = expirationOfSlots(chain)[i]
  const { date, settlement } = chain.expirations[at]
  const slice = isLive(chain.asOf, date, settlement) ? sliceOf(chain, at) : undefined
  if (slice === undefined || !isAccepted(slice)) return { svi_vol: undefined, svi_vol_gated: 'not_fitted' as const }
  const k = logMoneyness(chain.strike[i], slice.forward)
  return { svi_vol: Math.sqrt(totalVariance(slice.svi, k) / slice.t), svi_vol_gated: undefined }
}
