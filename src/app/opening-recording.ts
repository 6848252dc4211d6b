import type { Config } from '../config/config.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { createConnector } from '../connectors/registry.ts'
import { MarketEventBus } from '../live/market-events.ts'
import { isoInstant } from '../market/units.ts'
import type { Log } from '../server/operations/log.ts'
import type { Begun } from './begin.ts'
import type { Foundations } from './foundations.ts'
import { openRecording, type RunningRecording } from './running-recording.ts'
import type { Shutdown } from './shutdown.ts'

/** The archive while it is being opened, the source that it records, and the events that it subscribes to. */
export interface OpeningRecording {
  readonly connector: Connector
  readonly events: MarketEventBus
  readonly opening: Promise<RunningRecording>
}

/**
 * Begins to open the archive. The database engine needs a few tenths of a second for that on threads of its own. On
 * shutdown the archive closes after all parts that start later, because it still writes what they compute.
 */
export async function beginRecording(
  config: Config,
  { source }: Pick<Begun, 'source'>,
  { log }: Pick<Foundations, 'log'>,
  shutdown: Shutdown
): Promise<OpeningRecording> {
  const connector = await createConnector(source)
  shutdown.add(() => connector.disconnect?.())
  const events = new MarketEventBus()
  const opening = recordingOf(config, connector, events, log)
  opening.catch(() => {}) // met again by the part that awaits it
  shutdown.add(() =>
    opening.then(
      (recording) => recording.close(),
      () => {}
    )
  )
  return { connector, events, opening }
}

async function recordingOf(
  config: Config,
  connector: Connector,
  events: MarketEventBus,
  log: Log
): Promise<RunningRecording> {
  const recording = await openRecording(config, connector, {
    events,
    onChange: ({ failure, waiting, lost }) => {
      if (failure === undefined) log.info({ lost }, 'the archive takes snapshots again')
      else log.error({ err: failure, waiting }, 'the archive takes no snapshots; they are kept and tried again')
    },
    onUnwritable: ({ symbol, asOf }, { message }) => {
      log.error({ symbol, at: isoInstant(asOf), reason: message }, 'a snapshot cannot be written and is given up')
    },
    onError: (error) => log.error({ err: error }, 'old snapshots could not be thinned out; it is tried again'),
    onDamage: ({ path, reason }) =>
      log.error({ path, reason }, 'the history is damaged: stop the service and run gammawall history verify'),
    onFileError: (error) =>
      log.warn({ err: error }, 'a session file could not be made or continued; the archive answers')
  })
  const { reason } = recording
  if (reason !== undefined && config.history !== 'off') log.warn({ reason }, 'nothing is recorded or replayed')
  return recording
}
