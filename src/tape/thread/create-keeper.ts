import type { SourceSettings } from '../../connectors/port/declaration.ts'
import { createConnector } from '../../connectors/registry.ts'
import { confidenceFor } from '../../flow/simulator.ts'
import { demoClock } from '../../market/demo-clock.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type KeeperOptions, type TapeArchive, TapeKeeper } from '../keeper.ts'

/** What tapes are kept by, as plain data: it is handed to their thread. */
export interface TapeSettings extends Pick<KeeperOptions, 'maxSymbols'> {
  readonly source: SourceSettings
  /** The share of classified volume that is taken to change positions; undefined: that of the source. */
  readonly confidence: number | undefined
  /** Symbols whose tapes are kept for good; all, or none. */
  readonly recorded: readonly Ticker[] | 'all' | 'none'
  /** The clock of the market: that of the wall, the demonstration's, or one moment. */
  readonly clock: 'wall' | 'demo' | Instant
}

/** What a keeper asks of, and tells, the owner of the archive. */
export type TapeOwner = Pick<KeeperOptions, 'onMoved' | 'onTrouble'> & Pick<TapeArchive, 'read' | 'write'>

/** The keeper of the tapes of a source. */
export async function createKeeper(
  { source, clock, confidence, maxSymbols, recorded }: TapeSettings,
  { read, write, onMoved, onTrouble }: TapeOwner
): Promise<TapeKeeper> {
  const { prints: feed, synthetic } = await createConnector(source)
  const tapeSource = feed === undefined ? 'inferred' : synthetic ? 'synthetic' : 'recorded'
  const symbols = new Set<Ticker>(typeof recorded === 'string' ? [] : recorded)
  const records = (symbol: Ticker) => recorded === 'all' || symbols.has(symbol)
  return new TapeKeeper({
    archive: recorded === 'none' ? undefined : { records, read, write },
    feed,
    source: tapeSource,
    confidence: confidenceFor(tapeSource, confidence),
    maxSymbols,
    marketNow: clockOf(clock),
    clockStands: typeof clock === 'number',
    wallNow: Date.now,
    onMoved,
    onTrouble
  })
}

function clockOf(clock: TapeSettings['clock']): () => Instant {
  if (typeof clock === 'number') return () => clock
  return clock === 'demo' ? demoClock(Date.now) : Date.now
}
