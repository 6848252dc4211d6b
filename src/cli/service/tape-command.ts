import { ConfigError } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import { sides } from '../../market/print.ts'
import { readSymbol } from '../../market/security.ts'
import { parseIsoDate } from '../../market/units.ts'
import type { CliCommand, Invocation } from '../command.ts'
import { clientOf, keyFor, serviceOf, urlFlag } from './service-client.ts'
import type { TapeFilter } from './tape-prints.ts'
import { MAX_PRINTS, tapeSession } from './tape-session.ts'

export const tapeCommand: CliCommand = {
  name: 'tape',
  positionals: ['symbol'],
  summary: 'print the option or stock prints of a symbol as a running service receives them',
  flags: {
    stocks: { help: 'print stock prints instead of option prints' },
    'min-size': { value: 'count', help: 'minimum contracts or shares of a print' },
    'min-premium': { value: 'usd', help: 'minimum premium of a print' },
    side: { value: 'name', help: sides.join(', ') },
    expiry: { value: 'date', help: 'one expiration only, yyyy-MM-dd' },
    type: { value: 'name', help: 'call or put' },
    json: { help: 'print JSON, one object per line' },
    key: { value: 'key', help: 'key of a user on a plan with flow (default: GAMMAWALL_KEY, else a demo key)' },
    url: urlFlag
  },
  settings: { data: settings.data },
  async run({ config, positionals: [typed], flags, terminal }) {
    const symbol = readSymbol(typed) ?? typed
    const filter = filterFrom(flags)
    const { stocks, json } = flags
    const client = clientOf({ ...serviceOf({ flags, config }), key: keyFor(flags['key'], terminal.env, config.data) })
    const { expiry } = filter
    const newest = async (signal: AbortSignal) => {
      const asked = { symbol, limit: MAX_PRINTS }
      if (stocks) return (await client.get('/v1/flow/stocks/{symbol}/recent', asked, { signal })).trades
      const ofExpiry = expiry === undefined ? asked : { ...asked, expiry }
      return (await client.get('/v1/flow/options/{symbol}/recent', ofExpiry, { signal })).trades
    }
    await tapeSession({ symbol, filter, json: json === true, newest }, terminal, process)
  }
}

/** Builds the filter from the flags. Throws one error that lists everything wrong with them. */
function filterFrom(flags: Invocation['flags']): TapeFilter {
  const problems: string[] = []
  const number = (name: string) => {
    const text = flags[name] ?? '0'
    if (!/^\d{1,12}$/.test(String(text))) problems.push(`--${name} must be a whole number; it is ${text}`)
    return Number(text)
  }
  const [minSize, minPremium] = [number('min-size'), number('min-premium')]
  const side = sides.find((name) => name === flags['side'])
  if (flags['side'] !== undefined && side === undefined) problems.push(`--side must be one of ${sides.join(', ')}`)
  const expiry = flags['expiry'] === undefined ? undefined : parseIsoDate(String(flags['expiry']))
  if (flags['expiry'] !== undefined && expiry === undefined) problems.push('--expiry must be a date, yyyy-MM-dd')
  const right = flags['type'] === undefined ? undefined : rightOf(String(flags['type']))
  if (flags['type'] !== undefined && right === undefined) problems.push('--type must be call or put')
  if (flags['stocks'] && (expiry !== undefined || right !== undefined)) {
    problems.push('--stocks are of no expiration and no type')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { minSize, minPremium, side, expiry, right }
}

function rightOf(text: string): 'C' | 'P' | undefined {
  if (/^c(all)?$/i.test(text)) return 'C'
  return /^p(ut)?$/i.test(text) ? 'P' : undefined
}
