import { type Config, ConfigError } from '../config/config.ts'
import { settings } from '../config/settings.ts'
import { capturePlace } from '../connectors/port/capture/capture-place.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { namesIn, type SettingValues, type SharedChains, type SourceSettings } from '../connectors/port/declaration.ts'
import { budgetMemory } from '../connectors/port/http/request-budget.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { connectors, sourceRefusal } from '../connectors/registry.ts'
import { demoClock } from '../market/clock.ts'
import type { Instant } from '../market/units.ts'

/**
 * Settings of the chosen data sources as plain data, which can be sent to other threads. Throws if a source cannot be
 * used with these settings.
 */
export function sourceSettings(config: Config): SourceSettings {
  const { sources, connectorValues: values, asOf, capture: folder, member } = config
  // Request counts are shared by all threads, so that all threads together stay within a source's rate limit.
  const budgets = Object.fromEntries(
    Object.values(sources)
      .flatMap(namesIn)
      .map((name) => [name, budgetMemory()])
  )
  const capture = folder === undefined ? undefined : capturePlace(folder, secretsIn(config))
  const chosen = { sources, values, asOf, budgets, capture }
  // A member that only serves asks no vendor, so it needs no key.
  const refusal = member.collects ? sourceRefusal(chosen) : undefined
  if (refusal !== undefined) throw new ConfigError([refusal])
  return chosen
}

/**
 * The place at which members share the chains of this source; undefined for a service that shares none. Throws a
 * ConfigError if the settings of a member lack something.
 */
export function sharedChains({ member, sources }: Config): SharedChains | undefined {
  const { shared: address, collects, problems } = member
  if (problems.length > 0) throw new ConfigError(problems)
  if (address === undefined) return undefined
  const names = namesIn(sources.chains)
  const isMade = connectors.some(({ name, synthetic }) => synthetic && names.includes(name))
  return { address, prefix: `gammawall:${isMade ? 'synthetic' : 'real'}:`, collects }
}

/** Secrets that must not appear in logs or captured responses. */
function secretsIn({ connectorValues, references }: Config): readonly string[] {
  const values: SettingValues = { ...references.values, ...connectorValues }
  return Object.entries<Setting>(settings).flatMap(([name, { secret }]) => {
    const value = values[name]
    return secret === true && value !== undefined ? [String(value)] : []
  })
}

/** Moment at which the clock of the market stands: that of `--as-of` or of a recorded market. Undefined if it runs. */
export function clockStandsAt({ asOf }: Config, { fixedAt }: Connector): Instant | undefined {
  return fixedAt ?? asOf
}

/**
 * Clock of the market. It stands still for a recorded market or with `--as-of`; otherwise it is the wall clock or the
 * demo clock.
 */
export function marketClock(config: Config, connector: Connector): () => Instant {
  const fixed = clockStandsAt(config, connector)
  if (fixed !== undefined) return () => fixed
  return config.clock === 'demo' ? demoClock(Date.now) : Date.now
}
