import type { ConnectorSettings, SettingValuesOf } from '../port/setting.ts'
import { readKey, readPrivateAddress, wholeNumber } from '../port/setting-text.ts'

/** Settings of the account and of its REST interfaces, whatever is asked of them. */
export const accountSettings = {
  'alpaca-key': {
    value: 'key',
    help: 'key ID of the account at Alpaca',
    secret: true,
    parse: readKey,
    expected: 'the key ID as Alpaca shows it: one word of printable characters'
  },
  'alpaca-secret': {
    value: 'key',
    help: 'secret key that belongs to it',
    secret: true,
    parse: readKey,
    expected: 'the secret key as Alpaca shows it: one word of printable characters'
  },
  'alpaca-requests': {
    value: 'count',
    help: 'requests a minute at most, until Alpaca tells its own limit: 200 without a plan',
    fallback: '200',
    parse: wholeNumber(10, 10_000),
    expected: 'a whole number from 10 to 10000'
  },
  'alpaca-url': {
    value: 'address',
    help: 'where market data of Alpaca is asked for',
    fallback: 'https://data.alpaca.markets',
    parse: readPrivateAddress,
    expected: 'an https address, or an http address of this machine'
  },
  'alpaca-trading-url': {
    value: 'address',
    help: 'where contracts are listed: https://api.alpaca.markets for keys of a live account',
    fallback: 'https://paper-api.alpaca.markets',
    parse: readPrivateAddress,
    expected: 'an https address, or an http address of this machine'
  }
} as const satisfies ConnectorSettings

/** Why nothing can be asked without the keys, as a sentence for the operator. Undefined where they are there. */
export function accountRefusal({
  'alpaca-key': key,
  'alpaca-secret': secret
}: Pick<SettingValuesOf<typeof accountSettings>, 'alpaca-key' | 'alpaca-secret'>): string | undefined {
  if (key !== undefined && secret !== undefined) return undefined
  const [missing, name] = key === undefined ? ['a key ID', 'key'] : ['the secret of its key', 'secret']
  return `alpaca needs ${missing}: put it into GAMMAWALL_ALPACA_${name.toUpperCase()}, or name its file with --alpaca-${name}-file. Key IDs and their secrets are made on the dashboard of alpaca.markets, under API keys`
}
