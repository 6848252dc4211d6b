import { availableParallelism } from 'node:os'
import { nearest } from '../api/nearest.ts'
import type { ConnectorDeclaration } from '../connectors/port/declaration.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { connectors } from '../connectors/registry.ts'
import { settingsOfReferences } from './reference-settings.ts'
import { settingsOfSources } from './source-settings.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Where the service listens and what it keeps. */
const hostSettings = {
  port: {
    value: 'port',
    help: 'REST interface, with replay below /replay and the stream at /ws; port + 1 is kept for replay alone, port + 2 for the stream',
    fallback: '8080'
  },
  'replay-port': { value: 'port', help: 'the historical host (default: port + 1)' },
  'replay-from': { value: 'date', help: 'the first day that history is served for', fallback: '2017-01-03' },
  'replay-times': {
    value: 'clock',
    help: 'utc or et: the clock that times of its answers are printed on, unless tz= says',
    fallback: 'utc'
  },
  'stream-port': { value: 'port', help: 'the stream (default: port + 2; the same as --port for no port of its own)' },
  host: { value: 'address', help: 'address to listen on', fallback: '127.0.0.1' },
  data: { value: 'folder', help: 'where accounts, keys and recordings are kept', fallback: './data' },
  history: {
    value: 'where',
    help: 'recorded history: embedded (in the data folder), off, or the address of a ClickHouse server',
    fallback: 'embedded'
  }
} as const satisfies Record<string, Setting>

/** Which market it shows, to whom, and how. */
const marketSettings = {
  capture: {
    value: 'folder',
    help: 'keep the raw answers and stream frames of sources there, secrets masked: the case to send when one is not understood'
  },
  'as-of': { value: 'moment', help: 'stand at this moment: yyyy-MM-dd or yyyy-MM-ddTHH:mm, New York time' },
  clock: { value: 'name', help: 'wall (real time) or demo', fallback: 'wall' },
  universe: {
    value: 'tickers',
    help: 'symbols kept warm: SPY,QQQ or a file with one per line (default: those of the source)'
  },
  rate: {
    value: 'rate',
    help: 'risk-free rate, or a curve by days: 30:0.043,365:0.041 (default: as options on SPX implied at the close before, else 0.045)'
  },
  'dividend-yield': {
    value: 'yield',
    help: 'dividend yield, also per symbol: 0.013,SPY:0.012',
    fallback: '0.013'
  },
  exercise: {
    value: 'style',
    help: 'american or european options, also per symbol: OEX:american (default: by what a symbol is, and its source)'
  },
  'forward-symbols': {
    value: 'tickers',
    help: 'symbols whose options are on the forward of their expiration, beside the volatility indexes'
  },
  plans: { value: 'file', help: 'the plans that are sold (default: plans.json of the data folder, if there)' },
  presets: {
    value: 'file',
    help: 'symbols of the presets of the screener (default: presets.json of the data folder, if there)'
  },
  admin: {
    value: 'whom',
    help: 'whose keys open administration: enterprise (that plan, and operators) or operators (that role alone)',
    fallback: 'enterprise'
  },
  'admin-port': { value: 'port', help: 'metrics (default: port + 3)' },
  'admin-host': { value: 'address', help: 'address of the admin port', fallback: '127.0.0.1' },
  workers: {
    value: 'count',
    help: 'threads beside the serving one, 0 for none',
    fallback: String(Math.max(1, availableParallelism() - 1))
  },
  record: {
    value: 'tickers',
    help: 'symbols to record: SPY,QQQ or a file with one per line, seen (whatever is loaded) or off',
    fallback: 'SPY,SPX,QQQ,IWM,VIX,VIX9D,VIX3M,VIX6M,VVIX,SKEW'
  },
  'record-every': { value: 'seconds', help: 'time between two recorded snapshots of a symbol', fallback: '60' },
  'keep-days': {
    value: 'days',
    help: 'days that every recorded snapshot and tape is kept, later the last snapshot of each session alone; 0 for ever',
    fallback: '0'
  },
  'replay-files': {
    value: 'gigabytes',
    help: 'disk for copies of past snapshots, which answers about the past read several times as fast; 0 for none',
    fallback: '20'
  },
  'flow-symbols': {
    value: 'count',
    help: 'symbols whose option and stock prints are kept and folded at once; 0 for none',
    fallback: '250'
  },
  'flow-confidence': {
    value: 'share',
    help: 'share of bought and sold contracts that is taken to change open interest (default: 0.43, half of it where prints are inferred)'
  },
  enable: { value: 'names', help: 'what is announced only, to be served too: exposure-history' },
  drain: {
    value: 'seconds',
    help: 'seconds that a stop goes on answering, for a balancer to notice; 0 without one',
    fallback: '5'
  },
  dashboard: { value: 'whether', help: 'on or off: the pages at / of the REST port', fallback: 'on' },
  open: {
    value: 'whether',
    help: 'on or off: the link that is printed at the start, which opens the dashboard once without a key',
    fallback: 'on'
  },
  'dashboard-free': {
    help: 'requests of dashboard sessions that were begun on the machine itself are not counted',
    fallback: 'false'
  },
  'allowed-hosts': {
    value: 'names',
    help: 'names that the dashboard is served under, beside addresses, localhost and the name of this machine'
  },
  'embed-origin': {
    value: 'origins',
    help: 'web origins whose pages may frame panels of the dashboard (default: none)'
  },
  'private-webhooks': {
    help: 'let webhooks of alerts lead into private networks and to this machine, also by plain http',
    fallback: 'false'
  },
  'log-level': { value: 'level', help: logLevels.join(', '), fallback: 'info' },
  'trust-proxy': { help: 'believe X-Forwarded-* headers', fallback: 'false' },
  'cors-origin': { value: 'origins', help: 'web origins whose pages may call', fallback: '*' },
  'cache-mb': { value: 'megabytes', help: 'memory for finished answers', fallback: '256' }
} as const satisfies Record<string, Setting>

/** The key with which commands ask a running service. A variable of theirs, and no setting of a service. */
export const KEY_VARIABLE = 'GAMMAWALL_KEY'

/** The settings that do not belong to a connector. */
export const ownSettings = { ...hostSettings, ...marketSettings }

export type SettingName = keyof typeof ownSettings

/** Every setting in the order of the help text, with those of the connectors behind the choice of a source. */
export function settingsWith(declared: readonly ConnectorDeclaration[]): Readonly<Record<string, Setting>> {
  const { capture, ...others } = marketSettings
  return { ...hostSettings, ...settingsOfSources(declared), capture, ...settingsOfReferences, ...others }
}

/** Every setting, as a flag (--as-of) and as a variable (GAMMAWALL_AS_OF). The flag wins. */
export const settings = settingsWith(connectors)

/** The name of a setting in the environment. */
export function variableOf(name: string): string {
  return `GAMMAWALL_${name.toUpperCase().replaceAll('-', '_')}`
}

/**
 * The sentence about a setting that does not exist, with the one it is most like. `typed` and `names` begin with `prefix`
 * (`--` or `GAMMAWALL_`), which says nothing about how like they are.
 */
export function unknownSetting(typed: string, prefix: string, names: readonly string[]): string {
  const bare = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const [near] = nearest(bare(typed), names.map(bare), 1)
  return `${typed} is an unknown setting${near === undefined ? '' : `: did you mean ${prefix}${near}?`}`
}
