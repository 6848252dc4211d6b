import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { copyAccounts, copyUsage, reopenAccounts } from '../../accounts/copy-accounts.ts'
import type { Database } from '../../accounts/database.ts'
import { openDatabase } from '../../accounts/sqlite.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import type { CliCommand } from '../command.ts'
import { withDatabase } from './with-accounts.ts'

/** Milliseconds that a statement may take which reads or writes a whole table. */
const COPY_PATIENCE = 600_000

const stored = { data: settings.data, accounts: settings.accounts }
const back = { help: 'the other way: from the server into the data folder' }

export const accountsCommands: readonly CliCommand[] = [
  {
    name: 'accounts migrate',
    positionals: [],
    summary: 'set up the accounts on a PostgreSQL server, or bring them to this version; services may run meanwhile',
    flags: {},
    settings: { accounts: settings.accounts },
    async run({ config, terminal }) {
      const { migratePostgres } = await import('../../accounts/postgres.ts')
      const { from, to } = await migratePostgres(addressIn(config, 'migrate'))
      terminal.out(
        from === to ? `the accounts have version ${to} already` : `the accounts went from version ${from} to ${to}`
      )
    }
  },
  {
    name: 'accounts copy',
    positionals: [],
    summary: 'copy the accounts of the data folder to a PostgreSQL server and close them to changes; a service may run',
    flags: { back },
    settings: stored,
    async run({ config, flags, terminal }) {
      await between(config, 'copy', flags['back'] === true, async (from, to) => {
        const { at, rows } = await copyAccounts(from, to, Date.now())
        const filled = [...(rows ?? [])].filter(([, count]) => count > 0)
        const counts = filled.map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
        terminal.out(rows === undefined ? `these accounts were copied at ${at} already` : `copied ${counts.join(', ')}`)
        terminal.err('No change is taken any more where they were copied from; accounts reopen would allow it again.')
        terminal.err('When no service counts requests there any more, run gammawall accounts usage.')
      })
    }
  },
  {
    name: 'accounts usage',
    positionals: [],
    summary: 'add the requests that were counted since accounts copy, and since this was last run',
    flags: { back },
    settings: stored,
    async run({ config, flags, terminal }) {
      await between(config, 'usage', flags['back'] === true, async (from, to) => {
        terminal.out(`added ${(await copyUsage(from, to)).toLocaleString('en-US')} requests`)
      })
    }
  },
  {
    name: 'accounts reopen',
    positionals: [],
    summary: 'allow changes of accounts again that accounts copy closed, when a move is given up',
    flags: {},
    settings: stored,
    async run({ config, terminal }) {
      await withDatabase(config, reopenAccounts)
      terminal.out('the accounts take changes again')
    }
  }
]

function addressIn({ accounts }: Config, command: string): string {
  if (accounts !== undefined) return accounts
  throw new ConfigError([`accounts ${command} needs --accounts, the address of a PostgreSQL server`])
}

/** Calls `work` with the accounts of the data folder and of the server, in the order of a copy. */
async function between(
  config: Config,
  command: string,
  isBack: boolean,
  work: (from: Database, to: Database) => Promise<void>
): Promise<void> {
  const address = addressIn(config, command)
  if (!isBack && !existsSync(join(config.data, 'accounts.db'))) {
    throw new ConfigError([`the data folder ${config.data} has no accounts: --data names another one`])
  }
  const [{ openPostgres }, { poolAt }] = await Promise.all([
    import('../../accounts/postgres.ts'),
    import('../../accounts/postgres-pool.ts')
  ])
  const server = await openPostgres(address, { pool: poolAt(address, COPY_PATIENCE) })
  try {
    const folder = openDatabase(config.data)
    try {
      await (isBack ? work(server, folder) : work(folder, server))
    } finally {
      await folder.close()
    }
  } finally {
    await server.close()
  }
}
