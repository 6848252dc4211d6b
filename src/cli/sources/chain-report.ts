import type { ReceivedPayload } from '../../connectors/port/connector.ts'
import { judge } from '../../gate/gate.ts'
import { type Chain, UNKNOWN } from '../../market/chain.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { easternDateTime } from '../../market/eastern.ts'
import type { PayloadRows } from '../../market/payload-rows.ts'
import type { Instant } from '../../market/units.ts'

/** One line of a report: its label and text. */
export type ReportLine = readonly [about: string, text: string]

/** Describes a loaded chain for the operator: how much was read, which contracts were left out, and what is missing. */
export function chainReport(chain: Chain, received: ReceivedPayload | undefined, now: Instant): readonly ReportLine[] {
  const { size, expirations, asOf, delay, spot, quote } = chain
  const reading = received?.reading
  const sides = quote.bid === undefined || quote.ask === undefined ? 'no quote' : `${quote.bid} to ${quote.ask}`
  const alone = { held: undefined, doubt: undefined, settledOn: undefined, waived: undefined }
  const verdict = judge({ chain, reading, now, clockIsTrusted: true, ...alone })
  return [
    ['understood', `${counted(size, 'contract')} on ${counted(expirations.length, 'expiration')}`],
    [
      'moment',
      `${easternDateTime(asOf)} New York, ${Math.round(delay)} s behind${isMarketOpen(now) ? '' : '; the market is closed'}`
    ],
    ['underlying', `${spot}, ${sides}`],
    ...(reading === undefined ? [] : [['left out', leftOut(reading, size)] as const]),
    ['missing', missing(chain)],
    ['verdict', verdict.kind === 'taken' ? 'it would be served' : `it would not be believed: ${verdict.message}`]
  ]
}

function leftOut({ rows, unreadable, unusable }: PayloadRows, size: number): string {
  const others = rows - size - unreadable - unusable
  return [
    `${others} adjusted, expired or listed twice`,
    `${unreadable} that cannot be read or are of another symbol`,
    `${unusable} with an impossible quote`
  ].join(', ')
}

function missing({ size, bid, ask, last, bidSize, askSize, volume, openInterest }: Chain): string {
  const prices = { 'a bid': bid, 'an ask': ask, 'a last price': last }
  const counts = { 'a bid size': bidSize, 'an ask size': askSize, volume, 'open interest': openInterest }
  const absent = [
    ...Object.entries(prices).map(([name, column]) => [name, column.filter(Number.isNaN).length] as const),
    ...Object.entries(counts).map(
      ([name, column]) => [name, column.filter((count) => count === UNKNOWN).length] as const
    )
  ].filter(([, count]) => count > 0)
  if (absent.length === 0) return 'nothing'
  return absent
    .map(([name, count]) => `${name} of ${count === size ? 'all' : count.toLocaleString('en-US')}`)
    .join(', ')
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
