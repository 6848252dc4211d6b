import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { parseWholeNumber, readPrivateSocket } from '../port/setting-text.ts'
import { alpacaAccountRefusal, alpacaAccountSettings, alpacaTerms } from './alpaca-account.ts'

type Feed = keyof typeof alpacaTerms
const stockFeeds = ['iex', 'delayed_sip', 'sip'] as const

const settings = {
  'alpaca-key': alpacaAccountSettings['alpaca-key'],
  'alpaca-secret': alpacaAccountSettings['alpaca-secret'],
  'alpaca-feed': {
    value: 'name',
    help: 'options: indicative (free, quotes made up near the market) or opra, by the plan of the account',
    fallback: 'indicative',
    parse: (text): Feed | undefined => (Object.hasOwn(alpacaTerms, text) ? (text as Feed) : undefined),
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
    parse: parseWholeNumber(0, 1000),
    expected: 'a whole number from 0 to 1000'
  },
  'alpaca-requests': alpacaAccountSettings['alpaca-requests'],
  'alpaca-url': alpacaAccountSettings['alpaca-url'],
  'alpaca-trading-url': alpacaAccountSettings['alpaca-trading-url'],
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
  terms: alpacaTerms.indicative,
  settings,
  refusal(values, { asOf }) {
    if (asOf !== undefined) return '--as-of needs recorded data: Alpaca goes on with the clock'
    return alpacaAccountRefusal(values)
  },
  async create(values, { budget, onAnswer, onFrame }) {
    const { createAlpaca } = await import('./alpaca-connector.ts')
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
