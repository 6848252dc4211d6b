import type { Connector } from '../../connectors/port/connector.ts'
import type { SharedChains, SourceSettings } from '../../connectors/port/declaration.ts'
import { createConnector } from '../../connectors/registry.ts'
import { steadyNow } from '../../facts/steady-clock.ts'
import { confidenceFor } from '../../flow/open-interest/simulator.ts'
import { demoClock } from '../../market/clock.ts'
import type { TapeSource } from '../../market/print.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { Shelf } from '../../shelf/shelf.ts'
import { LiveTapes, type LiveTapesOptions, type TapeArchive } from '../live-tapes.ts'
import type { Tapes } from '../tape-port.ts'

/** Settings of live tapes, as plain data that can be sent to their thread. */
export interface TapeSettings extends Pick<LiveTapesOptions, 'maxSymbols' | 'maxBytes'> {
  readonly source: SourceSettings
  /** Place where a collector's tapes are told to other members; undefined for a service by itself. */
  readonly shared?: SharedChains | undefined
  /** The prints that a collector sends to this member; undefined if this service asks the source itself. */
  readonly followed?: { readonly source: TapeSource; readonly stocks: boolean } | undefined
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

export async function createLiveTapes(settings: TapeSettings, callbacks: TapeCallbacks): Promise<Tapes> {
  const { shared, followed } = settings
  if (shared === undefined) return ownTapes(settings, callbacks)
  const { redisShelf } = await import('../../shelf/redis-shelf.ts')
  if (followed === undefined) return sendingTapes(settings, callbacks, redisShelf(shared, fenceOf(shared)))
  const { FollowedTapes } = await import('../shared/followed-tapes.ts')
  const { clock, confidence, maxSymbols, maxBytes } = settings
  return new FollowedTapes({
    ...followed,
    shelf: redisShelf(shared),
    confidence: confidenceFor(followed.source, confidence),
    maxSymbols,
    maxBytes,
    marketNow: clockOf(clock),
    steadyNow,
    onMoved: callbacks.onMoved
  })
}

/** The tapes of a collector, which sends their rows to other members. */
async function sendingTapes(settings: TapeSettings, callbacks: TapeCallbacks, shelf: Shelf): Promise<Tapes> {
  const { TapeSender } = await import('../shared/tape-sender.ts')
  const onError = (error: unknown) => callbacks.onTrouble({ kind: 'not_shared', message: (error as Error).message })
  const tapes = await ownTapes(settings, callbacks, (symbol, tape) => sender.send(symbol, tape))
  const sender = new TapeSender({ shelf, tapes, onError })
  sender.start()
  const closeTapes = tapes.close.bind(tapes)
  const close = async () => {
    sender.stop()
    await closeTapes()
    await shelf.close()
  }
  return Object.assign(tapes, { close })
}

/** The main thread ends a service that another one has outdone. */
const fenceOf = ({ fence }: SharedChains) => (fence === undefined ? undefined : { number: fence, onOutdone() {} })

/** Origin of the prints of a source. */
export function tapeSourceOf({ prints, synthetic }: Pick<Connector, 'prints' | 'synthetic'>): TapeSource {
  return prints === undefined ? 'inferred' : synthetic ? 'synthetic' : 'recorded'
}

async function ownTapes(
  { source, clock, confidence, maxSymbols, maxBytes, recorded }: TapeSettings,
  { read, write, onMoved, onTrouble }: TapeCallbacks,
  onRows?: LiveTapesOptions['onRows']
): Promise<LiveTapes> {
  const connector = await createConnector(source)
  const { prints: feed } = connector
  const tapeSource = tapeSourceOf(connector)
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
    onTrouble,
    onRows
  })
}

function clockOf(clock: TapeSettings['clock']): () => Instant {
  if (typeof clock === 'number') return () => clock
  return clock === 'demo' ? demoClock(Date.now) : Date.now
}
