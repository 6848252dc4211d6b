import { expect } from 'vitest'
import { buildChain, type Chain } from '../../src/market/chain.ts'
import { CANCEL, MID, type Prints, sideOf } from '../../src/market/print.ts'
import { listedSeries } from '../../src/market/series.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { Tape } from '../../src/tape/tape.ts'
import { VolumeGrowth } from '../../src/tape/volume-growth.ts'
import { type RecordedTape, testRecorded } from '../flow/recorded-tapes.ts'

const MICROSECONDS = 1000

/** Chain as a poll at a moment would show it: each contract's volume, last price and the newest quote of a print. */
function polled({ series, prints }: RecordedTape, until: number, at: Instant): Chain {
  const seen = Array.from({ length: series.length }, () => ({ volume: 0, last: Number.NaN, bid: 0, ask: 0 }))
  for (let k = 0; k < until; k++) {
    if ((prints.flags[k] & CANCEL) !== 0) continue
    const of = seen[prints.instrument[k]]
    of.volume += prints.size[k]
    of.last = prints.price[k] / 1e4
    if (prints.ask[k] > 0) [of.bid, of.ask] = [prints.bid[k] / 1e4, prints.ask[k] / 1e4]
  }
  const quote = { bid: undefined, ask: undefined, last: 14.5, time: at }
  const rows = seen.map((of, k) => {
    const { date, ...named } = listedSeries(series, k)
    return { ...named, ...of, expiration: date, bidSize: 1, askSize: 1, openInterest: 0 }
  })
  return buildChain({ symbol: 'VIX' as Ticker, asOf: at, delay: 0, spot: 14.5, quote }, rows)
}

/** Contracts by side of some rows, by the name of their series. */
function sidesOf(prints: Prints, from: number, to: number, name: (instrument: number) => string) {
  const volumes = new Map<string, [mid: number, buy: number, sell: number]>()
  for (let k = from; k < to; k++) {
    if ((prints.flags[k] & CANCEL) !== 0) continue
    const of = volumes.get(name(prints.instrument[k])) ?? [0, 0, 0]
    of[sideOf(prints.judged[k])] += prints.size[k]
    volumes.set(name(prints.instrument[k]), of)
  }
  return volumes
}

testRecorded(
  'a recorded day behind polls of a minute: how much of its sides is inferred, and how much of that is wrong',
  ([vix]) => {
    const { prints, series, session } = vix
    const inferred = new Tape('option', session, 1e-4)
    const growth = new VolumeGrowth()
    const nameOf = (k: number) => {
      const { date, strike, right } = listedSeries(series, k)
      return `${date} ${strike} ${right}`
    }
    const nameOfInferred = (k: number) => {
      const { date, strike, right } = listedSeries(inferred.series, k)
      return `${date} ${strike} ${right}`
    }
    let [sided, wrong, unsaid, classified] = [0, 0, 0, 0]
    let row = 0
    let from = 0
    const end = prints.known[prints.length - 1] / MICROSECONDS
    for (let at = prints.known[0] / MICROSECONDS - 1000; at < end + 60_000; at += 60_000) {
      let to = from
      while (to < prints.length && prints.known[to] <= MICROSECONDS * at) to++
      growth.note(polled(vix, to, at), () => inferred)
      const truth = sidesOf(prints, from, to, nameOf)
      for (const [, buy, sell] of truth.values()) classified += buy + sell
      const inferredRows = inferred.rowsFrom(row)
      for (let k = inferredRows.from; k < inferredRows.to; k++) {
        const [, buy, sell] = truth.get(nameOfInferred(inferredRows.prints.instrument[k])) ?? [0, 0, 0]
        const side = sideOf(inferredRows.prints.judged[k])
        if (side === MID) unsaid += buy + sell
        else {
          sided += buy + sell
          wrong += side === 1 ? sell : buy
        }
      }
      row = inferred.position
      from = to
    }
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`
    console.log(
      `inferred: ${percent(wrong / sided)} of what is told wrong, ${percent(unsaid / classified)} left unsaid`
    )
    expect(sided + unsaid).toBe(classified)
    expect(wrong / sided).toBeLessThan(0.15)
    expect(unsaid / classified).toBeLessThan(0.5)
  }
)
