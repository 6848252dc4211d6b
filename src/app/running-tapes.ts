import type { Config } from '../config/config.ts'
import type { Connector } from '../connectors/port/connector.ts'
import type { SourceSettings } from '../connectors/port/declaration.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import type { TapeTrouble } from '../tape/live-tapes.ts'
import { tapeSourceOf } from '../tape/thread/create-live-tapes.ts'
import { inlineTapes, type StartedTapes, type TapesOptions, threadTapes } from '../tape/thread/create-tapes.ts'
import { threadProgram } from '../workers/thread-program.ts'
import type { Foundations } from './foundations.ts'
import type { RunningRecording } from './running-recording.ts'
import { clockStandsAt } from './source-choice.ts'

const sentences: Readonly<Record<TapeTrouble['kind'], string>> = {
  feed_failed: 'the feed of prints has ended and is begun again',
  feed_interrupted: 'the feed of prints was cut off and goes on',
  past_failed: 'what was printed earlier could not be read: the tape has a gap',
  not_restored: 'a tape could not be read from the archive and is not recorded',
  not_shared: 'tapes could not be sent to other members; they ask again',
  rows_lost: 'the archive took no prints for too long: some are lost',
  refused: 'something of the prints could not be used'
}

function countOf(trouble: TapeTrouble): number {
  if (trouble.kind === 'rows_lost') return trouble.rows
  return trouble.kind === 'refused' ? trouble.count : 1
}

/**
 * Creates the collections of prints, one per symbol. The prints come from the source or are inferred from its chains.
 * Undefined if the settings ask for none.
 */
export async function createTapes(
  config: Config,
  source: SourceSettings,
  connector: Connector,
  { store, watch }: RunningRecording,
  events: MarketEventBus,
  { log, metrics }: Pick<Foundations, 'log' | 'metrics'>
): Promise<StartedTapes | undefined> {
  const { workers, flowSymbols: maxSymbols, flowConfidence: confidence, record, memory } = config
  if (maxSymbols === 0) return undefined
  const options: TapesOptions = {
    source: { ...source, shared: undefined },
    shared: source.shared,
    followed: config.member.collects
      ? undefined
      : { source: tapeSourceOf(connector), stocks: connector.prints?.stocks === true },
    clock: clockStandsAt(config, connector) ?? config.clock,
    confidence,
    maxSymbols,
    maxBytes: memory.tapes,
    recorded: watch === undefined ? 'none' : record === 'seen' ? 'all' : [...watch.symbols],
    read: async (id) => store?.tape(id),
    write: async (text) => store?.writeTapes(text),
    onMoved: (moved) => {
      for (const { symbol, kind, position } of moved) {
        metrics.taped(symbol, kind, position)
        events.emit('tapeMoved', { symbol })
      }
    },
    onTrouble(trouble) {
      metrics.tapeTrouble(trouble.kind, countOf(trouble))
      log.warn(trouble, sentences[trouble.kind])
    }
  }
  if (workers === 0) return inlineTapes(options)
  const onCrash = (error: Error) => log.error({ err: error }, 'the thread of the tapes stopped and is replaced')
  return threadTapes({ ...options, program: threadProgram('tape/thread/tape-thread'), onCrash })
}
