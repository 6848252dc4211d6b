import type { SourceSettings } from '../connectors/port/declaration.ts'
import { createConnector } from '../connectors/registry.ts'
import { demoClock } from '../market/demo-clock.ts'
import type { Instant } from '../market/units.ts'
import { type KeeperOptions, TapeKeeper } from './keeper.ts'

/** What tapes are kept by, as plain data: it is handed to their thread. */
export interface TapeSettings extends Pick<KeeperOptions, 'confidence' | 'maxSymbols'> {
  readonly source: SourceSettings
  /** The clock of the market: that of the wall, the demonstration's, or one moment. */
  readonly clock: 'wall' | 'demo' | Instant
}

/** The keeper of the tapes of a source. */
export async function createKeeper(
  { source, clock, confidence, maxSymbols }: TapeSettings,
  heard: Pick<KeeperOptions, 'onMoved' | 'onTrouble'>
): Promise<TapeKeeper> {
  const { prints: feed, synthetic } = await createConnector(source)
  return new TapeKeeper({
    feed,
    source: synthetic ? 'synthetic' : 'recorded',
    confidence,
    maxSymbols,
    marketNow: clockOf(clock),
    wallNow: Date.now,
    ...heard
  })
}

function clockOf(clock: TapeSettings['clock']): () => Instant {
  if (typeof clock === 'number') return () => clock
  return clock === 'demo' ? demoClock(Date.now) : Date.now
}
