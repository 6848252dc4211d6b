import { ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import { asJson, type CliCommand, type Invocation, tabulate } from '../command.ts'
import { keyFor, serviceOf, urlFlag } from './service-client.ts'

interface ShownDoubt {
  readonly symbol: string
  readonly kind: string
  readonly reason: string
  readonly until: string
  readonly since: string
}

const flags = {
  key: { value: 'key', help: 'key with administration (default: GAMMAWALL_KEY, else the demo key of Enterprise)' },
  url: urlFlag,
  json: { help: 'print JSON' }
}

export const doubtCommands: readonly CliCommand[] = [
  {
    name: 'doubts list',
    positionals: [],
    summary: 'list what a running service doubts of symbols and holds back',
    flags,
    settings: { data: settings.data },
    async run(invocation) {
      const { terminal } = invocation
      const { doubts } = (await administer(invocation, 'GET', '/v1/admin/doubts')) as { doubts: readonly ShownDoubt[] }
      if (invocation.flags['json']) return terminal.out(asJson(doubts))
      if (doubts.length === 0) return terminal.out('nothing is doubted')
      const rows = doubts.map(({ symbol, since, reason, until }) => [symbol, since, reason, until])
      terminal.out(tabulate(['symbol', 'since', 'doubted because', 'until'], rows))
    }
  },
  {
    name: 'doubts accept',
    positionals: ['symbol'],
    summary: 'accept what the source says about a symbol despite a doubt, until the day ends in New York',
    flags,
    settings: { data: settings.data },
    async run(invocation) {
      const { positionals, terminal } = invocation
      const path = `/v1/admin/symbols/${encodeURIComponent(positionals[0])}/accept`
      const doubt = (await administer(invocation, 'POST', path)) as ShownDoubt
      if (invocation.flags['json']) return terminal.out(asJson(doubt))
      terminal.out(`${doubt.symbol} is taken although ${doubt.reason}`)
    }
  }
]

/** Asks the administration of a running service. Throws a ConfigError with its sentence if it refuses. */
async function administer({ config, flags, terminal }: Invocation, method: string, path: string): Promise<unknown> {
  const { url } = serviceOf({ flags, config })
  const key = keyFor(flags.key, terminal.env, config.data, ['enterprise'])
  let response: Response
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}${path}`, { method, headers: { 'x-api-key': key } })
  } catch {
    throw new ConfigError([`the service at ${url} does not answer`])
  }
  const body = (await response.json()) as { readonly message?: string; readonly detail?: string }
  if (!response.ok) throw new ConfigError([body.message ?? body.detail ?? `the service answers ${response.status}`])
  return body
}
