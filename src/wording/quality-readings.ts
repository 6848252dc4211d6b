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
  spot: (value) => `Spot is ${percent(value)} away from the price that the nearest forward implies.`
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
  spot: 'No forward is known, so spot cannot be checked against it.'
}

export function checkReading({ id, value }: QualityCheck): string {
  return value === undefined ? lacking[id] : found[id](value)
}
