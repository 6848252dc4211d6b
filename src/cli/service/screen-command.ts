import type { BodyOf } from '../../client/client.ts'
import { ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import { csvLine } from '../../formats/written-csv.ts'
import { parseConditionText } from '../../screener/condition-text.ts'
import { ScreenProblem } from '../../screener/screen-problem.ts'
import { asJson, type CliCommand, tabulate } from '../command.ts'
import { clientOf, keyFor, serviceOf, urlFlag } from './service-client.ts'

type Screen = BodyOf<'/v1/screener'>
type Flags = Readonly<Record<string, string | true>>
type Row = Readonly<Record<string, unknown>>

/** Columns that are shown if the user gives no --select. */
const COLUMNS = 'symbol,price,atm_iv,vrp_20d,regime,net_gex,gamma_flip'

export const screenCommand: CliCommand = {
  name: 'screen',
  positionals: [],
  rest: 'conditions',
  restIsOptional: true,
  summary: "list the symbols of a running service that meet conditions: 'atm_iv > 25 and regime = negative_gamma'",
  flags: {
    sort: { value: 'columns', help: 'fields or aliases, separated by commas; -vrp_20d sorts in descending order' },
    limit: { value: 'count', help: 'maximum rows (default: the limit of the plan)' },
    select: { value: 'columns', help: 'columns to show, separated by commas', fallback: COLUMNS },
    formula: { value: 'formulas', help: 'new columns, separated by semicolons: ratio = net_gex / total_call_oi' },
    universe: { value: 'symbols', help: 'a preset such as tier1 or etfs, or tickers separated by commas' },
    json: { help: 'print the answer as JSON' },
    csv: { help: 'print the rows as CSV' },
    key: { value: 'key', help: 'key of a user (default: GAMMAWALL_KEY, else a demo key)' },
    url: urlFlag
  },
  settings: { data: settings.data },
  async run({ config, positionals, flags, terminal }) {
    const body = screenOf(positionals.join(' '), flags)
    const client = clientOf({ ...serviceOf({ flags, config }), key: keyFor(flags['key'], terminal.env, config.data) })
    const answer = await client.post('/v1/screener', body)
    if (flags['json']) return terminal.out(asJson(answer))
    const rows = answer.data as readonly Row[]
    const columns = rows.length === 0 ? ['symbol'] : Object.keys(rows[0])
    if (flags['csv']) {
      const lines = [columns, ...rows.map((row) => columns.map((name) => plainText(row[name])))]
      return terminal.out(lines.map(csvLine).join('\n'))
    }
    const cells = rows.map((row) => columns.map((name) => cellText(row[name])))
    terminal.out(tabulate(columns, cells))
    const { total_count, universe_size, missing_count, as_of } = answer.meta
    const missing = missing_count > 0 ? ` (${missing_count} more are not read yet, or cannot be had)` : ''
    terminal.err(`${rows.length} of ${total_count} that match, of ${universe_size} looked at${missing}; as of ${as_of}`)
  }
}

/** Builds the screener request from the command line. */
export function screenOf(conditions: string, flags: Flags): Screen {
  const { sort, limit, select = COLUMNS, formula, universe } = flags
  if (limit !== undefined && !/^\d{1,6}$/.test(String(limit))) throw new ConfigError(['--limit must be a whole number'])
  return {
    ...(conditions.trim() !== '' && { filters: filterOf(conditions) }),
    ...(universe !== undefined && { universe: universeOf(String(universe)) }),
    ...(formula !== undefined && { formulas: listOf(String(formula), ';').map(formulaOf) }),
    ...(sort !== undefined && { sort: listOf(String(sort)).map(sortOf) }),
    select: listOf(String(select)),
    ...(limit !== undefined && { limit: Number(limit) })
  }
}

function filterOf(conditions: string): NonNullable<Screen['filters']> {
  try {
    return parseConditionText(conditions) as NonNullable<Screen['filters']>
  } catch (error) {
    throw error instanceof ScreenProblem ? new ConfigError([error.message]) : error
  }
}

function formulaOf(text: string): NonNullable<Screen['formulas']>[number] {
  const [alias, expression] = [text.slice(0, text.indexOf('=')).trim(), text.slice(text.indexOf('=') + 1).trim()]
  if (alias === '' || expression === '') throw new ConfigError(['--formula must be name = formula'])
  return { alias, expression }
}

function sortOf(text: string): NonNullable<Screen['sort']>[number] {
  return text.startsWith('-') ? { field: text.slice(1).trim(), direction: 'desc' } : { field: text, direction: 'asc' }
}

/**
 * Reads which symbols to screen. Lower-case text is the name of a list of symbols, upper-case text is a list of
 * tickers.
 */
function universeOf(text: string): NonNullable<Screen['universe']> {
  return /^[a-z][a-z0-9_]*$/.test(text) ? { type: 'preset', value: text } : { type: 'custom', symbols: listOf(text) }
}

function listOf(text: string, separator = ','): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? value.toLocaleString('en-US') : String(value)
  return typeof value === 'object' ? `${(value as readonly unknown[]).length} expirations` : String(value)
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
