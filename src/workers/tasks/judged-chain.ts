import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { ChainCheck, Connector } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import type { Candidate } from '../../gate/candidate.ts'
import { isBeyond } from '../../gate/chronology.ts'
import { judge, sayTheSame } from '../../gate/gate.ts'
import { settledBy } from '../../gate/open-interest.ts'
import type { Chain } from '../../market/chain.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** Request for a chain, and the data by which the chain is judged. A field is absent if there is no such data. */
export interface AskedChain extends Partial<Pick<Candidate, 'clockIsTrusted' | 'doubt' | 'waived'>> {
  readonly symbol: Ticker
  readonly now: Instant
  readonly held?: PricedChain | undefined
  /** The newest recorded snapshot. The first chain after a start is compared with it. */
  readonly recorded?: StoredSnapshot | undefined
  /** Age in milliseconds up to which a chain that another member loaded is good enough. */
  readonly maxAge?: number | undefined
}

/** A chain that may become the current one, and what later ones are judged by beside it. */
interface JudgedChain {
  readonly chain: Chain
  /** The date whose published open interest it contains, if known. */
  readonly settledOn: IsoDate | undefined
  /** Whether it lists less than an earlier chain, which was believed after a while. */
  readonly isShortened: boolean
}

/**
 * For each accepted chain, what later ones are judged by beside it. The entries stay with the chains, which
 * stay on the worker of their symbol.
 */
const settlements = new WeakMap<Chain, IsoDate>()
const shortened = new WeakSet<Chain>()

/** Remembers for a priced chain what later chains are judged by. */
export function noteJudged(chain: Chain, { settledOn, isShortened }: JudgedChain): void {
  if (settledOn !== undefined) settlements.set(chain, settledOn)
  if (isShortened) shortened.add(chain)
}

/**
 * Requests a chain and judges whether it is plausible. Connectors that store what they receive, or that try several
 * sources, have each chain judged while they load it; it is then not judged again. Throws a `SourceError` if the chain
 * is not accepted. Undefined if the source does not know the symbol.
 */
export async function judgedChain(
  asked: AskedChain,
  connector: Pick<Connector, 'chain' | 'followed'>,
  signal: AbortSignal
): Promise<JudgedChain | undefined> {
  const { symbol, now, recorded, clockIsTrusted = true, doubt, waived } = asked
  if (connector.followed !== undefined) return judgedElsewhere(asked, connector, signal)
  const held = asked.held ?? (recorded && decodeSnapshot(recorded))
  const settledOn = held && settlements.get(held)
  const heldIsShortened = held !== undefined && shortened.has(held)
  const taken = new WeakSet<Chain>()
  const doubted: Chain[] = []
  const isConfirmed = (chain: Chain) =>
    doubted.some((other) => other.source !== chain.source && sayTheSame(other, chain))
  const check: ChainCheck = (chain, received) => {
    if (taken.has(chain)) return
    const { reading, servedAt, payload } = received ?? {}
    const verdict = judge({
      chain,
      held,
      now,
      reading,
      clockIsTrusted,
      servedAt,
      doubt,
      settledOn,
      heldIsShortened,
      waived
    })
    if (verdict.kind === 'taken' || (verdict.kind === 'doubted' && isConfirmed(chain))) {
      taken.add(chain)
      return
    }
    if (verdict.kind === 'doubted') doubted.push(chain)
    const text = `what the source says of ${symbol} is not believed: ${verdict.message}`
    // A moment that the source's own clock contradicts says nothing about ours.
    const asOf = isBeyond(chain.asOf, servedAt) ? undefined : chain.asOf
    throw new SourceError('malformed', text, undefined, { verdict, asOf, payload })
  }
  const chain = await connector.chain(symbol, now, signal, check)
  if (chain === undefined) return undefined
  check(chain)
  const isShorter = held !== undefined && doubt?.reason === 'contracts' && chain.size < held.size
  const isShortened = isShorter || (heldIsShortened && chain.size <= held!.size)
  return { chain, settledOn: settledBy(chain, held, settledOn), isShortened }
}

/** A chain that a collector judged. One that was requested before the held chain is dropped. */
async function judgedElsewhere(
  { symbol, now, held, maxAge }: AskedChain,
  connector: Pick<Connector, 'chain'>,
  signal: AbortSignal
): Promise<JudgedChain | undefined> {
  const chain = await connector.chain(symbol, now, signal, undefined, maxAge)
  if (chain === undefined) return undefined
  if (chain.observedAt! < (held?.observedAt ?? Number.NEGATIVE_INFINITY)) {
    const message = `the collectors have an older chain of ${symbol} than the one that is held`
    const verdict = { kind: 'older', message } as const
    throw new SourceError('malformed', message, undefined, { verdict, asOf: chain.asOf, payload: undefined })
  }
  return { chain, settledOn: undefined, isShortened: false }
}
