import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readKey, readPrivateAddress, readPrivateSocket, wholeNumber } from '../port/setting-text.ts'
import { terms } from './terms.ts'

type Feed = keyof typeof terms
const stockFeeds = ['iex', 'delayed_sip', 'sip'] as const

const settings = {
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
  'alpaca-feed': {
    value: 'name',
    help: 'options: indicative (free, quotes made up near the market) or opra, by the plan of the account',
    fallback: 'indicative',
    parse: (text): Feed | undefined => (Object.hasOwn(terms, text) ? (text as Feed) : undefined),
    expected: 'indicative or opra'
  },
  'alpaca-stocks': {
    value: 'name',
    help: 'prices of shares: iex (free, one exchange), delayed_sip or sip, by the plan of the account',
    fallback: 'iex',
    parse: (text) => stockFeeds.find((name) => name === text),
    expected: 'iex, delayed_sip or sip'
  },
  'alpaca-quotes': {
    value: 'count',
    help: 'option contracts of which quotes are streamed too: 0 to 1000, of which a free account has 200',
    fallback: '0',
    parse: wholeNumber(0, 1000),
    expected: 'a whole number from 0 to 1000'
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
  },
  'alpaca-stream': {
    value: 'address',
    help: 'where prints of Alpaca are streamed',
    fallback: 'wss://stream.data.alpaca.markets',
    parse: readPrivateSocket,
    expected: 'a wss address, or a ws address of this machine'
  }
} as const satisfies ConnectorSettings

export const alpaca: ConnectorDeclaration<typeof settings> = {
  name: 'alpaca',
  provides: ['chains', 'bars', 'prints'],
  synthetic: false,
  terms: terms.indicative,
  settings,
  refusal({ 'alpaca-key': key, 'alpaca-secret': secret }, { asOf }) {
    if (asOf !== undefined) return '--as-of needs recorded data: Alpaca goes on with the clock'
    if (key !== undefined && secret !== undefined) return undefined
    const [missing, name] = key === undefined ? ['a key ID', 'key'] : ['the secret of its key', 'secret']
    return `alpaca needs ${missing}: put it into GAMMAWALL_ALPACA_${name.toUpperCase()}, or name its file with --alpaca-${name}-file. Key IDs and their secrets are made on the dashboard of alpaca.markets, under API keys`
  },
  async create(values, { budget, onAnswer, onFrame }) {
    const { createAlpaca } = await import('./connector.ts')
    return createAlpaca({
      key: values['alpaca-key'] ?? '',
      secret: values['alpaca-secret'] ?? '',
      feed: values['alpaca-feed'],
      stocks: values['alpaca-stocks'],
      quotes: values['alpaca-quotes'],
      requestsPerMinute: values['alpaca-requests'],
      url: values['alpaca-url'],
      tradingUrl: values['alpaca-trading-url'],
      stream: values['alpaca-stream'],
      budget,
      onAnswer,
      onFrame
    })
  }
}
