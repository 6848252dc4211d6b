import { type Config, ConfigError } from '../config/config.ts'
import type { Connector, SourceSettings } from '../connectors/port/connector.ts'
import { demoClock } from '../live/clock.ts'
import { easternDate } from '../market/eastern.ts'
import type { Instant } from '../market/units.ts'

/** Which source the settings name, as plain data. */
export function sourceSettings({ source, seed, cboePath, cboeUrl, asOf }: Config): SourceSettings {
  if (source === 'cboe' && cboePath === undefined && asOf !== undefined) {
    throw new ConfigError(['--as-of needs recorded data: the live feed knows the present only (see --cboe-path)'])
  }
  return { source, seed, cboePath, cboeUrl, session: asOf === undefined ? undefined : easternDate(asOf) }
}

/** A recording stands still; `--as-of` stands where it says; else the market follows the wall clock. */
export function marketClock({ asOf, clock }: Config, { standsAt }: Connector): () => Instant {
  const fixed = standsAt ?? asOf
  if (fixed !== undefined) return () => fixed
  return clock === 'demo' ? demoClock(Date.now) : Date.now
}
