import { expect } from 'vitest'
import type { ByStrike, Gex, Levels, OptionQuote, Summary } from '../answers.ts'
import { ascending, expectAll, expectSum, type Invariants, scopes, total } from './invariant.ts'

const gexPath = '/v1/exposure/gex/{symbol}'
const opening = {
  'underlying_price > 0': ({ underlying_price }: { readonly underlying_price: number }) =>
    expect(underlying_price).toBeGreaterThan(0),
  'symbol == upper(path symbol)': (
    { symbol }: { readonly symbol: string },
    { market }: { market: { chain: { symbol: string } } }
  ) => expect(symbol).toBe(market.chain.symbol),
  'strikes[].strike strictly ascending': ({ strikes }: { readonly strikes: readonly { readonly strike: number }[] }) =>
    expect(ascending(strikes.map(({ strike }) => strike))).toBe(true)
}

export const gex: Invariants<Gex> = {
  queries: (market) =>
    scopes(market).flatMap((query) => [query, { ...query, min_oi: '120' }, { ...query, min_oi: '2000000000' }]),
  checks: {
    ...opening,
    'net_gex == sum(strikes[].net_gex)': ({ net_gex, strikes }) =>
      expectSum(
        net_gex,
        total(strikes, (row) => row.net_gex),
        strikes.length
      ),
    'each strike: net_gex == call_gex + put_gex': ({ strikes }) =>
      expectAll(strikes, (row) => Math.abs(row.net_gex - row.call_gex - row.put_gex) <= 0.0151),
    'each strike: call_gex >= 0 and put_gex <= 0': ({ strikes }) =>
      expectAll(strikes, (row) => row.call_gex >= 0 && row.put_gex <= 0),
    'net_gex_label agrees with the sign of net_gex': ({ net_gex, net_gex_label }) => {
      if (net_gex !== 0) expect(net_gex_label).toBe(net_gex > 0 ? 'positive' : 'negative')
    },
    'gamma_flip is null or (underlying_price >= gamma_flip) == (net_gex >= 0) when |underlying_price - gamma_flip| > 0.01':
      ({ gamma_flip, net_gex, underlying_price }) => {
        if (gamma_flip === null || Math.abs(underlying_price - gamma_flip) <= 0.01) return
        expect(underlying_price >= gamma_flip).toBe(net_gex >= 0)
      },
    'each strike: call_oi + put_oi >= min_oi': ({ strikes }, { query }) =>
      expectAll(strikes, (row) => row.call_oi + row.put_oi >= Number(query.min_oi ?? 0)),
    'without min_oi: levels/{symbol} of the same scope has the same gamma_flip, call_wall == argmax(call_gex), put_wall == argmin(put_gex), a wall null when its side is all 0':
      ({ gamma_flip, strikes }, { query, other }) => {
        if (query.min_oi !== undefined) return
        const { levels } = other<Levels>('/v1/exposure/levels/{symbol}', query)!
        expect(levels.gamma_flip).toBe(gamma_flip)
        const most = Math.max(0, ...strikes.map((row) => row.call_gex))
        const least = Math.min(0, ...strikes.map((row) => row.put_gex))
        // A wall so small that it prints as 0 is a wall all the same.
        if (most > 0) expect(strikes.find(({ strike }) => strike === levels.call_wall)?.call_gex).toBe(most)
        if (least < 0) expect(strikes.find(({ strike }) => strike === levels.put_wall)?.put_gex).toBe(least)
        if (levels.call_wall === null) expect(most).toBe(0)
        if (levels.put_wall === null) expect(least).toBe(0)
      },
    'recomputed from optionquote: call_gex(K) == sum(gamma * open_interest * 100 * underlying_price^2 * 0.01) within 0.5%':
      ({ strikes, underlying_price }, { query, other, market }) => {
        if (query.min_oi !== undefined || (query.expiration === undefined && market.chain.size > 20_000)) return
        // There the quotes of settled contracts are listed to the end of the day and count no more.
        if (market.name.includes('still show a quote')) return
        const expiry = query.expiration === '0dte' ? market.chain.expirations[0].date : query.expiration
        const quotes = other<readonly OptionQuote[]>('/optionquote/{ticker}', expiry === undefined ? {} : { expiry })!
        const sums = new Map<string, number>()
        for (const { strike, type, gamma, open_interest } of quotes) {
          const side = `${type}${strike}`
          sums.set(side, (sums.get(side) ?? 0) + (gamma ?? 0) * open_interest * 100 * underlying_price ** 2 * 0.01)
        }
        const close = (printed: number, sum: number) => Math.abs(printed - sum) <= 1e-6 * Math.abs(sum) + 0.006
        expectAll(
          strikes,
          (row) =>
            close(row.call_gex, sums.get(`C${row.strike}`) ?? 0) &&
            close(row.put_gex, -(sums.get(`P${row.strike}`) ?? 0))
        )
      }
  }
}

/** The invariants that dex, vex and chex share, under the name of their measure. */
function measure(name: 'dex' | 'vex' | 'chex', sentence?: string): Invariants<ByStrike> {
  const net = `net_${name}`
  return {
    queries: scopes,
    checks: {
      ...opening,
      [`${net} == sum(strikes[].${net})`]: (answer) =>
        expectSum(
          answer[net] as number,
          total(answer.strikes, (row) => row[net]),
          answer.strikes.length
        ),
      [`each strike: ${net} == call_${name} + put_${name}`]: ({ strikes }) =>
        expectAll(strikes, (row) => {
          const sum = row[`call_${name}`] + row[`put_${name}`]
          return (
            Math.abs(row[net] - sum) <= 0.0151 + 1e-12 * (Math.abs(row[`call_${name}`]) + Math.abs(row[`put_${name}`]))
          )
        }),
      'same strike set as gex for the same scope': ({ strikes }, { query, other }) =>
        expect(strikes.map(({ strike }) => strike)).toEqual(
          other<Gex>(gexPath, query)!.strikes.map(({ strike }) => strike)
        ),
      [`${net} == exposures.${net} of exposure/summary when there is no filter`]: (answer, { query, other }) => {
        if (query.expiration !== undefined) return
        const { exposures } = other<Summary>('/v1/exposure/summary/{symbol}')!
        expect(answer[net]).toBe(exposures[net as 'net_dex'])
      },
      ...(sentence === undefined ? {} : { [`len(${sentence}) > 0`]: (answer) => expect(answer[sentence]).not.toBe('') })
    }
  }
}

const dexBase = measure('dex')
export const dex: Invariants<ByStrike> = {
  ...dexBase,
  checks: {
    ...dexBase.checks,
    'each strike: call_dex >= 0 and put_dex <= 0': ({ strikes }) =>
      expectAll(strikes, (row) => row.call_dex >= 0 && row.put_dex <= 0)
  }
}
export const vex = measure('vex', 'vex_interpretation')
export const chex = measure('chex', 'chex_interpretation')
