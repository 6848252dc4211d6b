import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { ChainCheck, Connector } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import type { Candidate } from '../../gate/candidate.ts'
import { judge, sayTheSame } from '../../gate/gate.ts'
import { settledBy } from '../../gate/open-interest.ts'
import type { Chain } from '../../market/chain.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** The requested chain, and what it is judged by; absent if there is no such data. */
export interface AskedChain extends Partial<Pick<Candidate, 'clockIsTrusted' | 'doubt' | 'waived'>> {
  readonly symbol: Ticker
  readonly now: Instant
  readonly held?: PricedChain | undefined
  /** The newest recorded snapshot, by which a first chain is judged. */
  readonly recorded?: StoredSnapshot | undefined
}

/** A chain that may become current, and the date whose settlement of open interest it has, if that is known. */
interface JudgedChain {
  readonly chain: Chain
  readonly settledOn: IsoDate | undefined
}

/** Settlement dates of the chains that were taken. They stay with the chains, which stay on the worker of their symbol. */
const settlements = new WeakMap<Chain, IsoDate>()

/** Remembers the settlement date of a chain once it is priced. */
export function noteSettlement(chain: Chain, { settledOn }: JudgedChain): void {
  if (settledOn !== undefined) settlements.set(chain, settledOn)
}

/**
 * Requests a chain and judges it, unless the connector has asked to judge it before: connectors that store what they
 * receive do, and those that try several sources. Throws a `SourceError` if it is held back. Undefined if the source
 * does not know the symbol.
 */
export async function judgedChain(
  asked: AskedChain,
  connector: Pick<Connector, 'chain'>,
  signal: AbortSignal
): Promise<JudgedChain | undefined> {
  const { symbol, now, recorded, clockIsTrusted = true, doubt, waived } = asked
  const held = asked.held ?? (recorded && decodeSnapshot(recorded))
  const settledOn = held && settlements.get(held)
  const taken = new WeakSet<Chain>()
  const doubted: Chain[] = []
  const isConfirmed = (chain: Chain) =>
    doubted.some((other) => other.source !== chain.source && sayTheSame(other, chain))
  const check: ChainCheck = (chain, received) => {
    if (taken.has(chain)) return
    const reading = received?.reading
    const verdict = judge({ chain, held, reading, now, clockIsTrusted, doubt, settledOn, waived })
    if (verdict.kind === 'taken' || (verdict.kind === 'doubted' && isConfirmed(chain))) {
      taken.add(chain)
      return
    }
    if (verdict.kind === 'doubted') doubted.push(chain)
    const text = `what the source says of ${symbol} is not believed: ${verdict.message}`
    throw new SourceError('malformed', text, undefined, { verdict, asOf: chain.asOf, payload: received?.payload })
  }
  const chain = await connector.chain(symbol, now, signal, check)
  if (chain === undefined) return undefined
  check(chain)
  return { chain, settledOn: settledBy(chain, held, settledOn) }
}
