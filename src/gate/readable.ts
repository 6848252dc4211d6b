import { liveExpirations } from '../market/shared-contracts.ts'
import { type Candidate, type Check, type Objection, refused } from './candidate.ts'

/** Minimum fraction of the payload's rows that must be readable. */
const MIN_READABLE = 0.5
/** Maximum fraction of the rows that may repeat a contract, or state an open interest that no contract can have. */
const MAX_FAULTY = 0.01

/** Refuses a chain that cannot be read: no price, no options, too many rows that say nothing or contradict each other. */
export const readable: Check = ({ chain, held, reading }) => {
  if (!(chain.spot > 0 && chain.spot < Number.POSITIVE_INFINITY)) {
    return refused('malformed', 'it has no price of the underlying')
  }
  if (chain.size === 0 && held !== undefined && liveExpirations(held, chain).length > 0) {
    return refused('malformed', `it lists no options where ${held.size} are held`)
  }
  return reading && faultyRows(reading)
}

function faultyRows(reading: NonNullable<Candidate['reading']>): Objection | undefined {
  const { rows, unreadable, repeated = 0, impossibleInterest = 0 } = reading
  if (rows - unreadable < MIN_READABLE * rows) {
    return refused('malformed', `${unreadable} of its ${rows} contracts cannot be read`)
  }
  if (repeated > MAX_FAULTY * rows) return refused('malformed', `${repeated} of its ${rows} contracts are repeated`)
  if (impossibleInterest > MAX_FAULTY * rows) {
    return refused('malformed', `the open interest of ${impossibleInterest} of its ${rows} contracts is impossible`)
  }
  return undefined
}
