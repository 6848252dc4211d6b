import type { Endpoint } from '../../src/api/endpoint.ts'
import type { Plans } from '../../src/api/plan.ts'
import { type SettingSection, variableOf } from '../../src/config/settings.ts'
import type { Setting } from '../../src/connectors/port/setting.ts'

const MADE = '<!-- Made from the declarations. Do not edit by hand: run `npm run docs`. -->'

/** Further words about an endpoint, by its id: what its summary leaves out, and the page that explains it. */
const endpointNotes: Readonly<Record<string, string>> = {
  'market.session': 'whether the session is on, when the next one opens, and the close before',
  'stock.summary': 'without a key as of the close before, live with one',
  'exposure.gex': 'with the flip and open-interest changes',
  'exposure.summary': 'includes what dealers hedge on a 1 % move',
  'exposure.levels': 'flip, walls, peaks of gamma and open interest, magnet: [key levels](methods/key-levels.md)',
  'exposure.history': 'answers 503 `coming_soon` unless the operator gives `--enable exposure-history`',
  'exposure.basket': 'up to 50 symbols',
  'exposure.matrix': 'time: the recorded snapshots of a session; [exposure matrix](methods/exposure-matrix.md)',
  'exposure.profile': 'later: at the close and at the next open; [exposure profile](methods/exposure-profile.md)',
  'exposure.explain': 'contributions, crossings, candidates and quotes: [explain](methods/explain.md)',
  'exposure.attribution': 'since the prior close, the open or a moment: [attribution](methods/attribution.md)',
  'exposure.bands': 'by positions, sides and quotes: [bands](methods/bands.md)',
  'exposure.chart_levels':
    'JSON, CSV, Pine, thinkScript, NinjaTrader or Sierra; also on another index, fund or future of the family: [chart levels](methods/chart-levels.md)',
  'exposure.models':
    'the parameter `dealer_model` makes nine of the answers use one of them: [dealer models](methods/dealer-models.md)',
  'maxpain.current': 'pain curve, pin probability and dealer alignment: [max pain](methods/max-pain.md)',
  'flow.options_recent': 'each with its side',
  'flow.stocks_recent': 'each with its side',
  'flow.stocks_bars': 'bars of 1 second to 4 hours',
  'vrp.current': 'of a past close with `date`; [risk premium](methods/risk-premium.md)',
  'liquidity.current': 'spreads, depth and a score',
  'earnings.calendar': 'with estimates and implied moves',
  'quality.current':
    'a score of fifteen checks, also the header `X-Data-Quality` of every answer about the chain: [data quality](methods/data-quality.md)',
  'bars.current': 'minutes to weeks, beside any figure of the series; JSON, CSV or Arrow: [bars](methods/bars.md)',
  'series.current':
    'in columns: a session by the minute, a year of closes; JSON, CSV or Arrow: [series](methods/series.md)',
  'screener.current': 'the Alpha plan sees all symbols; [screener](methods/screener.md)'
}

/** Further words about a setting, by its name. */
const settingNotes: Readonly<Record<string, string>> = {
  'replay-port': '[replay](replay.md)',
  'stream-port': '[streaming](streaming.md)',
  source: '[several in turn](sources.md#several-in-turn)',
  rates: '[references](sources.md#references)',
  capture: '[when something does not fit](sources.md#when-something-does-not-fit)',
  'replay-files': '[session files](history.md#session-files)',
  'bulk-disk': '[bulk jobs](bulk.md#jobs)',
  admin: '[the role](plans.md#enterprise)',
  'embed-origin': '[embedded panels](operations.md#embedded-panels)',
  'private-webhooks': '[alerts](alerts.md)'
}

/** The notes that name nothing. */
export function idleNotes(endpoints: readonly Endpoint[], sections: readonly SettingSection[]): readonly string[] {
  const ids = endpoints.map(({ id }) => id)
  const names = sections.flatMap(({ settings }) => Object.keys(settings))
  return [
    ...Object.keys(endpointNotes).filter((id) => !ids.includes(id)),
    ...Object.keys(settingNotes).filter((name) => !names.includes(name))
  ]
}

/** The page of all endpoints, grouped by tag. */
export function endpointsPage(endpoints: readonly Endpoint[], plans: Plans): string {
  const tags = [...new Set(endpoints.map(({ tag }) => tag))]
  const tables = tags.map((tag) => {
    const rows = endpoints.filter((endpoint) => endpoint.tag === tag).map((endpoint) => endpointRow(endpoint, plans))
    return [`## ${titleOf(tag)}`, '', '| endpoint | least plan | replay | stream | answers |', ruleOf(5), ...rows].join(
      '\n'
    )
  })
  return `${MADE}

# Endpoints

Every endpoint answers live at the port of the REST interface. Those with a mark under *replay* answer about
[past moments](replay.md) too, those with a mark under *stream* can be [subscribed to](streaming.md). Parameters and
fields of each are at \`/swagger\` of a running service and in its OpenAPI document.

Where the least plan is \`none\` no key is needed; \`/health\` needs none either and counts against no quota. Certain
parameters and symbols ask for a higher plan: [plans](plans.md). The two quote endpoints answer under \`/v1\` too. A symbol
that is not loaded yet is loaded when it is first requested.

${tables.join('\n\n')}
`
}

function endpointRow({ id, path, body, plan, replay, stream, summary }: Endpoint, plans: Plans): string {
  const name = plan === 'public' ? 'none' : plans.byId(plan).name
  const note = endpointNotes[id]
  return rowOf([
    `\`${body === undefined ? 'GET' : 'POST'} ${path}\``,
    name,
    replay ? 'yes' : '',
    stream ? 'yes' : '',
    note === undefined ? summary : `${summary}; ${note}`
  ])
}

/** The page of all settings, by section. */
export function settingsPage(sections: readonly SettingSection[]): string {
  const tables = sections.map(({ title, settings }) => {
    const rows = Object.entries(settings).map(([name, setting]) => settingRow(name, setting))
    return [`## ${title}`, '', '| flag | variable | default | meaning |', ruleOf(4), ...rows].join('\n')
  })
  return `${MADE}

# Settings

A setting is a flag of \`npm start -- ...\` or a variable: \`GAMMAWALL_CBOE_PATH\` for \`--cboe-path\`. The flag wins. Keys of
vendors come from a variable or a file, never from a flag, which others on the machine could read.

${tables.join('\n\n')}
`
}

function settingRow(name: string, { fallback, help, secret }: Setting): string {
  const note = settingNotes[name]
  return rowOf([
    secret ? '' : `\`--${name}\``,
    `\`${variableOf(name)}\``,
    defaultOf(name, fallback),
    note === undefined ? help : `${help}; ${note}`
  ])
}

/** The default of --workers depends on the machine. */
function defaultOf(name: string, fallback: string | undefined): string {
  if (name === 'workers') return 'processors less one'
  return fallback === undefined || fallback === '' ? '' : `\`${fallback}\``
}

const rowOf = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const ruleOf = (columns: number) => `|${' --- |'.repeat(columns)}`
const titleOf = (tag: string) => tag[0].toUpperCase() + tag.slice(1).replaceAll('-', ' ')
