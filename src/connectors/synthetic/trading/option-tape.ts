import { daysBetween, session as sessionHours } from '../../../market/calendar.ts'
import { CALL } from '../../../market/chain.ts'
import { formatOcc } from '../../../market/occ.ts'
import { MILLISECONDS_PER_MINUTE, type Ticker } from '../../../market/units.ts'
import { gaussian, uniform } from '../../../math/random.ts'
import type { QuoteAtPrint } from '../../port/prints/print-feed.ts'
import { type MarketMoment, momentIn } from '../market-moment.ts'
import { sessions } from '../market-sessions.ts'
import { underlyingQuote } from '../prices/underlying-quote.ts'
import type { Security } from '../securities/securities.ts'
import { fillQuote, makerOf } from '../surface/option-quotes.ts'
import { emptyTheory, fillTheory, type SeriesTerms, type Surface, seriesTerms, surfaceOf } from '../surface/theory.ts'
import type { World } from '../world.ts'
import { type ContractDay, contractDay } from './contract-day.ts'
import { contractSizes, printsOfMinute } from './minute-prints.ts'
import { minuteTape, type SecondQuotes, type SessionTape, type TapeTerms } from './session-tape.ts'
import { MAX_MINUTES, type TradedMinutes, tradedMinutes } from './traded-minute.ts'
import { volumeAfterParts } from './volume.ts'

/** Number of minutes whose trading is generated at once when a long period is read. */
const MINUTES_AT_ONCE = 32

/**
 * Generates the option prints of a security in a session. At every second they add up to the volumes in the security's
 * chain.
 */
export function optionTape(world: World, security: Security, session: number): SessionTape {
  const day = contractDay(world, security, session)
  const bias = biases(day, volumeAfterParts(world, security, day, 3))
  const terms: TapeTerms = {
    symbol: security.symbol,
    session: sessions[session],
    kind: 'option',
    quotes: optionQuotes(world, security, day),
    contract: contractNames(day),
    bias: (slot) => bias[slot]
  }
  const { open } = sessionHours(sessions[session])!
  let traded: TradedMinutes | undefined
  return {
    minute(at, ahead) {
      if (traded === undefined || at < traded.start || at >= traded.end) {
        traded = tradedMinutes(world, security, day, at, at + Math.min(ahead, MINUTES_AT_ONCE))
      }
      const prints = printsOfMinute(day, session * MAX_MINUTES + at, traded.contracts(at), contractSizes)
      return minuteTape(terms, at, open + at * MILLISECONDS_PER_MINUTE, prints)
    }
  }
}

/** Share of the trading that changes open interest. */
const OPENING_SHARE = 0.43
const MAX_BIAS = 0.85
/** Standard deviation of the buy or sell bias that comes from traders who open and close within the session. */
const PASSING_BIAS = 0.15

const PASSING = 0x7003
const SHOWN = 0x7004

/**
 * Buy or sell bias of each contract. Buyers prevail where open interest will be higher on the next morning. The bias is
 * proportional to the change divided by the volume.
 */
function biases({ change, key, session, size }: ContractDay, volume: Int32Array): Float64Array {
  const bias = new Float64Array(size)
  for (let slot = 0; slot < size; slot++) {
    // Trades show some changes of open interest threefold and others hardly at all, because not every opening trade
    // crosses the spread.
    const shown = 3 * uniform(key[slot], session, SHOWN) ** 2
    const wanted = (shown * change[slot]) / (OPENING_SHARE * Math.max(1, volume[slot]))
    const passing = PASSING_BIAS * gaussian(key[slot], session, PASSING)
    bias[slot] = Math.max(-MAX_BIAS, Math.min(MAX_BIAS, wanted + passing))
  }
  return bias
}

function contractNames({ size, series, strike }: ContractDay): (slot: number) => string {
  const seriesOf = seriesOfSlots(size, series)
  const names: (string | undefined)[] = Array.from({ length: size })
  return (slot) =>
    (names[slot] ??= formatOcc({
      root: series[seriesOf[slot]].root as Ticker,
      expiration: series[seriesOf[slot]].date,
      right: (slot & 1) === CALL ? 'call' : 'put',
      strike: strike[slot >> 1]
    }))
}

function seriesOfSlots(size: number, series: ContractDay['series']): Uint16Array {
  const seriesOf = new Uint16Array(size)
  for (const [at, { start, end }] of series.entries()) seriesOf.fill(at, start, end)
  return seriesOf
}

/**
 * Quotes of single contracts at a second, computed when they are requested. They equal the chain's quotes to the last
 * bit, because the same functions compute both.
 */
function optionQuotes(world: World, security: Security, { session, size, series, strike }: ContractDay): SecondQuotes {
  const seriesOf = seriesOfSlots(size, series)
  const maker = makerOf(security)
  const days = series.map(({ date }) => daysBetween(sessions[session], date))
  /**
   * Second for which each contract's quote was last computed; `termsAt` holds the same for each expiration's pricing
   * inputs.
   */
  const quotedAt = new Float64Array(size)
  const quotes: QuoteAtPrint[] = Array.from({ length: size })
  const termsAt = new Float64Array(series.length)
  const terms: SeriesTerms[] = Array.from({ length: series.length })
  // A call and a put of one strike are neighbors in a chain.
  const pair = { start: 0, end: 2 }
  const struck = new Float64Array(1)
  const theory = emptyTheory(2)
  const columns = { bid: new Float64Array(2), ask: new Float64Array(2) }
  let surface: Surface | undefined
  return {
    get spot() {
      return surface!.spot
    },
    quote(second, slot) {
      if (surface?.moment.asOf !== second) surface = surfaceAt(world, security, momentIn(session, second))
      if (quotedAt[slot] === second) return quotes[slot]
      quotedAt[slot] = second
      const at = seriesOf[slot]
      if (termsAt[at] !== second) {
        termsAt[at] = second
        terms[at] = seriesTerms(surface, series[at], days[at])!
      }
      struck[0] = strike[slot >> 1]
      fillTheory(theory, terms[at], pair, struck)
      fillQuote(maker, surface.spot, terms[at], theory, slot & 1, columns)
      return (quotes[slot] = { bid: columns.bid[slot & 1], ask: columns.ask[slot & 1], time: second })
    }
  }
}

function surfaceAt(world: World, security: Security, moment: MarketMoment): Surface {
  return surfaceOf(world, security, moment, underlyingQuote(world, security, moment).spot)
}
