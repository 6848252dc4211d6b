import type { Accounts } from '../accounts/accounts.ts'
import type { IssuedKey } from '../accounts/issued-keys.ts'
import { AccountError, type User } from '../accounts/users.ts'
import { settings } from '../config/settings.ts'
import { ACTOR, asJson, type Command, tabulate, withAccounts } from './command.ts'

const stored = { data: settings.data, plans: settings.plans }
const json = { help: 'print JSON' }

export const keyCommands: readonly Command[] = [
  {
    name: 'keys create',
    positionals: [],
    summary: 'make a key, and its user where there is none yet; the key is shown once',
    flags: {
      email: { value: 'email', help: 'whose key it is' },
      plan: { value: 'plan', help: 'plan of a new user' },
      name: { value: 'text', help: 'what the key is for', fallback: '' },
      json
    },
    settings: stored,
    async run({ config, flags, terminal }) {
      const made = withAccounts(config, (accounts) =>
        accounts.atomically(() => {
          const user = ownerOf(accounts, flags['email'], flags['plan'])
          return accounts.keys.create(user, String(flags['name'] ?? ''), ACTOR)
        })
      )
      if (flags['json']) terminal.out(asJson({ key: made.key, ...printable(made) }))
      else {
        terminal.out(made.key)
        terminal.err(`The key of ${made.email} (${made.plan}) is not kept and cannot be shown again.`)
      }
    }
  },
  {
    name: 'keys list',
    positionals: [],
    summary: 'list the keys that were made, revoked ones too',
    flags: { json },
    settings: stored,
    async run({ config, flags, terminal }) {
      const keys = withAccounts(config, (accounts) => accounts.keys.list())
      if (flags['json']) return terminal.out(asJson(keys.map(printable)))
      const rows = keys.map((key) => {
        return [key.id, `...${key.hint}`, key.email, key.plan, key.name, key.createdAt, key.revokedAt ?? '']
      })
      terminal.out(tabulate(['ID', 'KEY', 'EMAIL', 'PLAN', 'NAME', 'CREATED', 'REVOKED'], rows))
    }
  },
  {
    name: 'keys revoke',
    positionals: ['id or hint'],
    summary: 'end a key, named by its id or its last four characters',
    flags: { json },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const key = withAccounts(config, (accounts) => accounts.keys.revoke(positionals[0], ACTOR))
      terminal.out(flags['json'] ? asJson(printable(key)) : `revoked ${key.id} (...${key.hint}) of ${key.email}`)
    }
  }
]

function ownerOf(accounts: Accounts, email: string | true | undefined, plan: string | true | undefined): User {
  if (typeof email !== 'string') throw new AccountError('keys create needs --email')
  const user = accounts.users.find(email)
  if (user === undefined) {
    if (typeof plan !== 'string') throw new AccountError(`there is no user ${email} yet: give its --plan as well`)
    return accounts.users.create({ email, plan }, ACTOR)
  }
  if (plan !== undefined && plan !== user.plan) {
    throw new AccountError(`${user.email} is on ${user.plan}, not ${plan}: change that with users set-plan`)
  }
  return user
}

function printable(key: IssuedKey) {
  return {
    id: key.id,
    hint: key.hint,
    user_id: key.userId,
    email: key.email,
    plan: key.plan,
    name: key.name,
    created_at: key.createdAt,
    revoked_at: key.revokedAt ?? null
  }
}
