import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { settings } from '../../config/settings.ts'
import type { Setting } from '../../connectors/port/setting.ts'
import {
  formOptions,
  type ImportFormat,
  type ImportOption,
  importFormatNames,
  importFormats
} from '../../imports/import-formats.ts'
import { type ImportJob, JobError, readJob } from '../../jobs/job.ts'
import type { CliCommand } from '../command.ts'
import { doJob } from './do-job.ts'

const stored = { data: settings.data, history: settings.history, 'replay-from': settings['replay-from'] }
const report = {
  value: 'file',
  help: 'CSV file for unusable and doubted rows, with line and reason (default: import-report.csv in the data folder)'
}
const doubted = {
  value: 'file',
  help: 'CSV file for doubted rows that are set aside, to import with --accept (default: import-doubted.csv beside the report)'
}
const mapHelp = 'which column holds which field: date=date,best_bid=bid, or a JSON file with such an object'
const flags: Readonly<Record<ImportOption, Setting>> = {
  map: { value: 'pairs', help: mapHelp },
  symbol: { value: 'ticker', help: 'symbol of every row, if no column has it' },
  dates: { value: 'order', help: 'order of dates such as 3/5/24: mdy or dmy; excel for day numbers of a spreadsheet' },
  zone: { value: 'zone', help: 'time zone of times that name none: UTC, America/Chicago (default: America/New_York)' },
  decimal: { value: 'sign', help: 'decimal sign of numbers such as 1,500: point or comma' },
  date: { value: 'date', help: 'date of all rows, with a time or without, if no column has it' },
  'underlying-price': { value: 'USD', help: 'price of the underlying for all rows, if no column has it' },
  conditions: {
    value: 'pairs',
    help: 'meaning of unknown condition codes: 13=late,99=regular'
  },
  bars: {
    value: 'scale',
    help: 'how the bars stand to splits: unadjusted or adjusted, if a known split does not tell'
  },
  replace: { help: 'replace snapshots that the service recorded itself at the same moment' },
  accept: { help: 'write what is doubted too, such as a file of rows that were set aside' },
  'dry-run': { help: 'say what is understood of the files and what is doubted, and write nothing' }
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
    flags: { ...own, report, ...(takes.includes('accept') ? { doubted } : {}) },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const job = readJob({
        work: 'import',
        format,
        paths: positionals.map((path) => resolve(path)),
        map: typeof flags['map'] === 'string' ? columnMapFrom(flags['map']) : undefined,
        symbol: flags['symbol'],
        forms: Object.fromEntries(formOptions.map((option) => [option, flags[option]])),
        facts: { date: flags['date'], underlyingPrice: flags['underlying-price'] },
        conditions: flags['conditions'],
        scale: flags['bars'],
        replace: flags['replace'],
        accept: flags['accept'],
        dryRun: flags['dry-run']
      }) as ImportJob
      if (flags['report'] === undefined) mkdirSync(config.data, { recursive: true, mode: 0o700 })
      const report = String(flags['report'] ?? join(config.data, 'import-report.csv'))
      const doubted = resolve(String(flags['doubted'] ?? join(dirname(report), 'import-doubted.csv')))
      if (job.paths.includes(doubted) && job.accept !== true) {
        throw new JobError(`${doubted} holds doubted rows: give --accept if they are right`)
      }
      await doJob(job, config, terminal, { report, doubted })
    }
  }
}

/** Text of a column map, which the user typed as JSON or as the path of a JSON file. */
export function columnMapFrom(typed: string): string {
  return /\.json$/i.test(typed) ? readFileSync(typed, 'utf8') : typed
}
