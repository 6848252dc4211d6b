import { type Config, ConfigError } from '../config/config.ts'
import type { UniverseSymbol } from '../connectors/port/connector.ts'
import { createReferences, type ReferenceSettings, referenceRefusal } from '../connectors/reference-registry.ts'
import { References } from '../live/days/reference-reader.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import type { Foundations } from './foundations.ts'
import type { RunningRecording } from './running-recording.ts'
import type { Shutdown } from './shutdown.ts'

/**
 * Settings of the chosen reference sources (rates, earnings dates and the like). Throws if one of them cannot be used,
 * or if there is no archive to store their values.
 */
export function referenceSettings(
  { references, history }: Config,
  capture: ReferenceSettings['capture']
): ReferenceSettings {
  const settings = { ...references, capture }
  const problems = [referenceRefusal(settings), noPlace(settings, history)].filter((sentence) => sentence !== undefined)
  if (problems.length > 0) throw new ConfigError(problems)
  return settings
}

function noPlace({ sources }: ReferenceSettings, history: string): string | undefined {
  const [named] = Object.entries(sources).find(([, names]) => names.length > 0) ?? []
  if (named === undefined || history !== 'off') return undefined
  return `--${named} needs history, in which it is kept: leave out --history off`
}

/** How long the first chains wait for published interest rates, milliseconds. */
const MAX_WAIT = 5000

/**
 * Begins to read the configured reference sources (rates, earnings dates and the like). Resolves once rates were read,
 * or after `MAX_WAIT`. Without an archive it reads nothing and logs that.
 */
export async function startReferences(
  settings: ReferenceSettings,
  universe: readonly UniverseSymbol[],
  { store }: Pick<RunningRecording, 'store'>,
  events: MarketEventBus,
  { log, metrics }: Pick<Foundations, 'log' | 'metrics'>,
  shutdown: Shutdown
): Promise<void> {
  const sources = await createReferences(settings)
  if (sources.length === 0) return
  if (store === undefined) {
    log.warn({ sources: sources.map(({ name }) => name) }, 'references are not read, since no history is kept')
    return
  }
  const failing = new Set<string>()
  const references = new References({
    sources,
    store,
    symbols: universe.map(({ symbol }) => symbol),
    events,
    wallNow: Date.now,
    onRead({ source, seconds, written }) {
      metrics.load(`${source} reference`, 'loaded', seconds)
      if (failing.delete(source)) log.info({ source, written }, 'the reference answers again')
      else if (written > 0) log.info({ source, written }, 'a reference was read')
    },
    onFailure({ source, seconds, error: { message: reason }, retryIn }) {
      failing.add(source)
      metrics.load(`${source} reference`, 'failed', seconds)
      log.warn({ source, reason, retryInSeconds: Math.round(retryIn / 1000) }, 'a reference could not be read')
    }
  })
  references.start()
  shutdown.add(() => references.stop())
  const timeLimit = new Promise<void>((resolve) => void setTimeout(resolve, MAX_WAIT).unref())
  await Promise.race([references.firstRead(settings.sources.rates), timeLimit])
}
