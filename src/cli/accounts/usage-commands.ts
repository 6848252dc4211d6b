import { writeFileSync } from 'node:fs'
import { firstShownDay, SHOWN_DAYS, type UserUsage, usageOfAll } from '../../accounts/usage.ts'
import { AccountError } from '../../accounts/users.ts'
import { settings } from '../../config/settings.ts'
import { csvLine } from '../../formats/written-csv.ts'
import { dateOfEpochDay, type IsoDate, MILLISECONDS_PER_DAY, parseIsoDate } from '../../market/units.ts'
import { asJson, type CliCommand, tabulate } from '../command.ts'
import { withDatabase } from './with-accounts.ts'

const columns = ['date', 'email', 'user_id', 'plan', 'requests', 'of_panels'] as const

export const usageCommands: readonly CliCommand[] = [
  {
    name: 'usage export',
    positionals: [],
    summary: 'write the requests of every user by day; a running service is up to a second ahead',
    flags: {
      from: { value: 'date', help: `first day, yyyy-MM-dd, UTC (default: the first of the last ${SHOWN_DAYS})` },
      to: { value: 'date', help: 'last day, included (default: today)' },
      out: { value: 'file', help: 'file to write (default: standard output)' },
      csv: { help: 'print comma-separated values' },
      json: { help: 'print JSON' }
    },
    settings: { data: settings.data, accounts: settings.accounts, plans: settings.plans },
    async run({ config, flags, terminal }) {
      const { csv, json, out } = flags
      if (csv && json) throw new AccountError('usage export prints --csv or --json, not both')
      const today = dateOfEpochDay(Math.floor(Date.now() / MILLISECONDS_PER_DAY))
      const to = dayOf('--to', flags['to'], today)
      const from = dayOf('--from', flags['from'], firstShownDay(to))
      if (from > to) throw new AccountError(`--from must not be after ${to}; it is ${from}`)
      const rows = (await withDatabase(config, (database) => usageOfAll(database, from, to))).map(printable)
      const text = csv ? asCsv(rows) : json ? asJson(rows) : asTable(rows)
      if (typeof out === 'string') writeFileSync(out, `${text}\n`, { mode: 0o600 })
      else terminal.out(text)
    }
  }
]

type Row = ReturnType<typeof printable>

function printable({ date, email, userId, plan, requests, ofPanels }: UserUsage) {
  return { date, email, user_id: userId, plan, requests, of_panels: ofPanels }
}

function asTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => String(row[column])))
  return tabulate(
    columns.map((column) => column.toUpperCase()),
    cells
  )
}

/** Formats rows as CSV. Lines end with a line feed only, as those of all commands do. */
function asCsv(rows: readonly Row[]): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(csvLine).join('\n')
}

function dayOf(flag: string, text: string | true | undefined, fallback: IsoDate): IsoDate {
  if (typeof text !== 'string') return fallback
  const date = parseIsoDate(text)
  if (date === undefined) throw new AccountError(`${flag} must be a date, yyyy-MM-dd; it is ${JSON.stringify(text)}`)
  return date
}
