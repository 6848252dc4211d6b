import { hostsOf } from '../../client/service-hosts.ts'
import { ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import type { CliCommand } from '../command.ts'
import { clientOf, keyFor, serviceOf, urlFlag } from './service-client.ts'
import { listMetrics } from './watch-catalog.ts'
import { watchSession } from './watch-session.ts'

export const watchCommand: CliCommand = {
  name: 'watch',
  positionals: ['symbol'],
  rest: 'metric',
  restIsOptional: true,
  summary: 'show figures of a running service as they change; without a metric, list all metrics',
  flags: {
    key: { value: 'key', help: 'key of a user who may stream (default: GAMMAWALL_KEY, else a demo key)' },
    url: urlFlag,
    'stream-url': { value: 'address', help: 'stream of the service (default: two ports above)' },
    cadence: {
      value: 'milliseconds',
      help: 'time between updates: 0 for each change, or 100 to 60000',
      fallback: '1000'
    }
  },
  settings: { data: settings.data },
  async run({ config, positionals: [symbol, ...metrics], flags, terminal }) {
    const { cadence = '1000' } = flags
    if (!/^\d{1,6}$/.test(String(cadence))) throw new ConfigError(['--cadence must be a whole number of milliseconds'])
    const hosts = serviceOf({ flags, config })
    const { WebSocket } = await import('ws') // loaded late so that other commands start quickly
    const client = clientOf({ ...hosts, key: keyFor(flags['key'], terminal.env, config.data), WebSocket })
    if (metrics.length === 0) return listMetrics(client, symbol, terminal)
    const address = hostsOf(hosts.url, hosts).stream
    await watchSession(client, { symbol, metrics, cadence: Number(cadence), address }, terminal, process)
  }
}
