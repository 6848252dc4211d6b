import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { parseWholeNumber, readKey, readPrivateAddress, readPrivateSocket } from '../port/setting-text.ts'
import { tradierTerms } from './tradier-settings.ts'

const settings = {
  'tradier-token': {
    value: 'token',
    help: 'access token of the account at Tradier',
    secret: true,
    parse: readKey,
    expected: 'the token as Tradier shows it: one word of printable characters'
  },
  'tradier-url': {
    value: 'address',
    help: 'address of the Tradier API: https://sandbox.tradier.com/v1 for delayed data with a token of the sandbox',
    fallback: 'https://api.tradier.com/v1',
    parse: readPrivateAddress,
    expected: 'an https address, or an http address of this machine'
  },
  'tradier-requests': {
    value: 'count',
    help: 'requests a minute at most, until Tradier states its own limit: 120, and 60 in the sandbox',
    fallback: '120',
    parse: parseWholeNumber(10, 10_000),
    expected: 'a whole number from 10 to 10000'
  },
  'tradier-contracts': {
    value: 'count',
    help: 'option contracts whose prints are streamed, those near the price of symbols whose flow is requested: 0 to 5000; with 0 flow is inferred from volumes',
    fallback: '0',
    parse: parseWholeNumber(0, 5000),
    expected: 'a whole number from 0 to 5000'
  },
  'tradier-stream': {
    value: 'address',
    help: 'where prints are streamed',
    fallback: 'wss://ws.tradier.com/v1/markets/events',
    parse: readPrivateSocket,
    expected: 'a wss address, or a ws address of this machine'
  }
} as const satisfies ConnectorSettings

export const tradier: ConnectorDeclaration<typeof settings> = {
  name: 'tradier',
  provides: ['chains', 'bars', 'prints'],
  synthetic: false,
  terms: tradierTerms,
  settings,
  refusal({ 'tradier-token': token, 'tradier-contracts': contracts }, { asOf, capabilities }) {
    if (asOf !== undefined) return '--as-of needs recorded data: Tradier knows the present only'
    if (token !== undefined) {
      if (contracts > 0 || capabilities.includes('chains') || !capabilities.includes('prints')) return undefined
      return 'prints of tradier are streamed by contract: say with --tradier-contracts of how many, such as 500'
    }
    return 'tradier needs a token: put it into GAMMAWALL_TRADIER_TOKEN, or name its file with --tradier-token-file. Tokens are made at tradier.com, in the settings of a brokerage account under API access'
  },
  async create(values, { budget, onAnswer, onFrame }) {
    const { createTradier } = await import('./tradier-connector.ts')
    return createTradier({
      token: values['tradier-token'] ?? '',
      url: values['tradier-url'],
      requestsPerMinute: values['tradier-requests'],
      contracts: values['tradier-contracts'],
      stream: values['tradier-stream'],
      budget,
      onAnswer,
      onFrame
    })
  }
}
