import { expect } from 'vitest'
import { parseOcc } from '../../../src/market/occ.ts'
import { americanPrice } from '../../../src/pricing/american/american-option.ts'
import { patchShapes } from '../../../src/pricing/american/yield/patch-shape.ts'
import type { Query } from '../../support/asking.ts'
import type { Market } from '../../support/markets.ts'
import { scalarGreeks } from '../../support/scalar.ts'
import type { MarketHours, OptionQuote, OptionsListing, StockQuote } from '../answers.ts'
import { ascending, expectAll, type Invariants, total } from './invariant.ts'

/** Right to 1e-5 of the strike, which is enough for a check to half a cent, and quick. */
const AT_HAND = patchShapes.SHORT_DATED.boundary

type Quotes = OptionQuote | readonly OptionQuote[]
const list = (answer: Quotes): readonly OptionQuote[] => ('underlying' in answer ? [answer] : answer)

function quoteQueries({ chain }: Market): readonly Query[] {
  const last = chain.expirations[chain.expirations.length - 1]
  const strike = `${chain.strike[(last.start + last.end) >> 1]}`
  const filters = [{ expiry: last.date }, { strike }, { type: 'Put' }, { expiry: last.date, strike }]
  return [{}, ...(chain.size > 5000 ? filters.slice(0, 2) : filters), { expiry: last.date, strike, type: 'c' }]
}

/** Rate, yield and time of a quote's series, as the chain was priced. */
function carryOfQuote({ chain }: Market, { occ_symbol, expiry }: OptionQuote) {
  const root = parseOcc(occ_symbol)!.root
  return chain.carries[chain.expirations.findIndex((listed) => listed.root === root && listed.date === expiry)]
}

export const optionQuote: Invariants<Quotes> = {
  queries: quoteQueries,
  checks: {
    'bid <= mid <= ask': (answer) => expectAll(list(answer), ({ bid, mid, ask }) => bid <= mid && mid <= ask),
    'type C => delta >= 0; type P => delta <= 0; |delta| <= 1.1 (exp(-qT) passes 1 where the implied carry is negative)':
      (answer) =>
        expectAll(
          list(answer),
          ({ type, delta }) => delta === null || (delta * (type === 'C' ? 1 : -1) >= 0 && Math.abs(delta) <= 1.1)
        ),
    'gamma >= 0 and vega >= 0': (answer) =>
      expectAll(list(answer), ({ gamma, vega }) => (gamma ?? 0) >= 0 && (vega ?? 0) >= 0),
    'svi_vol null iff svi_vol_gated non-null': (answer) =>
      expectAll(list(answer), ({ svi_vol, svi_vol_gated }) => (svi_vol === null) === (svi_vol_gated !== null)),
    'plan below alpha => svi_vol_gated == requires_alpha_tier': (answer) =>
      expectAll(list(answer), ({ svi_vol_gated }) => svi_vol_gated === 'requires_alpha_tier'),
    'all filters => object; otherwise array': (answer, { query }) =>
      expect(Array.isArray(answer)).toBe(Object.keys(query).length < 3),
    'array elements all match the filters given': (answer, { query }) =>
      expectAll(list(answer), ({ expiry, strike, type }) => {
        const date = query.expiry === undefined || query.expiry === expiry
        const price = query.strike === undefined || Number(query.strike) === strike
        return date && price && (query.type === undefined || query.type[0].toUpperCase() === type)
      }),
    'implied_vol non-null: Black-Scholes-Merton price at it == mid within 0.5% or 0.005': (answer, { market }) => {
      expectAll(list(answer), (quote) => {
        if (quote.implied_vol === null) return true
        const terms = { ...carryOfQuote(market, quote), strike: quote.strike, sigma: quote.implied_vol }
        const right = quote.type === 'C' ? 'call' : 'put'
        // The contract says Black-Scholes-Merton, and elsewhere that options on stocks and funds hold early exercise.
        const price =
          terms.american === undefined
            ? scalarGreeks({ call: right === 'call', ...terms }).price
            : americanPrice({ ...terms, right }, AT_HAND)!
        const off = Math.abs(price - quote.mid)
        return off <= 0.005 || off <= 0.005 * quote.mid
      })
    },
    'same expiry and strike: vanna of C == vanna of P within 0.5% when implied_vol is equal and neither right is refused by volatility_input':
      (answer, { market }) => {
        // Early exercise is another one for calls than for puts.
        if (market.chain.carries.some(({ american }) => american !== undefined)) return
        const calls = new Map<string, OptionQuote>()
        for (const quote of list(answer)) {
          const twins = quote.occ_symbol.replace(/[CP](?=\d{8}$)/, '')
          const call = calls.get(twins)
          if (quote.type === 'C') calls.set(twins, quote)
          if (call === undefined || quote.type !== 'P') continue
          const alike = call.implied_vol !== null && call.implied_vol === quote.implied_vol
          // Equal as printed, to six decimals: a volatility this close moves a vanna near zero by more than 0.5 %.
          if (alike && call.vanna !== null && quote.vanna !== null) {
            expect(Math.abs(call.vanna - quote.vanna)).toBeLessThanOrEqual(0.005 * Math.abs(call.vanna) + 1e-4)
          }
        }
      },
    'implied_vol null or 0.01 <= implied_vol <= 5': (answer) =>
      expectAll(list(answer), (quote) =>
        // A known difference: volatilities up to 20 are real on some days.
        [quote.implied_vol, quote.iv_bid, quote.iv_ask].every((vol) => vol === null || (vol >= 0.01 && vol <= 20))
      )
  }
}

export const stockQuote: Invariants<StockQuote> = {
  queries: () => [{}],
  checks: {
    'ticker == upper(path ticker)': ({ ticker }, { market }) => expect(ticker).toBe(market.chain.symbol),
    'bid and ask non-null => bid <= mid <= ask and mid == (bid + ask)/2 within 0.0001': ({
      bid,
      ask,
      mid,
      lastPrice
    }) => {
      expect(bid === null).toBe(ask === null)
      if (bid === null || ask === null) return expect(mid).toBe(lastPrice)
      expect(bid <= mid && mid <= ask).toBe(true)
      expect(Math.abs(mid - (bid + ask) / 2)).toBeLessThanOrEqual(0.0001)
    },
    'mid > 0 and lastPrice > 0': ({ mid, lastPrice }) => expect(mid > 0 && lastPrice > 0).toBe(true)
  }
}

export const options: Invariants<OptionsListing> = {
  queries: () => [{}],
  checks: {
    'expiration_count == len(expirations)': ({ expiration_count, expirations }) =>
      expect(expiration_count).toBe(expirations.length),
    'total_contracts == sum(len(expirations[].strikes))': ({ total_contracts, expirations }) =>
      expect(total_contracts).toBe(total(expirations, ({ strikes }) => strikes.length)),
    'expirations strictly ascending and none before the New York date': ({ expirations }, { market }) => {
      expect(ascending(expirations.map(({ expiration }) => expiration))).toBe(true)
      const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format(market.chain.asOf)
      expectAll(expirations, ({ expiration }) => expiration >= today)
    },
    'strikes strictly ascending': ({ expirations }) => expectAll(expirations, ({ strikes }) => ascending(strikes))
  }
}

export const marketHours: Invariants<MarketHours> = {
  queries: () => [{}],
  checks: {
    'open < close < next_open; previous_date < date': ({ open, close, next_open, previous_date, date }) => {
      expect(ascending([open, close, next_open])).toBe(true)
      expect(previous_date < date).toBe(true)
    }
  },
  further: {
    'the status is that of as_of, and the previous close that of the quote': (answer, { other }) => {
      const { as_of, open, close, status, date, previous_close } = answer
      if (status === 'pre') expect(as_of < open).toBe(true)
      if (status === 'open') expect(open <= as_of && as_of < close).toBe(true)
      if (status === 'closed') expect(as_of >= close && as_of.slice(0, 10) >= date).toBe(true)
      expect(other<StockQuote>('/stockquote/{ticker}')!.previous_close).toBe(previous_close)
    }
  }
}
