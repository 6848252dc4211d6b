import { deserialize, serialize } from 'node:v8'
import { completedSession } from '../../market/calendar.ts'
import type { EarningsSpan } from '../../market/earnings.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'
import { chainParts, packChain, unpackChain } from '../../shelf/chain-bytes.ts'
import { type AskedCall, askedKey } from '../../shelf/messages.ts'
import type { Connector } from '../port/connector.ts'

/** Result of a call, as it lies on the shelf. */
type Found<Call extends AskedCall> = Awaited<ReturnType<NonNullable<Connector[Call]>>>
type ArgsOf<Call extends AskedCall> = Parameters<NonNullable<Connector[Call]>>

/** How the results of a call lie on the shelf. */
interface AskedValue<Call extends AskedCall> {
  /** The arguments that tell a result from another. */
  readonly key: (...args: ArgsOf<Call>) => readonly unknown[]
  readonly pack: (found: Found<Call>) => Promise<Uint8Array>
  readonly unpack: (bytes: Uint8Array) => Found<Call>
  /** Seconds for which a result serves other members. */
  readonly keptFor: (found: Found<Call>, ...args: ArgsOf<Call>) => number
}

/** A close that was found does not change; one that the source did not have yet is asked for again soon. */
const FOUND = 3600
const NOT_YET = 30
/** Quotes of past closes are asked for by the hundred, and each member makes a record of them once. */
const QUOTES = 300
/** Results of companies are published at any minute of the day. */
const EARNINGS = 60

const chain: AskedValue<'closingChain'> & AskedValue<'closingQuotes'> = {
  key: (symbol, session) => [symbol, session],
  pack: async (found) => (found === undefined ? new Uint8Array(0) : packChain(found)),
  unpack: (bytes) => (bytes.length === 0 ? undefined : unpackChain(chainParts(bytes))),
  keptFor: (found) => (found === undefined ? NOT_YET : FOUND)
}

const values: { readonly [Call in AskedCall]: AskedValue<Call> } = {
  closingChain: chain,
  closingQuotes: { ...chain, keptFor: (found) => (found === undefined ? NOT_YET : QUOTES) },
  dailyBars: {
    key: (symbol, now, _signal, most) => [symbol, completedSession(now).date, most],
    pack: async (found) => serialize(found),
    unpack: (bytes) => deserialize(bytes),
    keptFor: (found, _symbol, now) => (found.at(-1)?.date === completedSession(now).date ? FOUND : NOT_YET)
  },
  earnings: {
    key: ({ symbol, from }: EarningsSpan, now: Instant) => [symbol, from, easternDate(now)],
    pack: async (found) => serialize(found),
    unpack: (bytes) => deserialize(bytes),
    keptFor: () => EARNINGS
  }
}

export const askedValue = <Call extends AskedCall>(call: Call): AskedValue<Call> => values[call]

export function valueKey<Call extends AskedCall>(call: Call, args: ArgsOf<Call>): string {
  return askedKey(call, values[call].key(...args))
}
