import { removeDemoUsers } from '../accounts/demo-keys.ts'
import { settings } from '../config/settings.ts'
import { ACTOR, asJson, type Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const demoCommands: readonly Command[] = [
  {
    name: 'demo remove',
    positionals: [],
    summary: 'take the demo users away, with their keys and the file of these; no later start makes them again',
    flags: { json: { help: 'print JSON' } },
    settings: { data: settings.data, plans: settings.plans },
    async run({ config, flags, terminal }) {
      const removed = withAccounts(config, (accounts) => removeDemoUsers(accounts, config.data, ACTOR))
      const emails = removed.map(({ email }) => email)
      if (flags['json']) return terminal.out(asJson({ removed: emails }))
      terminal.out(emails.length === 0 ? 'there were no demo users' : `removed ${emails.join(', ')}`)
    }
  }
]
