import { CALL, type Chain } from '../../src/market/chain.ts'
import { endOfLife } from '../../src/market/clock.ts'
import { securityKind } from '../../src/market/security.ts'

// The checks that compare a chain with itself and with its prior close, read row by row and without anything of the
// service but the calendar and the list of kinds. In a session, or at its close, of a symbol that can be held.

interface Row {
  readonly key: string
  readonly listing: string
  readonly strike: number
  readonly isCall: boolean
  readonly bid: number
  readonly ask: number
  readonly held: number
  readonly traded: number
  readonly years: number
}

function rowsOf(chain: Chain, at = chain.asOf): readonly Row[] {
  return chain.expirations.flatMap(({ root, date, settlement, start, end }) => {
    const years = (endOfLife(date, settlement) - at) / (365 * 86_400_000)
    if (years <= 0) return []
    return Array.from({ length: end - start }, (_, k): Row => {
      const i = start + k
      const isCall = chain.right[i] === CALL
      return {
        key: `${root} ${date} ${chain.strike[i]} ${isCall}`,
        listing: `${root} ${date}`,
        strike: chain.strike[i],
        isCall,
        bid: chain.bid[i],
        ask: chain.ask[i],
        held: chain.openInterest[i],
        traded: Math.max(0, chain.volume[i]),
        years
      }
    })
  })
}

const unit = (x: number) => Math.min(1, Math.max(0, x))
const points = (x: number) => Math.floor(x + 0.5)
const middle = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2
}

interface Pair {
  readonly strike: number
  readonly difference: number
  readonly half: number
  readonly straddle: number
}

function pairsOf(rows: readonly Row[]): readonly Pair[] {
  const isQuoted = ({ bid, ask }: Row) => bid > 0 && ask >= bid
  const puts = new Map(rows.filter(({ isCall }) => !isCall).map((row) => [row.strike, row]))
  return rows
    .filter(({ isCall }) => isCall)
    .flatMap((call) => {
      const put = puts.get(call.strike)
      if (put === undefined || !isQuoted(call) || !isQuoted(put)) return []
      const [c, p] = [(call.bid + call.ask) / 2, (put.bid + put.ask) / 2]
      const half = (call.ask - call.bid + put.ask - put.bid) / 2
      return [{ strike: call.strike, difference: c - p, half, straddle: c + p }]
    })
    .sort((a, b) => Math.abs(a.difference) - Math.abs(b.difference))
    .slice(0, 5)
}

export function slowChecks(chain: Chain, prior: Chain | undefined) {
  const rows = rowsOf(chain)
  const { spot } = chain
  const listings = [...new Set(rows.map(({ listing }) => listing))]
  const quoted = listings
    .map((listing) => rows.filter((row) => row.listing === listing))
    .map((own) => ({ years: own[0].years, pairs: pairsOf(own) }))
    .filter(({ pairs }) => pairs.length > 0)
    .slice(0, 6)
  const near = listings.filter((listing) =>
    rows.some((row) => {
      const interval = spot >= 200 ? 10 : spot >= 25 ? 5 : 2.5
      return row.listing === listing && Math.abs(row.strike - spot) <= Math.max(0.05 * spot, 1.25 * interval)
    })
  )
  const fitting = quoted.filter(({ years, pairs }) => {
    const ordered = [...pairs].sort((a, b) => a.strike - b.strike)
    const rise = (low: Pair, high: Pair) => high.strike + high.difference - low.strike - low.difference
    const [low, high] = [ordered[0], ordered.at(-1)!]
    const slopes = ordered.slice(1).map((pair, k) => rise(ordered[k], pair) / (pair.strike - ordered[k].strike))
    if (Math.abs(rise(low, high)) > 2 * (low.half + high.half) && Math.abs(middle(slopes)) > 0.25) return false
    const value = middle(pairs.map(({ strike, difference }) => strike + difference))
    const sigma = pairs[0].straddle / 0.8 / value / years ** 0.5
    return years * 365 < 1 || (sigma >= 0.002 && sigma <= 20)
  })
  const share = Math.min(
    (100 * near.length) / listings.length,
    quoted.length === 0 ? 100 : (100 * fitting.length) / quoted.length
  )
  return {
    scale: { value: share, deduction: share < 50 ? 85 : points(20 * unit((90 - share) / 40)) },
    ...spotCheck(chain, quoted),
    open_interest: interestCheck(chain, rows),
    ...(prior === undefined ? {} : { frozen_quotes: frozenCheck(chain, rows, rowsOf(prior, chain.asOf)) })
  }
}

function spotCheck({ spot }: Chain, quoted: readonly { readonly years: number; readonly pairs: readonly Pair[] }[]) {
  if (quoted.length === 0) return {}
  const read = quoted.map(({ years, pairs }) => {
    const spots = pairs.map(({ strike, difference }) => strike + difference)
    const value = middle(spots)
    const error = middle(pairs.map(({ half }) => half)) + middle(spots.map((one) => Math.abs(one - value)))
    return { years, value, error }
  })
  const [first] = read
  const carry = 0.15 * first.years * first.value
  const ends = [first.value - first.error - carry, first.value + first.error + carry]
  for (const { years, value, error } of read.slice(1)) {
    const weight = first.years / (years - first.years)
    const atZero = first.value + weight * (first.value - value)
    const off = first.error + weight * (first.error + error)
    if (off < 0.03 * first.value) ends.push(atZero - off, atZero + off)
  }
  const outside = (100 * Math.max(0, Math.min(...ends) - spot, spot - Math.max(...ends))) / spot
  return { spot: { value: outside, deduction: outside > 3 ? 85 : points(10 * unit((outside - 0.25) / 0.75)) } }
}

function interestCheck({ symbol }: Chain, rows: readonly Row[]) {
  const known = rows.filter(({ held }) => held >= 0)
  const value = (100 * known.filter(({ held }) => held > 0).length) / known.length
  const usual = securityKind(symbol) !== 'index' && rows.length < 300 ? 5 : 20
  return { value, deduction: points(65 * unit((usual - value) / (0.9 * usual))) }
}

function frozenCheck(chain: Chain, rows: readonly Row[], before: readonly Row[]) {
  const minutes = new Date(chain.asOf).toLocaleTimeString('en-GB', { timeZone: 'America/New_York' })
  if (minutes >= '16:00' || minutes < '09:30') return { value: undefined, deduction: 0 }
  const earlier = new Map(before.map((row) => [row.key, row]))
  const both = rows.flatMap((row) => {
    const then = earlier.get(row.key)
    const isNear = Math.abs(row.strike / chain.spot - 1) <= 0.1
    return then !== undefined && isNear && row.bid > 0 && row.ask >= row.bid && then.bid > 0 ? [[row, then]] : []
  })
  if (both.length < 20) return { value: undefined, deduction: 0 }
  const value = (100 * both.filter(([now, then]) => now.bid === then.bid && now.ask === then.ask).length) / both.length
  return { value, deduction: points(30 * unit((value - 50) / 40)) }
}
