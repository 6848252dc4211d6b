import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { settings } from '../../config/settings.ts'
import type { Setting } from '../../connectors/port/setting.ts'
import { type ImportFormat, type ImportOption, importFormatNames, importFormats } from '../../imports/import-formats.ts'
import { type ImportJob, readJob } from '../../jobs/job.ts'
import type { CliCommand } from '../command.ts'
import { doJob } from './do-job.ts'

const stored = { data: settings.data, history: settings.history, 'replay-from': settings['replay-from'] }
const report = {
  value: 'file',
  help: 'CSV file for unusable rows, with line and reason (default: import-report.csv in the data folder)'
}
const mapHelp = 'which column holds which field: date=date,best_bid=bid, or a JSON file with such an object'
const flags: Readonly<Record<ImportOption, Setting>> = {
  map: { value: 'pairs', help: mapHelp },
  symbol: { value: 'ticker', help: 'symbol of every row, if no column has it' },
  conditions: {
    value: 'pairs',
    help: 'meaning of unknown condition codes: 13=late,99=regular'
  },
  replace: { help: 'replace snapshots that the service recorded itself at the same moment' }
}

export const importCommands: readonly CliCommand[] = importFormatNames.map(importCommand)

function importCommand(format: ImportFormat): CliCommand {
  const { summary, takes, vendors } = importFormats[format]
  const own = Object.fromEntries(takes.map((option) => [option, flags[option]]))
  if (vendors !== undefined) {
    own['map'] = { value: 'pairs', help: `${mapHelp}; or the vendor of the tables: ${vendors.join(', ')}` }
  }
  return {
    name: `import ${format}`,
    positionals: [],
    rest: 'file or folder',
    summary,
    flags: { ...own, report },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const job = readJob({
        work: 'import',
        format,
        paths: positionals.map((path) => resolve(path)),
        map: typeof flags['map'] === 'string' ? columnMapFrom(flags['map']) : undefined,
        symbol: flags['symbol'],
        conditions: flags['conditions'],
        replace: flags['replace']
      }) as ImportJob
      if (flags['report'] === undefined) mkdirSync(config.data, { recursive: true, mode: 0o700 })
      await doJob(job, config, terminal, String(flags['report'] ?? join(config.data, 'import-report.csv')))
    }
  }
}

/** Text of a column map, which the user typed as JSON or as the path of a JSON file. */
export function columnMapFrom(typed: string): string {
  return /\.json$/i.test(typed) ? readFileSync(typed, 'utf8') : typed
}
