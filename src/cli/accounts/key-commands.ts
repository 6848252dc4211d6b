import type { Accounts } from '../../accounts/accounts.ts'
import type { Changes } from '../../accounts/database.ts'
import { type IssuedKey, type KeyRole, keyRoles, type NewKey } from '../../accounts/issued-keys.ts'
import { AccountError, type User } from '../../accounts/users.ts'
import { settings } from '../../config/settings.ts'
import { ACTOR, asJson, type CliCommand, tabulate } from '../command.ts'
import { withAccounts } from './with-accounts.ts'

const stored = { data: settings.data, accounts: settings.accounts, plans: settings.plans }
const json = { help: 'print JSON' }

export const keyCommands: readonly CliCommand[] = [
  {
    name: 'keys create',
    positionals: [],
    summary: 'create a key, and its user if there is none yet; the key is shown once',
    flags: {
      email: { value: 'email', help: 'owner of the key' },
      plan: { value: 'plan', help: 'plan of a new user' },
      name: { value: 'text', help: 'what the key is for', fallback: '' },
      until: { value: 'date', help: 'last day of the key, yyyy-MM-dd, UTC (default: no end)' },
      role: { value: 'role', help: 'user, or operator, which opens administration on any plan', fallback: 'user' },
      json
    },
    settings: stored,
    async run({ config, flags, terminal }) {
      const { until } = flags
      const terms = { role: roleOf(flags['role']), ...(typeof until === 'string' && { until }) }
      const made = await withAccounts(config, (accounts) =>
        accounts.atomically(async (tx) => {
          const user = await ownerOf(accounts, flags['email'], flags['plan'], tx)
          return accounts.keys.create(user, String(flags['name'] ?? ''), ACTOR, terms, tx)
        })
      )
      if (flags['json']) terminal.out(asJson({ key: made.key, ...printable(made) }))
      else {
        terminal.out(made.key)
        terminal.err(noteOn(made))
      }
    }
  },
  {
    name: 'keys rotate',
    positionals: ['id or hint'],
    summary: 'replace a key with a new one, which is shown once; the old one works for one more day',
    flags: {
      now: { help: 'end the old key at once' },
      until: { value: 'date', help: 'last day of the new key, yyyy-MM-dd, UTC (default: that of the old one)' },
      json
    },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const { until } = flags
      const rotation = { now: flags['now'] === true, ...(typeof until === 'string' && { until }) }
      const { made, old } = await withAccounts(config, ({ keys }) => keys.rotate(positionals[0], ACTOR, rotation))
      if (flags['json']) {
        terminal.out(asJson({ key: made.key, ...printable(made), replaced: printable(old) }))
        return
      }
      terminal.out(made.key)
      terminal.err(noteOn(made))
      const end = old.revokedAt === undefined ? `works until ${old.endsAt}` : 'has ended'
      terminal.err(`The old key (...${old.hint}) ${end}.`)
    }
  },
  {
    name: 'keys list',
    positionals: [],
    summary: 'list all keys, revoked ones included',
    flags: { json },
    settings: stored,
    async run({ config, flags, terminal }) {
      const keys = await withAccounts(config, (accounts) => accounts.keys.list())
      if (flags['json']) return terminal.out(asJson(keys.map(printable)))
      const rows = keys.map((key) => {
        const times = [key.createdAt, key.endsAt ?? '', key.revokedAt ?? '']
        return [key.id, `...${key.hint}`, key.email, key.plan, key.role, key.name, ...times]
      })
      terminal.out(tabulate(['ID', 'KEY', 'EMAIL', 'PLAN', 'ROLE', 'NAME', 'CREATED', 'ENDS', 'REVOKED'], rows))
    }
  },
  {
    name: 'keys revoke',
    positionals: ['id or hint'],
    summary: 'revoke a key, given by its id or last four characters',
    flags: { json },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const key = await withAccounts(config, (accounts) => accounts.keys.revoke(positionals[0], ACTOR))
      terminal.out(flags['json'] ? asJson(printable(key)) : `revoked ${key.id} (...${key.hint}) of ${key.email}`)
    }
  }
]

async function ownerOf(
  accounts: Accounts,
  email: string | true | undefined,
  plan: string | true | undefined,
  tx: Changes
): Promise<User> {
  if (typeof email !== 'string') throw new AccountError('keys create needs --email')
  const user = await accounts.users.find(email, tx)
  if (user === undefined) {
    if (typeof plan !== 'string') throw new AccountError(`there is no user ${email} yet: give its --plan as well`)
    return accounts.users.create({ email, plan }, ACTOR, tx)
  }
  if (plan !== undefined && plan !== user.plan) {
    throw new AccountError(`${user.email} is on ${user.plan}, not ${plan}: change that with users set-plan`)
  }
  return user
}

function roleOf(text: string | true | undefined): KeyRole {
  const role = keyRoles.find((known) => known === (text ?? 'user'))
  if (role === undefined) throw new AccountError(`--role must be ${keyRoles.join(' or ')}; it is "${text}"`)
  return role
}

function noteOn({ email, plan, role, endsAt }: NewKey): string {
  const end = endsAt === undefined ? '' : ` It works until ${endsAt}.`
  const who = role === 'operator' ? `${plan}, operator` : plan
  return `The key of ${email} (${who}) is not kept and cannot be shown again.${end}`
}

function printable(key: IssuedKey) {
  return {
    id: key.id,
    hint: key.hint,
    user_id: key.userId,
    email: key.email,
    plan: key.plan,
    name: key.name,
    role: key.role,
    created_at: key.createdAt,
    ends_at: key.endsAt ?? null,
    revoked_at: key.revokedAt ?? null
  }
}
