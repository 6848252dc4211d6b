import type { Brand } from '../api/brand/brand.ts'
import { type Feature, features } from '../api/feature.ts'
import type { Plans } from '../api/plan.ts'
import { type ConnectorDeclaration, namesIn, type SourceSettings } from '../connectors/port/declaration.ts'
import type { Setting } from '../connectors/port/setting.ts'
import { parseWholeNumber } from '../connectors/port/setting-text.ts'
import type { ReferenceSettings } from '../connectors/reference-registry.ts'
import { type ConnectorValues, connectors } from '../connectors/registry.ts'
import type { Rename } from '../market/renames.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, parseIsoDate, type Ticker } from '../market/units.ts'
import { type Assumptions, defaultAssumptions, flatRate } from '../pricing/assumptions.ts'
import { type GivenText, readText } from './given-text.ts'
import { readLogLevel } from './log-level.ts'
import { type Membership, membership, readRoles, readSharedAddress } from './member-settings.ts'
import { type MemoryPlan, type MemorySize, memoryPlans } from './memory-plan.ts'
import { type OidcConfig, readOidc } from './oidc-settings.ts'
import { readPlans } from './plans.ts'
import { type Presets, readPresets } from './presets.ts'
import { accountsOfReferences, readReferences } from './reference-settings.ts'
import { secretAsFlag } from './secret.ts'
import * as values from './setting-parsers.ts'
import {
  ENGINE_VARIABLE,
  KEY_VARIABLE,
  type LogLevel,
  logLevels,
  ownSettings,
  type SettingName,
  settingsWith,
  unknownSetting,
  variableOf
} from './settings.ts'
import { readSources } from './source-settings.ts'
import { readBrand } from './stated-brand.ts'
import { readRenames } from './stated-renames.ts'

export interface Config {
  /** Port of the REST API; 0 picks any free port. */
  readonly port: number
  readonly host: string
  /** Port of the host for past data; `replayFrom` is the first day that it has. */
  readonly replayPort: number
  readonly replayFrom: IsoDate
  /** Time zone of printed times in responses about the past, unless a request names another. */
  readonly replayTimes: 'utc' | 'et'
  /** Shape of responses about the past, unless a request names another. */
  readonly replayShape: 'plain' | 'compatible'
  /** Port of the stream. It equals `port` if the stream shares the port of the REST API. */
  readonly streamPort: number
  /** Port for the operator's metrics and health checks. */
  readonly adminPort: number
  readonly adminHost: string
  /** Whether to trust X-Forwarded-* headers. Safe only behind a proxy that you control. */
  readonly trustProxy: boolean
  readonly corsOrigin: '*' | readonly string[]
  readonly data: string
  /** Address of the PostgreSQL server of the accounts; undefined if they lie in the data folder. */
  readonly accounts: string | undefined
  /** Milliseconds for which keys are believed while that server does not answer. */
  readonly accountsGrace: number
  /** Requests of a user that are answered, and counted later, each time that that server is silent. */
  readonly quotaWhenLost: number
  /** The work of this service among others, and how they share chains. */
  readonly member: Membership
  /** Location of the archive: `embedded` (in the data folder), `off`, or the address of a ClickHouse server. */
  readonly history: string
  /** Names of the connectors for each kind of data, such as `cboe` for chains. */
  readonly sources: SourceSettings['sources']
  /** Settings of all connectors by flag name, including those of connectors not in use. */
  readonly connectorValues: ConnectorValues
  /** Chosen reference sources (rates, macro, earnings, dividends) and their settings. */
  readonly references: Omit<ReferenceSettings, 'capture'>
  /** Folder in which raw responses of the data sources are kept; undefined to keep none. */
  readonly capture: string | undefined
  readonly asOf: Instant | undefined
  readonly clock: 'wall' | 'demo'
  /** Symbols to keep loaded; undefined for the default symbols of the source. */
  readonly universe: readonly Ticker[] | undefined
  readonly assumptions: Assumptions
  /**
   * Pricing assumptions for archives of real markets. They leave out the values that belong to the synthetic market.
   */
  readonly realAssumptions: Assumptions
  readonly plans: Plans
  /** Lists of symbols for the screener that the operator has defined, by name. */
  readonly presets: Presets
  /** Renames of companies that the operator has stated, beside the well-known ones. */
  readonly renames: readonly Rename[]
  /** Sign-in by a company's identity provider; undefined if there is none. */
  readonly oidc: OidcConfig | undefined
  /** Name, logo, colours and links of the company that runs the service. */
  readonly brand: Brand
  /**
   * Which API keys may manage users and keys: `enterprise` allows keys of the Enterprise plan and operators' keys,
   * `operators` allows operators' keys only.
   */
  readonly admin: 'enterprise' | 'operators'
  /** Worker threads besides the main thread; 0 runs everything on the main thread. */
  readonly workers: number
  /** Symbols to record. `seen` records every symbol that gets loaded, `off` none. */
  readonly record: readonly Ticker[] | 'seen' | 'off'
  /** Shortest time between two recorded snapshots of a symbol, milliseconds. */
  readonly recordEvery: number
  /** Number of past sessions that a start makes of the synthetic market; 0 for none. */
  readonly seedHistory: number
  /** Folder of the daily copies of the data folder; undefined if none are made. */
  readonly backups: string | undefined
  readonly backupsKept: number
  /** Number of days for which every recorded snapshot is kept; 0 keeps all of them forever. */
  readonly keepDays: number
  /** Disk space for session files (fast copies of past snapshots), bytes; 0 for no such files. */
  readonly replayFileBytes: number
  /** Hours that bulk jobs and their files are kept after their end. */
  readonly bulkKeepHours: number
  /** Disk space for the files of bulk jobs, bytes; 0 for no jobs. */
  readonly bulkBytes: number
  /** Number of symbols whose prints may be collected at the same time; 0 for none. */
  readonly flowSymbols: number
  /**
   * Fraction of bought and sold contracts that is assumed to change open interest. Undefined for the default of the
   * source.
   */
  readonly flowConfidence: number | undefined
  /** Score below which nothing is concluded from a chain. */
  readonly qualityFloor: number
  /** Features that are off by default and that the operator has enabled. */
  readonly features: readonly Feature[]
  /** Longest time that a request waits for its response, milliseconds. */
  readonly requestDeadline: number
  /** Seconds for which the service keeps handling requests after it was asked to stop. */
  readonly drain: number
  /** Whether to serve the dashboard; `open` prints a link that opens it once without a key. */
  readonly dashboard: boolean
  readonly open: boolean
  /** Whether browsers may keep the files of the dashboard in a worker; if not, one that they have is removed. */
  readonly dashboardWorker: boolean
  /** Further host names under which browsers may open the dashboard. */
  readonly allowedHosts: readonly string[]
  /** If true, requests of browser sessions that began on this machine do not count against the quota. */
  readonly dashboardFree: boolean
  /** Web origins whose pages may show dashboard panels in a frame; `*` allows all. */
  readonly embedOrigin: '*' | readonly string[]
  /**
   * Tools for assistants: whether they are served, whether they may change alerts, and web origins whose pages may call
   * them.
   */
  readonly mcp: { readonly on: boolean; readonly writes: boolean; readonly origins: '*' | readonly string[] }
  /** If true, alert webhooks may use addresses in private networks and plain http. */
  readonly privateWebhooks: boolean
  readonly logLevel: LogLevel
  /** Log level of flag or variable, which the file `log-level` of the data folder goes before. */
  readonly statedLogLevel: LogLevel
  /** Files of plans and presets that were named; undefined for those of the data folder. */
  readonly plansFile: string | undefined
  readonly presetsFile: string | undefined
  /** Limits of everything that grows with use. */
  readonly memory: MemoryPlan
}

/** Error for invalid settings; `problems` has a sentence for each mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

type NameWithFallback = {
  [N in SettingName]: (typeof ownSettings)[N] extends { fallback: string } ? N : never
}[SettingName]

/**
 * Reads the settings of this run. Names in `flags` have no dashes. An empty environment variable counts as not set.
 * Throws one ConfigError that lists every problem.
 */
export function readConfig(
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  declared: readonly ConnectorDeclaration[] = connectors
): Config {
  const problems: string[] = []
  const given = readGiven(flags, env, settingsWith(declared), problems)

  function optional<T>(name: SettingName, parse: (text: string) => T | undefined, expected: string): T | undefined {
    return readText(given.get(name), parse, expected, problems)
  }
  function required<T>(name: NameWithFallback, parse: (text: string) => T | undefined, expected: string): T {
    return optional(name, parse, expected) ?? parse(ownSettings[name].fallback)!
  }

  const port = required('port', parseWholeNumber(0, 65_535), 'a whole number from 0 to 65535')
  const host = required('host', values.readHost, 'a host name or address')
  const adminPort = optional('admin-port', parseWholeNumber(0, 65_535), 'a whole number from 0 to 65535')
  const replayPort = optional('replay-port', parseWholeNumber(0, 65_535), 'a whole number from 0 to 65535')
  const streamPort = optional('stream-port', parseWholeNumber(0, 65_535), 'a whole number from 0 to 65535')
  const adminHost = required('admin-host', values.readHost, 'a host name or address')
  if (port > 65_532 && adminPort === undefined)
    problems.push('--port must be at most 65532 unless --admin-port is given')
  if (port > 65_533 && streamPort === undefined)
    problems.push('--port must be at most 65533 unless --stream-port is given')
  if (streamPort !== undefined && streamPort !== 0 && streamPort === adminPort) {
    problems.push(`--stream-port must differ from --admin-port; both are ${streamPort}`)
  }
  if (replayPort !== undefined && replayPort !== 0) {
    if (replayPort === port) problems.push(`--replay-port must differ from --port; both are ${port}`)
    if (replayPort === streamPort) problems.push(`--replay-port must differ from --stream-port; both are ${streamPort}`)
    if (replayPort === adminPort) problems.push(`--replay-port must differ from --admin-port; both are ${adminPort}`)
  }
  if (port !== 0 && port === adminPort) problems.push(`--admin-port must differ from --port; both are ${port}`)

  const data = required('data', nonEmpty, 'the path of a folder')
  const { sources, values: connectorValues } = readSources(given, declared, problems, accountsOfReferences(given))
  const fraction = 'a fraction from -1 to 1 (0.045 for 4.5 %)'
  const yields = required(
    'dividend-yield',
    values.readDividendYields,
    `${fraction}, with SYMBOL:yield for single symbols, each given once`
  )
  const { made, synthetic } = declared.find(({ name }) => name === namesIn(sources.chains)[0])!
  const references = readReferences(
    given,
    { chains: sources.chains, madeUp: synthetic, values: connectorValues },
    problems
  )
  const exercises = optional(
    'exercise',
    values.readExercises,
    'american or european, with SYMBOL:style for single symbols, each given once'
  )
  const rates = optional('rate', values.readRates, `${fraction}, or days:rate pairs, each number of days once`)
  const hasRates = references.sources.rates.length > 0
  if (rates !== undefined && hasRates)
    problems.push('--rate and --rates both set the interest rate: give only one of them')
  const realAssumptions: Assumptions = {
    rates,
    ...(hasRates && { publishedRates: true }),
    dividendYield: yields.every ?? defaultAssumptions.dividendYield,
    dividendYields: yields.bySymbol,
    exercise: exercises?.every,
    exercises: exercises?.bySymbol ?? {},
    forwardSymbols: optional('forward-symbols', values.readUniverse, 'tickers separated by commas') ?? []
  }
  const sizes = Object.keys(memoryPlans) as readonly MemorySize[]
  const memory = memoryPlans[required('memory', values.oneOf(sizes), 'small, default or large')]
  const answerMegabytes = optional('cache-mb', parseWholeNumber(1, 65_536), 'a whole number from 1 to 65536')
  const statedLogLevel = required('log-level', values.oneOf(logLevels), `one of ${logLevels.join(', ')}`)
  const accounts = optional(
    'accounts',
    values.readAccountsAddress,
    'the address of a database, postgres://user:password@host/database'
  )
  const history = required('history', values.readHistorySetting, 'embedded, off or an http or https address')
  const stores = {
    roles: required('roles', readRoles, 'all, collect, serve or collect,serve'),
    isMember: (given.get('roles')?.text ?? 'all') !== 'all',
    shared: optional('shared', readSharedAddress, 'the address of a Redis server, redis://host:port'),
    accounts,
    history
  }
  const plans = readPlans(given.get('plans')?.text, data, problems)
  const config: Config = {
    port,
    host,
    replayPort: replayPort ?? (port === 0 ? 0 : port + 1),
    replayFrom: required('replay-from', parseIsoDate, 'a date yyyy-MM-dd'),
    replayTimes: required('replay-times', values.oneOf(['utc', 'et']), 'utc or et'),
    replayShape: required('replay-shape', values.oneOf(['plain', 'compatible']), 'plain or compatible'),
    streamPort: streamPort ?? (port === 0 ? 0 : port + 2),
    adminPort: adminPort ?? (port === 0 ? 0 : port + 3),
    adminHost,
    trustProxy: required('trust-proxy', values.readSwitch, 'true or false'),
    corsOrigin: required('cors-origin', values.readOrigins, 'a star or origins such as https://example.com'),
    data,
    accounts,
    member: membership(stores),
    accountsGrace:
      MILLISECONDS_PER_MINUTE *
      required('accounts-grace', parseWholeNumber(1, 100_000), 'a whole number from 1 to 100000'),
    quotaWhenLost: required('quota-when-lost', values.readQuotaWhenLost, 'refuse or a whole number from 1 to 1000000'),
    history,
    sources,
    // This cast is safe: `declared` has the connectors of the registry, and each value was parsed by its setting.
    connectorValues: connectorValues as ConnectorValues,
    references,
    capture: optional('capture', nonEmpty, 'the path of a folder'),
    asOf: optional('as-of', values.readAsOf, 'a date yyyy-MM-dd or a New York time yyyy-MM-ddTHH:mm'),
    clock: required('clock', values.oneOf(['wall', 'demo']), 'wall or demo'),
    universe: optional(
      'universe',
      values.readUniverse,
      'tickers separated by commas, or a file with one ticker on each line'
    ),
    assumptions: {
      ...realAssumptions,
      rates: realAssumptions.rates ?? (made?.rate === undefined ? undefined : flatRate(made.rate)),
      exercise: realAssumptions.exercise ?? made?.exercise
    },
    realAssumptions,
    plans,
    plansFile: given.get('plans')?.text,
    presetsFile: given.get('presets')?.text,
    presets: readPresets(given.get('presets')?.text, data, problems),
    renames: readRenames(data, problems),
    brand: readBrand(data, problems),
    oidc: readOidc(given, plans, problems),
    admin: required('admin', values.oneOf(['enterprise', 'operators']), 'enterprise or operators'),
    workers: required('workers', parseWholeNumber(0, 256), 'a whole number from 0 to 256'),
    record: required('record', values.readRecorded, 'tickers separated by commas, a file of them, seen or off'),
    recordEvery: 1000 * required('record-every', parseWholeNumber(1, 3600), 'a whole number from 1 to 3600'),
    seedHistory: required('seed-history', values.readSeedHistory, 'off or a number of days from 1d to 60d'),
    backups: optional('backups', nonEmpty, 'the path of a folder'),
    backupsKept: required('backups-kept', parseWholeNumber(1, 1000), 'a whole number from 1 to 1000'),
    keepDays: required('keep-days', parseWholeNumber(0, 36_500), 'a whole number from 0 to 36500'),
    replayFileBytes:
      required('replay-files', parseWholeNumber(0, 100_000), 'a whole number from 0 to 100000') * 2 ** 30,
    bulkKeepHours: required('bulk-keep-hours', parseWholeNumber(1, 8760), 'a whole number from 1 to 8760'),
    bulkBytes: required('bulk-disk', parseWholeNumber(0, 100_000), 'a whole number from 0 to 100000') * 2 ** 30,
    flowSymbols: required('flow-symbols', parseWholeNumber(0, 10_000), 'a whole number from 0 to 10000'),
    flowConfidence: optional(
      'flow-confidence',
      values.readConfidence,
      'a number above 0, at most 1, with at most six decimals'
    ),
    qualityFloor: required('quality-floor', parseWholeNumber(0, 100), 'a whole number from 0 to 100'),
    features: optional('enable', values.readFeatures, `one or more of ${features.join(', ')}`) ?? [],
    requestDeadline: 1000 * required('request-deadline', parseWholeNumber(1, 3600), 'a whole number from 1 to 3600'),
    drain: required('drain', parseWholeNumber(0, 3600), 'a whole number from 0 to 3600'),
    dashboard: required('dashboard', values.readOnOff, 'on or off'),
    dashboardWorker: required('dashboard-worker', values.readOnOff, 'on or off'),
    open: required('open', values.readOnOff, 'on or off'),
    allowedHosts: optional('allowed-hosts', values.readHosts, 'host names separated by commas, without ports') ?? [],
    dashboardFree: required('dashboard-free', values.readSwitch, 'true or false'),
    embedOrigin:
      optional('embed-origin', values.readFrameOrigins, 'a star or origins such as https://example.com') ?? [],
    mcp: {
      on: required('mcp', values.readOnOff, 'on or off'),
      writes: required('mcp-write', values.readSwitch, 'true or false'),
      origins: optional('mcp-origin', values.readFrameOrigins, 'a star or origins such as https://example.com') ?? []
    },
    privateWebhooks: required('private-webhooks', values.readSwitch, 'true or false'),
    logLevel: readLogLevel(data, problems) ?? statedLogLevel,
    statedLogLevel,
    memory: answerMegabytes === undefined ? memory : { ...memory, answers: answerMegabytes * 2 ** 20 }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function nonEmpty(text: string): string | undefined {
  return text === '' || text.includes('\0') ? undefined : text
}

/** Variables of the program that are no settings. */
const noSettings: readonly string[] = [KEY_VARIABLE, ENGINE_VARIABLE]

/** Texts of the settings that the user gave as flags or environment variables, by setting name. */
function readGiven(
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  known: Readonly<Record<string, Setting>>,
  problems: string[]
): ReadonlyMap<string, GivenText> {
  const names = Object.keys(known)
  const given = new Map<string, GivenText>()
  const byVariable = new Map(names.map((name) => [variableOf(name), name]))
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith('GAMMAWALL_') || noSettings.includes(variable) || text === undefined) continue
    const name = byVariable.get(variable)
    if (name === undefined) problems.push(unknownSetting(variable, 'GAMMAWALL_', [...byVariable.keys(), ...noSettings]))
    else if (text !== '') given.set(name, { text, label: variable })
  }
  for (const [flag, value] of Object.entries(flags)) {
    const label = `--${flag}`
    if (!names.includes(flag)) problems.push(unknownSetting(label, '--', names))
    else if (known[flag].secret) problems.push(secretAsFlag(flag, variableOf(flag)))
    else if (Array.isArray(value)) problems.push(`${label} is given more than once`)
    else if (value !== undefined) given.set(flag, { text: String(value), label })
  }
  return given
}
