import { availableParallelism } from 'node:os'
import { nearest } from '../api/nearest.ts'
import type { ConnectorDeclaration } from '../connectors/port/declaration.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { references } from '../connectors/reference-registry.ts'
import { connectors } from '../connectors/registry.ts'
import { REQUEST_DEADLINE } from '../facts/freshness.ts'
import { QUALITY_FLOOR } from '../facts/quality-floor.ts'
import { assistantSettings } from './assistant-settings.ts'
import { memberSettings } from './member-settings.ts'
import { oidcSettings } from './oidc-settings.ts'
import { calledAs } from './package.ts'
import { referenceChoices } from './reference-settings.ts'
import { settingsOf } from './setting-values.ts'
import { sourceChoices } from './source-settings.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Settings of addresses and ports, and of who may send requests. */
const addressSettings = {
  port: {
    value: 'port',
    help: 'REST interface, with replay below /replay and the stream at /ws; port + 1 serves replay alone, port + 2 the stream',
    fallback: '8080'
  },
  host: { value: 'address', help: 'address to listen on', fallback: '127.0.0.1' },
  'replay-port': {
    value: 'port',
    help: 'historical host: the same endpoints at a past moment (default: port + 1)'
  },
  'stream-port': { value: 'port', help: 'stream (default: port + 2); the same as --port for no port of its own' },
  'admin-port': { value: 'port', help: 'metrics and health for the operator (default: port + 3)' },
  'admin-host': { value: 'address', help: 'address of the admin port', fallback: '127.0.0.1' },
  'trust-proxy': { help: 'trust X-Forwarded-* headers; only behind a proxy of your own', fallback: 'false' },
  'cors-origin': {
    value: 'origins',
    help: 'web origins whose pages may call the service, separated by commas, or * for all',
    fallback: '*'
  }
} as const satisfies Record<string, Setting>

const historySettings = {
  ...memberSettings,
  data: { value: 'folder', help: 'folder of accounts, keys and recordings', fallback: calledAs.dataFolder },
  accounts: {
    value: 'address',
    help: 'PostgreSQL server of the accounts, postgres://user:password@host/database (default: a file in the data folder)'
  },
  'accounts-grace': {
    value: 'minutes',
    help: 'how long keys are believed as they were last seen while the PostgreSQL server of the accounts does not answer',
    fallback: '60'
  },
  history: {
    value: 'where',
    help: 'recorded history: embedded (in the data folder), off, or the address of a ClickHouse server',
    fallback: 'embedded'
  },
  record: {
    value: 'tickers',
    help: 'symbols to record: SPY,QQQ or a file with one per line, seen (whatever is loaded) or off',
    fallback: 'SPY,SPX,QQQ,IWM,VIX,VIX9D,VIX3M,VIX6M,VVIX,SKEW'
  },
  'record-every': { value: 'seconds', help: 'time between two recorded snapshots of a symbol', fallback: '60' },
  'keep-days': {
    value: 'days',
    help: 'days to keep every recorded snapshot and tape; after that only the last snapshot of each session stays; 0 keeps all forever',
    fallback: '0'
  },
  'seed-history': {
    value: 'days',
    help: 'past of the synthetic market that a start makes where the history lacks it: 1d to 60d of sessions of SPY, QQQ, IWM and symbols whose charts are opened, each quarter of an hour, and closes of a month; off for none. A real market is never made up',
    fallback: '5d'
  },
  'replay-from': { value: 'date', help: 'first day of served history', fallback: '2017-01-03' },
  'replay-times': {
    value: 'clock',
    help: 'utc or et: clock for times in historical answers, unless a request gives tz=',
    fallback: 'utc'
  },
  'replay-shape': {
    value: 'shape',
    help: 'plain or compatible: shape of historical answers, unless a request gives shape=',
    fallback: 'plain'
  },
  backups: {
    value: 'folder',
    help: 'where a copy of the data folder is made each day (default: none is made)'
  },
  'backups-kept': {
    value: 'days',
    help: 'how many of these copies are kept',
    fallback: '7'
  },
  'replay-files': {
    value: 'gigabytes',
    help: 'disk for copies of past snapshots, which make answers about the past several times as fast; 0 for none',
    fallback: '20'
  }
} as const satisfies Record<string, Setting>

const captureSettings = {
  capture: {
    value: 'folder',
    help: 'keep raw answers and stream frames of sources in this folder, secrets masked, up to 1 GiB a thread; send it with a report of an answer that is not understood'
  }
} as const satisfies Record<string, Setting>

/** Settings of the market to show, and the assumptions with which options are priced. */
const marketSettings = {
  'as-of': {
    value: 'moment',
    help: 'stand at this moment, New York time: yyyy-MM-dd (its close) or yyyy-MM-ddTHH:mm'
  },
  clock: {
    value: 'name',
    help: 'wall (real time) or demo: outside market hours the last session runs again',
    fallback: 'wall'
  },
  universe: {
    value: 'tickers',
    help: 'symbols kept warm: SPY,QQQ or a file with one per line (default: those of the source)'
  },
  rate: {
    value: 'rate',
    help: 'risk-free rate, continuous, or a curve by days: 30:0.043,365:0.041 (default: as options on SPX implied at the close before, else 0.045)'
  },
  'dividend-yield': {
    value: 'yield',
    help: 'dividend yield where the options imply none, also per symbol: 0.013,SPY:0.012',
    fallback: '0.013'
  },
  exercise: {
    value: 'style',
    help: 'american or european options, also per symbol: OEX:american (default: European on indexes, American on stocks and funds, unless the source says otherwise)'
  },
  'forward-symbols': {
    value: 'tickers',
    help: 'symbols whose options are on the forward of their expiration, in addition to the volatility indexes'
  },
  'bulk-disk': {
    value: 'gigabytes',
    help: 'disk for the files of bulk jobs; 0 for no jobs',
    fallback: '10'
  },
  'bulk-keep-hours': {
    value: 'hours',
    help: 'how long a bulk job and its files are kept after its end',
    fallback: '24'
  },
  'flow-symbols': {
    value: 'count',
    help: 'symbols whose option and stock prints are kept at once; 0 for none',
    fallback: '250'
  },
  'flow-confidence': {
    value: 'share',
    help: 'share of bought and sold contracts assumed to change open interest, above 0 to 1 (default: 0.43, half of it where prints are inferred)'
  },
  'quality-floor': {
    value: 'score',
    help: 'score of /v1/quality below which signals, narratives, bands and alerts conclude nothing from a chain, 0 to 100; 0 for no floor',
    fallback: String(QUALITY_FLOOR)
  }
} as const satisfies Record<string, Setting>

const accessSettings = {
  plans: {
    value: 'file',
    help: 'file of the plans that are sold (default: plans.json of the data folder, else the usual plans)'
  },
  presets: {
    value: 'file',
    help: 'file of symbols for screener presets (default: presets.json of the data folder, else none)'
  },
  admin: {
    value: 'whom',
    help: 'whose keys open administration: enterprise (that plan, and operators) or operators (that role alone)',
    fallback: 'enterprise'
  },
  enable: { value: 'names', help: 'serve what is otherwise only announced: exposure-history' },
  'quota-when-lost': {
    value: 'requests',
    help: 'what a limited plan gets while the PostgreSQL server of the accounts does not answer: refuse (503), or so many requests of each user and service, counted later',
    fallback: 'refuse'
  },
  'private-webhooks': {
    help: 'allow alert webhooks to private networks and to this machine, also by plain http',
    fallback: 'false'
  }
} as const satisfies Record<string, Setting>

const dashboardSettings = {
  dashboard: {
    value: 'whether',
    help: 'on or off: the pages at / of the REST port, if they were built',
    fallback: 'on'
  },
  open: {
    value: 'whether',
    help: 'on or off: print a link at the start that opens the dashboard once without a key, on the loopback address only',
    fallback: 'on'
  },
  'dashboard-worker': {
    value: 'whether',
    help: 'on or off: let browsers keep the files of the pages, install them and be told of alerts; off also removes what they keep',
    fallback: 'on'
  },
  'dashboard-free': {
    help: 'do not count requests of dashboard sessions that began on this machine',
    fallback: 'false'
  },
  'allowed-hosts': {
    value: 'names',
    help: 'host names that serve the dashboard, separated by commas, in addition to addresses, localhost and the name of this machine'
  },
  'embed-origin': {
    value: 'origins',
    help: 'web origins whose pages may frame panels of the dashboard, separated by commas (default: none)'
  }
} as const satisfies Record<string, Setting>

const operationSettings = {
  workers: {
    value: 'count',
    help: 'threads in addition to the serving one, 0 for none',
    fallback: String(Math.max(1, availableParallelism() - 1))
  },
  memory: {
    value: 'size',
    help: 'small, default or large: limits of caches, tapes and heaps',
    fallback: 'default'
  },
  'cache-mb': { value: 'megabytes', help: 'memory for finished answers (default: 32, 128 or 512, as --memory says)' },
  'request-deadline': {
    value: 'seconds',
    help: 'longest that a request waits for its answer; beyond it is refused with 503 overloaded',
    fallback: String(REQUEST_DEADLINE / 1000)
  },
  drain: {
    value: 'seconds',
    help: 'seconds to keep answering after a stop was requested, so that a load balancer notices; 0 without one',
    fallback: '5'
  },
  'log-level': {
    value: 'level',
    help: `${logLevels.join(', ')}; the file log-level of the data folder goes before`,
    fallback: 'info'
  },
  plain: {
    help: 'do without what was written for speed by hand, to find out whether a fault lies there: answers are the same',
    fallback: 'false'
  }
} as const satisfies Record<string, Setting>

/**
 * Environment variable with the API key, for commands that send requests to a running service. The service itself does
 * not read it.
 */
export const KEY_VARIABLE = 'GAMMAWALL_KEY'
/** Variable of the folder that holds the engine of the history; the command of the npm package sets it. */
export const ENGINE_VARIABLE = 'GAMMAWALL_ENGINE_FOLDER'

export const ownSettings = {
  ...addressSettings,
  ...historySettings,
  ...captureSettings,
  ...marketSettings,
  ...accessSettings,
  ...dashboardSettings,
  ...oidcSettings,
  ...assistantSettings,
  ...operationSettings
}

export type SettingName = keyof typeof ownSettings

export interface SettingSection {
  readonly title: string
  readonly settings: Readonly<Record<string, Setting>>
}

/** All settings, grouped into sections, in the order of the help and of docs/settings.md. */
export function settingSections(declared: readonly ConnectorDeclaration[]): readonly SettingSection[] {
  const ownOf = (kind: string) => (part: { readonly name: string } & Parameters<typeof settingsOf>[0][number]) => ({
    title: `${kind} ${part.name}`,
    settings: settingsOf([part])
  })
  return [
    { title: 'Addresses', settings: addressSettings },
    { title: 'Data and history', settings: historySettings },
    { title: 'Sources of market data', settings: sourceChoices(declared) },
    ...declared.map(ownOf('Source')),
    { title: 'Raw answers of sources', settings: captureSettings },
    { title: 'References', settings: referenceChoices },
    ...references.map(ownOf('Reference')),
    { title: 'Market', settings: marketSettings },
    { title: 'Plans and users', settings: accessSettings },
    { title: 'Dashboard', settings: dashboardSettings },
    { title: 'Sign-in by an identity provider', settings: oidcSettings },
    { title: 'Assistants', settings: assistantSettings },
    { title: 'Operation', settings: operationSettings }
  ].filter((section) => Object.keys(section.settings).length > 0)
}

/** All settings by name, including those of the given connectors. */
export function settingsWith(declared: readonly ConnectorDeclaration[]): Readonly<Record<string, Setting>> {
  return Object.assign({}, ...settingSections(declared).map((section) => section.settings))
}

/**
 * All settings by name. A setting such as as-of is given as the flag --as-of or the environment variable
 * GAMMAWALL_AS_OF. The flag takes precedence.
 */
export const settings = settingsWith(connectors)

export function variableOf(name: string): string {
  return `GAMMAWALL_${name.toUpperCase().replaceAll('-', '_')}`
}

/**
 * Error message for an unknown setting; it suggests the most similar known one. The comparison leaves out `prefix`
 * (`--` or `GAMMAWALL_`), which all names share.
 */
export function unknownSetting(typed: string, prefix: string, names: readonly string[]): string {
  const bare = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const [near] = nearest(bare(typed), names.map(bare), 1)
  return `${typed} is an unknown setting${near === undefined ? '' : `: did you mean ${prefix}${near}?`}`
}
