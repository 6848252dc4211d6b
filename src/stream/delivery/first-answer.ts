import { CommandError } from '../protocol/command-error.ts'
import type { Hub } from './hub.ts'
import type { Metric } from './metric.ts'

/** The error of a metric that the first answer of its feed, or the refusal of one, shows. */
export function firstAnswerError(hub: Pick<Hub, 'hasUnknownSymbol'>, metric: Metric): CommandError | undefined {
  const { feed, value, listed } = metric
  if (feed.body === undefined && feed.failure !== undefined && hub.hasUnknownSymbol(feed)) {
    return new CommandError('symbol_not_found', `nothing is known of ${feed.query.symbol}`)
  }
  if (value === undefined || listed) return undefined
  return new CommandError('invalid_selector', 'the answer has no row of that key')
}
