import type { ZeroDteRow } from '../archive/history-store.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { sampledBar } from '../endpoints/flow/zero-dte/sample.ts'
import { HedgeTrack } from '../flow/hedge-track.ts'
import { PressureDay } from '../flow/pressure-day.ts'
import type { Session } from '../market/calendar.ts'
import { type Chain, giveBackColumns } from '../market/chain.ts'
import type { PressureRow } from '../market/hedge-pressure.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import { SAMPLE_LEAD, SAMPLE_STEP } from '../market/zero-dte-sample.ts'
import type { Assumptions } from '../pricing/assumptions.ts'
import { giveBackChain, type PricedChain, priceChain } from '../pricing/price-chain.ts'
import type { SymbolTapes } from '../tape/symbol-tapes.ts'
import type { ViewInputs } from '../tape/tape.ts'
import { fittedSmile } from '../volatility/smile/smile-volatility.ts'

export interface PastFlowOptions extends Pick<ViewInputs, 'source' | 'confidence'> {
  readonly symbol: Ticker
  readonly day: Session
  readonly connector: Pick<Connector, 'chain' | 'expiringChain'>
  readonly assumptions: Assumptions
  readonly signal: AbortSignal
}

/** Receives the samples of a session, ascending by time. */
export interface FlowSamplesTaker {
  bar(row: ZeroDteRow): Promise<void>
  pressure(row: PressureRow): Promise<void>
}

/**
 * Samples the flow of a past session, as the live sampler would have sampled it from arriving prints: hedging pressure and,
 * if options expire that day, their raw bars. The generator yields times. When the caller resumes it after a time, the
 * tapes must hold everything known before that time, and nothing later.
 */
export async function* pastFlowSamples(
  { symbol, day: { date, open, close }, connector, assumptions, signal, ...judged }: PastFlowOptions,
  tapes: SymbolTapes,
  take: FlowSamplesTaker
): AsyncGenerator<Instant, void> {
  const chainAt = (now: Instant) => connector.chain(symbol, now, signal)
  const expiringAt = async (now: Instant): Promise<Chain | undefined> => {
    if (connector.expiringChain !== undefined) return connector.expiringChain(symbol, now, signal)
    const chain = await chainAt(now)
    return chain && expiringOn(chain, date)
  }
  const priced = (chain: Chain): PricedChain => priceChain(chain, assumptions, fittedSmile)
  const tape = () => tapes.tape('option', date)
  const momentAt = (now: Instant): ViewInputs => ({ symbol, silent: false, now, ...judged })
  const track = new HedgeTrack(undefined, [])
  const pressure = new PressureDay(date)
  const first = await chainAt(open)
  if (first === undefined) return
  let expires = expiringOn(first, date) !== undefined
  giveBackColumns(first)
  for (let end = open + SAMPLE_STEP; end <= close; end += SAMPLE_STEP) {
    const begin = end - SAMPLE_STEP
    if (begin % MILLISECONDS_PER_MINUTE === 0) {
      yield begin
      const snapshot = await chainAt(begin)
      if (snapshot === undefined) return
      const greeks = priced(snapshot)
      tapes.noteSnapshot(greeks)
      giveBackChain(greeks)
    }
    yield end - SAMPLE_LEAD
    const expiring = expires ? await expiringAt(end - SAMPLE_LEAD) : undefined
    const positions = tape().view('positions', momentAt(end - SAMPLE_LEAD))
    yield end
    const hedged = tape().view('hedge', momentAt(end))
    if (hedged?.legs.end !== end) continue
    const sample = pressure.add(hedged.pressure)
    if (sample !== undefined) await take.pressure({ symbol, session: date, ...sample })
    if (expiring === undefined || positions === undefined) continue
    const hedge = track.legs(hedged)
    const flow = hedged.strikes.end === end ? track.minute(hedged) : undefined
    const chain = priced(expiring)
    const bar = sampledBar({ chain, positions, end, hedge, flow })
    giveBackChain(chain)
    if (bar === undefined) expires = false
    else await take.bar({ symbol, session: date, ...bar })
  }
}

/**
 * The part of a chain that expires on `date`; undefined if no contract does. Expirations are priced independently, so
 * the figures of the part equal those in the whole chain.
 */
function expiringOn(chain: Chain, date: IsoDate): Chain | undefined {
  const listed = chain.expirations.filter((expiration) => expiration.date === date)
  if (listed.length === 0) return undefined
  const [from, to] = [listed[0].start, listed[listed.length - 1].end]
  return {
    ...chain,
    strike: chain.strike.subarray(from, to),
    right: chain.right.subarray(from, to),
    bid: chain.bid.subarray(from, to),
    ask: chain.ask.subarray(from, to),
    last: chain.last.subarray(from, to),
    bidSize: chain.bidSize.subarray(from, to),
    askSize: chain.askSize.subarray(from, to),
    volume: chain.volume.subarray(from, to),
    openInterest: chain.openInterest.subarray(from, to),
    size: to - from,
    expirations: listed.map((expiration) => ({
      ...expiration,
      start: expiration.start - from,
      end: expiration.end - from
    }))
  }
}
