import { session as sessionHours } from '../../../market/calendar.ts'
import { MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import { sessions } from '../market-sessions.ts'
import type { Security } from '../securities/securities.ts'
import { ofNewest, type World } from '../world.ts'
import type { ContractDay } from './contract-day.ts'
import { contractSizes, type MinutePrints, printsOfMinute } from './minute-prints.ts'
import { partStarts, volumeAfterParts } from './volume.ts'
import { type SessionPart, sessionPart, spread } from './volume-cascade.ts'

/** Number of minutes in a session: 390, or 210 on a half day. */
export function minutesOf(session: number): number {
  const { open, close } = sessionHours(sessions[session])!
  return (close - open) / MILLISECONDS_PER_MINUTE
}

/** Option volume in consecutive minutes of a session. */
export interface TradedMinutes {
  readonly start: number
  readonly end: number
  /** Volume from the open to minute `start`, for each contract of the chain. */
  readonly before: Int32Array
  /** Volume in one minute (counted from the open), for each contract of the chain. */
  contracts(minute: number): Int32Array
}

/**
 * Generates the trading from minute `from` to minute `to` of a session. It ends earlier if the part of the session that
 * contains `from` ends before `to`.
 */
export function tradedMinutes(
  world: World,
  security: Security,
  day: ContractDay,
  from: number,
  to: number
): TradedMinutes {
  const parts = partsOf(minutesOf(day.session))
  const part = parts.findLastIndex(({ start }) => start <= from)
  const before = volumeAfterParts(world, security, day, part)
  const contracts = volumeAfterParts(world, security, day, part + 1)
  for (let slot = 0; slot < day.size; slot++) contracts[slot] -= before[slot]
  const end = Math.min(to, parts[part].end)
  const into = new Int32Array((end - from) * day.size)
  spread(parts[part], day.key, day.session, contracts, from, end, before, into)
  return {
    start: from,
    end,
    before,
    contracts: (minute) => into.subarray((minute - from) * day.size, (minute - from + 1) * day.size)
  }
}

export interface TradedMinute {
  readonly before: Int32Array
  readonly prints: MinutePrints
}

/** Number of minutes generated together when single ones are requested, so that the next minutes are nearly ready. */
const MINUTES_TOGETHER = 4

/** Generates one minute of a session. The newest minute of each symbol is cached. */
export function tradedMinute(world: World, security: Security, day: ContractDay, minute: number): TradedMinute {
  const at = day.session * MAX_MINUTES + minute
  return ofNewest(world, `minute ${security.symbol}`, at, () => madeMinute(world, security, day, minute))
}

function madeMinute(world: World, security: Security, day: ContractDay, minute: number): TradedMinute {
  const { start, before, contracts } = minutesAround(world, security, day, minute)
  const volume = before.slice()
  for (let earlier = start; earlier < minute; earlier++) {
    const traded = contracts(earlier)
    for (let slot = 0; slot < day.size; slot++) volume[slot] += traded[slot]
  }
  const at = day.session * MAX_MINUTES + minute
  return { before: volume, prints: printsOfMinute(day, at, contracts(minute), contractSizes) }
}

function minutesAround(world: World, security: Security, day: ContractDay, minute: number): TradedMinutes {
  const { start } = partsOf(minutesOf(day.session)).findLast((part) => part.start <= minute)!
  const from = start + MINUTES_TOGETHER * Math.floor((minute - start) / MINUTES_TOGETHER)
  return ofNewest(world, `minutes ${security.symbol}`, day.session * MAX_MINUTES + from, () =>
    tradedMinutes(world, security, day, from, from + MINUTES_TOGETHER)
  )
}

/** Upper bound of the minutes in a session. With it, session and minute are combined into one number. */
export const MAX_MINUTES = 512

function partsOf(minutes: number): readonly SessionPart[] {
  const known = stretches.get(minutes)
  if (known !== undefined) return known
  const starts = partStarts.map((share) => Math.round(share * minutes))
  const made = starts.map((start, part) => sessionPart(start, starts[part + 1] ?? minutes, minutes))
  stretches.set(minutes, made)
  return made
}

const stretches = new Map<number, readonly SessionPart[]>()
