import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { settings } from '../../config/settings.ts'
import type { Setting } from '../../connectors/port/setting.ts'
import { vendorTableNames } from '../../imports/vendor-table.ts'
import { type ImportFormat, type ImportJob, readJob } from '../../jobs/job.ts'
import type { CliCommand } from '../command.ts'
import { doJob } from './do-job.ts'

const stored = { data: settings.data, history: settings.history, 'replay-from': settings['replay-from'] }
const report = {
  value: 'file',
  help: 'where rows that cannot be used are listed with line and reason (default: import-report.csv of the data folder)'
}
const replace = { help: 'write over snapshots that the service recorded itself at the same moment' }
const symbol = { value: 'ticker', help: 'the symbol of every row, where no column says it' }
const map = { value: 'pairs', help: 'columns to fields: date=date,best_bid=bid, or a JSON file with such an object' }
const chainMap = {
  value: 'pairs',
  help: `${map.help}; or whose tables they are: ${vendorTableNames.join(', ')}`
}
const conditions = {
  value: 'pairs',
  help: 'what codes of conditions mean, where they are not known: 13=late,99=regular'
}

export const importCommands: readonly CliCommand[] = [
  importCommand('cboe', 'import recorded payloads of the delayed Cboe quotes', { replace, report }),
  importCommand('lean', 'import minute data of options and shares in the format of LEAN', { replace, report }),
  importCommand('csv', 'import tables of end-of-day chains', { map: chainMap, symbol, replace, report }),
  importCommand('daily', 'import tables of daily bars', { map, symbol, report }),
  importCommand('dividends', 'import tables of cash dividends', { map, symbol, report }),
  importCommand('earnings', 'import calendars of earnings reports', { map, symbol, report }),
  importCommand('prints', 'import recorded prints of options and stocks: tables, or trades in the format of LEAN', {
    map,
    symbol,
    conditions,
    report
  })
]

function importCommand(format: ImportFormat, summary: string, flags: Readonly<Record<string, Setting>>): CliCommand {
  return {
    name: `import ${format}`,
    positionals: [],
    rest: 'file or folder',
    summary,
    flags,
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

/** Text of a column map, given directly or as the path of a JSON file. */
export function columnMapFrom(typed: string): string {
  return /\.json$/i.test(typed) ? readFileSync(typed, 'utf8') : typed
}
