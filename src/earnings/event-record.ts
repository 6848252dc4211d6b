import { EVENT_RECORD_VERSION, type EventRecord, type EventSessions } from '../market/earnings.ts'
import { percentOf } from '../math/optional.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { eventDecomposition, expirationIv, expirationThrough } from './event-decomposition.ts'

/**
 * Computes the record of an earnings report from two closing chains, before and after it. Without the second chain,
 * figures that need it are undefined. Both volatilities are those of the first expiration after the report. The second
 * one is missing if that expiration ended on the day of the second chain. Source: the published API contract, the
 * volatility crush of earnings.
 */
export function eventRecord(
  { before, after }: EventSessions,
  chainBefore: PricedChain,
  chainAfter: PricedChain | undefined
): EventRecord {
  const expiration = expirationThrough(chainBefore, before)
  return {
    before,
    after,
    version: EVENT_RECORD_VERSION,
    impliedMove: eventDecomposition(chainBefore, before)?.jump,
    preIv: expiration && expirationIv(chainBefore, expiration),
    postIv: chainAfter && expiration && expirationIv(chainAfter, expiration),
    move: chainAfter && percentOf(chainAfter.spot - chainBefore.spot, chainBefore.spot)
  }
}
