import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readKey, readPrivateAddress, wholeNumber } from '../port/setting-text.ts'
import { terms } from './terms.ts'

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
    help: 'where Tradier is asked: https://sandbox.tradier.com/v1 for delayed data with a token of the sandbox',
    fallback: 'https://api.tradier.com/v1',
    parse: readPrivateAddress,
    expected: 'an https address, or an http address of this machine'
  },
  'tradier-requests': {
    value: 'count',
    help: 'requests a minute at most, until Tradier tells its own limit: 120, and 60 in the sandbox',
    fallback: '120',
    parse: wholeNumber(10, 10_000),
    expected: 'a whole number from 10 to 10000'
  }
} as const satisfies ConnectorSettings

export const tradier: ConnectorDeclaration<typeof settings> = {
  name: 'tradier',
  provides: ['chains', 'bars'],
  synthetic: false,
  terms,
  settings,
  refusal({ 'tradier-token': token }, { asOf }) {
    if (asOf !== undefined) return '--as-of needs recorded data: Tradier knows the present only'
    if (token !== undefined) return undefined
    return 'tradier needs a token: put it into GAMMAWALL_TRADIER_TOKEN, or name its file with --tradier-token-file. Tokens are made at tradier.com, in the settings of a brokerage account under API access'
  },
  async create(values, { budget, onAnswer }) {
    const { createTradier } = await import('./connector.ts')
    return createTradier({
      token: values['tradier-token'] ?? '',
      url: values['tradier-url'],
      requestsPerMinute: values['tradier-requests'],
      budget,
      onAnswer
    })
  }
}
