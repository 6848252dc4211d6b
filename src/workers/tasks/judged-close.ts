import type { Connector } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { judgeClose } from '../../gate/past-close.ts'
import type { Chain } from '../../market/chain.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { withTimeout } from './task.ts'

interface AskedClose {
  readonly symbol: Ticker
  readonly session: IsoDate
  /** The current chain, by which the close is judged too. */
  readonly current?: Chain | undefined
  /** Whether the operator has accepted what the source states. */
  readonly isAccepted?: boolean | undefined
}

/**
 * Requests the chain at the close of a past session and judges whether it is plausible. Throws a `SourceError` if it is
 * not. Undefined if the source does not have that day.
 */
export function judgedClose(asked: AskedClose, connector: Pick<Connector, 'closingChain'>): Promise<Chain | undefined> {
  return withTimeout((signal) => connector.closingChain(asked.symbol, asked.session, signal)).then((chain) =>
    believed(chain, asked)
  )
}

/** The quotes at the close of a past session, judged by themselves: enough for a record of that day. */
export function judgedCloseQuotes(
  asked: Omit<AskedClose, 'current'>,
  connector: Pick<Connector, 'closingChain' | 'closingQuotes'>
): Promise<Chain | undefined> {
  const { symbol, session } = asked
  return withTimeout((signal) =>
    connector.closingQuotes === undefined
      ? connector.closingChain(symbol, session, signal)
      : connector.closingQuotes(symbol, session, signal)
  ).then((chain) => believed(chain, asked))
}

function believed(
  chain: Chain | undefined,
  { symbol, session, current, isAccepted = false }: AskedClose
): Chain | undefined {
  if (chain === undefined || isAccepted) return chain
  const verdict = judgeClose(chain, session, current)
  if (verdict.kind === 'taken') return chain
  const message = `the close of ${symbol} on ${session} is not believed: ${verdict.message}`
  throw new SourceError('malformed', message, undefined, { verdict, asOf: undefined, payload: undefined })
}
