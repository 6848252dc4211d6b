import type { GrantedBundle } from '../../accounts/bundles.ts'
import { AccountError } from '../../accounts/users.ts'
import { settings } from '../../config/settings.ts'
import { isoInstant } from '../../market/units.ts'
import { ACTOR, asJson, type CliCommand, tabulate } from '../command.ts'
import { withAccounts } from './with-accounts.ts'

const stored = { data: settings.data, accounts: settings.accounts, plans: settings.plans }
const json = { help: 'print JSON' }

export const bundleCommands: readonly CliCommand[] = [
  {
    name: 'bundles grant',
    positionals: ['email or id'],
    summary: 'give a user access to the stream, or change its terms',
    flags: {
      blocks: { value: 'count', help: 'blocks of 500 subscriptions', fallback: '1' },
      until: { value: 'date', help: 'last day, yyyy-MM-dd, UTC (default: no end)' },
      json
    },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const { blocks = '1', until } = flags
      if (!/^\d{1,6}$/.test(String(blocks))) throw new AccountError('--blocks must be a whole number')
      const terms = { blocks: Number(blocks), ...(typeof until === 'string' && { until }) }
      const bundle = await withAccounts(config, async ({ bundles, users }) =>
        bundles.grant(await users.get(positionals[0]), terms, ACTOR)
      )
      terminal.out(flags['json'] ? asJson(printable(bundle)) : `${bundle.email} may stream: ${inWords(bundle)}`)
    }
  },
  {
    name: 'bundles revoke',
    positionals: ['email or id'],
    summary: 'end the stream access of a user; open connections are closed',
    flags: { json },
    settings: stored,
    async run({ config, positionals, flags, terminal }) {
      const bundle = await withAccounts(config, ({ bundles }) => bundles.revoke(positionals[0], ACTOR))
      terminal.out(flags['json'] ? asJson(printable(bundle)) : `${bundle.email} may not stream any more`)
    }
  },
  {
    name: 'bundles list',
    positionals: [],
    summary: 'list users with stream access, ended ones included',
    flags: { json },
    settings: stored,
    async run({ config, flags, terminal }) {
      const bundles = await withAccounts(config, (accounts) => accounts.bundles.list())
      if (flags['json']) return terminal.out(asJson(bundles.map(printable)))
      const rows = bundles.map(({ email, blocks, endsAt, grantedAt }) => {
        return [email, String(blocks), grantedAt, endsAt === undefined ? '' : isoInstant(endsAt)]
      })
      terminal.out(tabulate(['EMAIL', 'BLOCKS', 'GRANTED', 'ENDS'], rows))
    }
  }
]

function inWords({ blocks, endsAt }: GrantedBundle): string {
  const subscriptions = `${(500 * blocks).toLocaleString('en-US')} subscriptions`
  return endsAt === undefined ? subscriptions : `${subscriptions} until ${isoInstant(endsAt)}`
}

function printable({ id, userId, email, blocks, endsAt, grantedAt }: GrantedBundle) {
  const ends_at = endsAt === undefined ? null : isoInstant(endsAt)
  return { id, user_id: userId, email, blocks, granted_at: grantedAt, ends_at }
}
