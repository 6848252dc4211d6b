import { ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import type { CliCommand } from '../command.ts'

export const migrateCommand: CliCommand = {
  name: 'accounts migrate',
  positionals: [],
  summary: 'set up the accounts on a PostgreSQL server, or bring them to this version; services may run meanwhile',
  flags: {},
  settings: { accounts: settings.accounts },
  async run({ config, terminal }) {
    if (config.accounts === undefined) {
      throw new ConfigError(['accounts migrate needs --accounts; those of a data folder are migrated by each start'])
    }
    const { migratePostgres } = await import('../../accounts/postgres.ts')
    const { from, to } = await migratePostgres(config.accounts)
    terminal.out(
      from === to ? `the accounts have version ${to} already` : `the accounts went from version ${from} to ${to}`
    )
  }
}
