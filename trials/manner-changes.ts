import { easternDateTime } from '../src/market/eastern.ts'
import { type Instant, isoInstant } from '../src/market/units.ts'
import {
  type ContractFields,
  DELAY,
  type ExchangePayload,
  type ExchangeReply,
  sends,
  truePayload
} from './stand-in-exchange.ts'

// Ways to make a sound payload of the exchange wrong in one respect.

/** What the exchange does while it misbehaves: its answer to the n-th bad poll, at its own time. */
export type Manner = (now: Instant, poll: number) => ExchangeReply

/** A sound payload with one thing wrong. */
export const wrong =
  (change: (payload: ExchangePayload, now: Instant, poll: number) => unknown): Manner =>
  (now, poll) => {
    const payload = truePayload(now)
    change(payload, now, poll)
    return sends(payload)
  }
export const contracts = (change: (row: ContractFields, k: number) => object | undefined) =>
  wrong(({ data }) => {
    data.options = data.options.flatMap((row, k) => {
      const changed = change(row, k)
      return changed === undefined ? [] : [{ ...row, ...changed }]
    })
  })
export const interest = (value: (open: number, k: number) => unknown) =>
  contracts((row, k) => ({ open_interest: value(row.open_interest as number, k) }))
export const quoted = (quote: (bid: number, ask: number, k: number) => object) =>
  contracts((row, k) => quote(row.bid as number, row.ask as number, k))
export const underlying = (fields: (spot: number, poll: number) => object) =>
  wrong(({ data }, _now, poll) => void Object.assign(data, fields(data['current_price'] as number, poll)))
export const spotTimes = (factor: number | ((poll: number) => number)) =>
  underlying((spot, poll) => {
    const price = spot * (typeof factor === 'number' ? factor : factor(poll))
    return { current_price: price, bid: price - 0.01, ask: price + 0.01, close: price }
  })
export const renamed = (name: (option: string) => string) => contracts(({ option }) => ({ option: name(option) }))
export const scaledStrikes = (factor: number) =>
  renamed((option) => option.slice(0, 10) + String(Math.round(Number(option.slice(10)) * factor)).padStart(8, '0'))
export const text =
  (change: (text: string) => string | Buffer, headers?: Readonly<Record<string, string>>): Manner =>
  (now) =>
    sends(change(JSON.stringify(truePayload(now))), headers)
export const timed = (change: (at: Instant) => unknown) =>
  wrong(({ data }, now) => {
    const traded = change(now - DELAY)
    data['last_trade_time'] = traded
    for (const row of data.options) row['last_trade_time'] = traded
  })
export const eastTime = (at: Instant) => easternDateTime(at).replace(' ', 'T')
export const utc = (at: Instant) => isoInstant(at).slice(0, 19).replace('T', ' ')
/** The same answer to every poll. */
export const always =
  (reply: ExchangeReply): Manner =>
  () =>
    reply
export const shifted =
  (by: number): Manner =>
  (now) =>
    sends(truePayload(now + by))

/** A payload whose times all are those of another moment. */
export function dated(payload: ExchangePayload, now: Instant): ExchangePayload {
  payload.timestamp = utc(now)
  payload.data['last_trade_time'] = eastTime(now - DELAY)
  for (const row of payload.data.options) row['last_trade_time'] = eastTime(now - DELAY)
  return payload
}
