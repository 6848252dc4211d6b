import type { DataDistrust } from '../quality/chain-assessment.ts'
import type { CheckId, QualityCheck } from '../quality/quality-check.ts'
import { grouped, multiple, percent } from './format.ts'

const found: Readonly<Record<CheckId, (value: number) => string>> = {
  age: (value) => `The snapshot is ${multiple(value)} seconds older than the delay of its source explains.`,
  two_sided: (value) => `${percent(value)} of the contracts near spot have both a bid and an ask.`,
  crossed: (value) => `${percent(value)} of the bids near spot are at or above their ask.`,
  spread: (value) => `The median bid-ask spread near spot is ${percent(value)} of the mid.`,
  parity: (value) => `Calls and puts near spot miss put-call parity by a median of ${multiple(value)} half spreads.`,
  smile: (value) => `${percent(value)} of the quoted expirations have an accepted smile fit.`,
  arbitrage: (value) => `${percent(value)} of the pairs of neighboring strikes quote a riskless vertical spread.`,
  missing_expirations: (value) =>
    value === 0
      ? 'Every live expiration of the previous session is listed.'
      : `Live expirations of the previous session that are missing: ${grouped(value)}.`,
  open_interest_date: (value) =>
    `${percent(value)} of the contracts that traded in the previous session still show the open interest of that session.`,
  spot: (value) =>
    value === 0
      ? 'Spot lies within the prices that its own options imply.'
      : `Spot lies ${percent(value)} outside the prices that its own options imply.`,
  scale: (value) =>
    value === 0
      ? 'No strike near spot is listed, or no price fits its strike.'
      : `${percent(value)} of the expirations list a strike near spot, at prices that fit their strikes.`,
  open_interest: (value) => `${percent(value)} of the live contracts have open interest.`,
  settlement: (value) =>
    value > 1
      ? `Open interest moved by ${multiple(value)} times that of the previous close otherwise than by its trades.`
      : `${percent(value)} of the open interest of the previous close moved otherwise than by its trades.`,
  frozen_quotes: (value) => `${percent(value)} of the quotes near spot are those of the previous close.`,
  quote_times: (value) =>
    value < 0
      ? `The price of the underlying is dated ${multiple(-value)} seconds after its chain.`
      : `The price of the underlying is ${multiple(value)} seconds older than its chain.`
}

const lacking: Readonly<Record<CheckId, string>> = {
  age: 'The age of the snapshot is unknown.',
  two_sided: 'No contract is listed near spot, so there are no quotes to judge.',
  crossed: 'No contract near spot has a bid, so crossed quotes cannot be checked.',
  spread: 'No contract near spot has open interest, a bid and an ask, so there is no spread to judge.',
  parity: 'No strike near spot has a two-sided call and a two-sided put, so put-call parity cannot be checked.',
  smile: 'No expiration at least a day away has enough quoted strikes to fit a smile.',
  arbitrage: 'No two neighboring strikes near spot have both a bid and an ask, so vertical spreads cannot be checked.',
  missing_expirations: 'The close of the previous session is not stored, so expirations cannot be compared.',
  open_interest_date:
    'Trades and open interest of the previous session are not stored, so the date of the open interest cannot be checked.',
  spot: 'No strike has a two-sided call and a two-sided put, so no option tells where spot should be.',
  scale: 'No expiration is live, so strikes cannot be compared with spot.',
  open_interest: 'The open interest of most contracts is unknown, so nothing tells which contracts are open.',
  settlement: 'The open interest of the previous close is not stored, so its change cannot be checked.',
  frozen_quotes: 'The quotes of the previous close are not stored, so they cannot be compared.',
  quote_times: 'The time of the price of the underlying is unknown.'
}

const untimely: Readonly<Partial<Record<CheckId, string>>> = {
  open_interest_date: 'Nothing is settled on a day without a session.',
  frozen_quotes: 'The market is closed, so quotes need not move.',
  quote_times: 'The market is closed, so the price of the underlying need not be new.'
}

export function checkReading({ id, value, state }: QualityCheck): string {
  if (state === 'not_due') return untimely[id]!
  return value === undefined ? lacking[id] : found[id](value)
}

/**
 * Says that nothing is concluded from a chain, with the check that costs most. It stands in place of every sentence
 * about the market that the chain would support otherwise.
 */
export function distrustReading({ score, floor, check }: DataDistrust): string {
  const fault =
    check.state === 'not_checkable' ? 'The data cannot be shown to fit together' : 'The data contradict themselves'
  return `${fault} (check ${check.id}): ${checkReading(check)} Their quality of ${score} is below the floor of ${floor}.`
}
