import { securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import type { ConnectorSettings, SettingValuesOf } from '../port/setting.ts'
import { parseWholeNumber, readKey, readPrivateAddress } from '../port/setting-text.ts'

const use =
  "Market data of an Alpaca account, for the subscriber's own use. Showing it to others, or figures made from it, needs an " +
  'agreement with Alpaca and the exchanges.'

/** License terms that an operator must read before serving Alpaca's data to others, by option feed. */
export const alpacaTerms = {
  indicative: `${use} Quotes of the indicative feed are made up near the market and are no quotes of an exchange.`,
  opra: use
} as const

/** Configuration settings of an Alpaca account, shared by the chain connector and the dividend source. */
export const alpacaAccountSettings = {
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
    help: 'requests a minute at most, until Alpaca states its own limit: 200 without a plan',
    fallback: '200',
    parse: parseWholeNumber(10, 10_000),
    expected: 'a whole number from 10 to 10000'
  },
  'alpaca-url': {
    value: 'address',
    help: 'address for market data of Alpaca',
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

/** Error message for missing Alpaca keys; undefined if both keys are set. */
export function alpacaAccountRefusal({
  'alpaca-key': key,
  'alpaca-secret': secret
}: Pick<SettingValuesOf<typeof alpacaAccountSettings>, 'alpaca-key' | 'alpaca-secret'>): string | undefined {
  if (key !== undefined && secret !== undefined) return undefined
  const [missing, name] = key === undefined ? ['a key ID', 'key'] : ['the secret of its key', 'secret']
  return `alpaca needs ${missing}: put it into GAMMAWALL_ALPACA_${name.toUpperCase()}, or name its file with --alpaca-${name}-file. Key IDs and their secrets are made on the dashboard of alpaca.markets, under API keys`
}

/** Whether Alpaca has data on the underlying; it has none on indexes. */
export const isAtAlpaca = (symbol: Ticker): boolean => securityKind(symbol) !== 'index'
