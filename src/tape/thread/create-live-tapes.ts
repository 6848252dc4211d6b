import type { SourceSettings } from '../../connectors/port/declaration.ts'
import { createConnector } from '../../connectors/registry.ts'
import { steadyNow } from '../../facts/steady-clock.ts'
import { confidenceFor } from '../../flow/open-interest/simulator.ts'
import { demoClock } from '../../market/clock.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { LiveTapes, type LiveTapesOptions, type TapeArchive } from '../live-tapes.ts'

/** Settings of live tapes, as plain data that can be sent to their thread. */
export interface TapeSettings extends Pick<LiveTapesOptions, 'maxSymbols' | 'maxBytes'> {
  readonly source: SourceSettings
  /**
   * Share of net volume (contracts bought minus contracts sold) that is assumed to change open interest, 0 to 1;
   * undefined for the source's default.
   */
  readonly confidence: number | undefined
  readonly recorded: readonly Ticker[] | 'all' | 'none'
  /** Market clock: real time, the demonstration's clock, or one fixed moment. */
  readonly clock: 'wall' | 'demo' | Instant
}

/** Functions that the tapes' thread calls on the thread that owns the archive. */
export type TapeCallbacks = Pick<LiveTapesOptions, 'onMoved' | 'onTrouble'> & Pick<TapeArchive, 'read' | 'write'>

export async function createLiveTapes(
  { source, clock, confidence, maxSymbols, maxBytes, recorded }: TapeSettings,
  { read, write, onMoved, onTrouble }: TapeCallbacks
): Promise<LiveTapes> {
  const { prints: feed, synthetic } = await createConnector(source)
  const tapeSource = feed === undefined ? 'inferred' : synthetic ? 'synthetic' : 'recorded'
  const symbols = new Set<Ticker>(typeof recorded === 'string' ? [] : recorded)
  const records = (symbol: Ticker) => recorded === 'all' || symbols.has(symbol)
  return new LiveTapes({
    archive: recorded === 'none' ? undefined : { records, read, write },
    feed,
    source: tapeSource,
    confidence: confidenceFor(tapeSource, confidence),
    maxSymbols,
    maxBytes,
    marketNow: clockOf(clock),
    clockStands: typeof clock === 'number',
    steadyNow,
    onMoved,
    onTrouble
  })
}

function clockOf(clock: TapeSettings['clock']): () => Instant {
  if (typeof clock === 'number') return () => clock
  return clock === 'demo' ? demoClock(Date.now) : Date.now
}
