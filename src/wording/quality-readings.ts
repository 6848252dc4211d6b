import type { CheckId, QualityCheck } from '../quality/quality-check.ts'
import { grouped, multiple, percent } from './format.ts'

const found: Readonly<Record<CheckId, (value: number) => string>> = {
  age: (value) => `The snapshot is ${multiple(value)} seconds older than its source's delay explains.`,
  two_sided: (value) => `${percent(value)} of the contracts near spot are quoted on two sides.`,
  crossed: (value) => `${percent(value)} of the bids near spot meet or cross their ask.`,
  spread: (value) => `The median spread near spot is ${percent(value)} of the mid.`,
  parity: (value) => `Calls and puts near spot miss parity by ${multiple(value)} half spreads in the middle.`,
  smile: (value) => `${percent(value)} of the quoted expirations have an accepted smile.`,
  arbitrage: (value) => `${percent(value)} of neighbouring strikes quote a riskless vertical.`,
  missing_expirations: (value) =>
    value === 0
      ? 'Every live expiration of the previous session is listed.'
      : `Live expirations of the previous session that are missing: ${grouped(value)}.`,
  open_interest_date: (value) =>
    `${percent(value)} of the contracts traded in the previous session still show the open interest of then.`,
  spot: (value) => `Spot lies ${percent(value)} from what the nearest forward implies.`
}

const lacking: Readonly<Record<CheckId, string>> = {
  age: 'The age of the snapshot is not known.',
  two_sided: 'Nothing is listed near spot, so its quotes cannot be judged.',
  crossed: 'Nothing near spot is bid for, so no bid can cross its ask.',
  spread: 'Nothing near spot has both open interest and two sides, so there is no spread to judge.',
  parity: 'No strike near spot quotes call and put on two sides, so parity cannot be judged.',
  smile: 'No expiration of a day and more has enough quoted strikes for a smile.',
  arbitrage: 'No two neighbouring strikes near spot are quoted on two sides.',
  missing_expirations: 'The close of the previous session is not held, so expirations cannot be compared.',
  open_interest_date: 'No trades and open interest of the previous session are held to compare with.',
  spot: 'No forward tells where spot should be.'
}

export function checkReading({ id, value }: QualityCheck): string {
  return value === undefined ? lacking[id] : found[id](value)
}
