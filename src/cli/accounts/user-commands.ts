import type { Accounts } from '../../accounts/accounts.ts'
import { removeDemoUsers } from '../../accounts/demo-keys.ts'
import { AccountError, type User } from '../../accounts/users.ts'
import { settings } from '../../config/settings.ts'
import { ACTOR, asJson, type CliCommand, tabulate } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { withAccounts } from './with-accounts.ts'

const stored = { data: settings.data, accounts: settings.accounts, plans: settings.plans }
const json = { help: 'print JSON' }

export const userCommands: readonly CliCommand[] = [
  {
    name: 'users list',
    positionals: [],
    summary: 'list the users, their plans and their requests today',
    flags: { json },
    settings: stored,
    async run({ config, flags, terminal }) {
      const users = await withAccounts(config, async (accounts) => {
        const usage = await accounts.users.usageToday()
        return (await accounts.users.list()).map((user) => ({
          ...printable(user),
          usage_today: usage.get(user.id) ?? 0
        }))
      })
      if (flags['json']) return terminal.out(asJson(users))
      const rows = users.map((user) => [user.id, user.email, user.plan, user.subscribed_on, String(user.usage_today)])
      terminal.out(tabulate(['ID', 'EMAIL', 'PLAN', 'SUBSCRIBED', 'TODAY'], rows))
    }
  },
  {
    name: 'users create',
    positionals: [],
    summary: 'create a user without a key',
    flags: {
      email: { value: 'email', help: 'address of the user' },
      plan: { value: 'plan', help: 'plan of the user' },
      subscribed: { value: 'date', help: 'day the subscription began, yyyy-MM-dd (default: today)' },
      json
    },
    settings: stored,
    async run({ config, flags, terminal }) {
      const { email, plan, subscribed } = flags
      if (typeof email !== 'string') throw new AccountError('users create needs --email')
      if (typeof plan !== 'string') throw new AccountError('users create needs --plan')
      const since = typeof subscribed === 'string' ? { subscribedOn: subscribed } : {}
      const user = await withAccounts(config, ({ users }) => users.create({ email, plan, ...since }, ACTOR))
      terminal.out(flags['json'] ? asJson(printable(user)) : `created ${user.email} (${user.id}) on ${user.plan}`)
    }
  },
  {
    name: 'users set-plan',
    positionals: ['email or id', 'plan'],
    summary: 'move a user to another plan',
    flags: { json },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const user = await withAccounts(config, ({ users }) => users.setPlan(positionals[0], positionals[1], ACTOR))
      terminal.out(flags['json'] ? asJson(printable(user)) : `${user.email} is on ${user.plan}`)
    }
  },
  {
    name: 'users remove',
    positionals: ['email or id'],
    summary: 'remove a user with every key and count',
    flags: { yes: { help: 'do not ask first' }, json },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      if (!flags['yes']) {
        const question = await withAccounts(config, async (accounts) =>
          removalQuestion(accounts, await accounts.users.get(positionals[0]))
        )
        await confirm(question, 'users remove', terminal)
      }
      const user = await withAccounts(config, ({ users }) => users.remove(positionals[0], ACTOR))
      terminal.out(flags['json'] ? asJson(printable(user)) : `removed ${user.email}`)
    }
  }
]

async function removalQuestion({ keys, users }: Accounts, { id, email, plan }: User): Promise<string> {
  const working = (await keys.list()).filter((key) => key.userId === id && key.revokedAt === undefined).length
  const requests = (await users.usageToday()).get(id) ?? 0
  const held = `${working} key${working === 1 ? '' : 's'}, ${requests} request${requests === 1 ? '' : 's'} today`
  return `Remove ${email} (plan ${plan}, ${held}) with every key and count? This cannot be undone.`
}

function printable(user: User) {
  return {
    id: user.id,
    email: user.email,
    plan: user.plan,
    subscribed_on: user.subscribedOn,
    created_at: user.createdAt
  }
}

/**
 * Asks the user to confirm a step that cannot be undone. Throws unless the user answers yes. Scripts and pipes must
 * pass `--yes` instead.
 */
export async function confirm(question: string, command: string, { ask }: Terminal): Promise<void> {
  if (ask === undefined)
    throw new AccountError(`${command} asks first, and nobody is here to answer: give --yes as well`)
  const answer = await ask(`${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new AccountError('nothing was changed')
}

export const demoCommands: readonly CliCommand[] = [
  {
    name: 'demo remove',
    positionals: [],
    summary: 'remove the demo users with their keys and the key file; later starts do not create them again',
    flags: { json: { help: 'print JSON' } },
    settings: { data: settings.data, plans: settings.plans },
    async run({ config, flags, terminal }) {
      const removed = await withAccounts(config, (accounts) => removeDemoUsers(accounts, config.data, ACTOR))
      const emails = removed.map(({ email }) => email)
      if (flags['json']) return terminal.out(asJson({ removed: emails }))
      terminal.out(emails.length === 0 ? 'there were no demo users' : `removed ${emails.join(', ')}`)
    }
  }
]
