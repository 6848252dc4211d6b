import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { parseWholeNumber, readPrivateAddress } from '../port/setting-text.ts'
import { tastytradeTerms } from './tastytrade-settings.ts'

/** Accepts up to 4,000 characters, because OAuth tokens are longer than other vendors' keys. */
const readToken = (text: string) => (/^[\x21-\x7e]{1,4000}$/.test(text) ? text : undefined)

const settings = {
  'tastytrade-secret': {
    value: 'secret',
    help: 'client secret of an OAuth application at tastytrade',
    secret: true,
    parse: readToken,
    expected: 'the client secret as tastytrade shows it: one word of printable characters'
  },
  'tastytrade-token': {
    value: 'token',
    help: 'refresh token that the application was granted',
    secret: true,
    parse: readToken,
    expected: 'the refresh token as tastytrade shows it: one word of printable characters'
  },
  'tastytrade-contracts': {
    value: 'count',
    help: 'option contracts that are subscribed to at once, those nearest to the spot: 100 to 20000',
    fallback: '5000',
    parse: parseWholeNumber(100, 20_000),
    expected: 'a whole number from 100 to 20000'
  },
  'tastytrade-url': {
    value: 'address',
    help: 'where tastytrade is asked: https://api.cert.tastyworks.com for its sandbox',
    fallback: 'https://api.tastyworks.com',
    parse: readPrivateAddress,
    expected: 'an https address, or an http address of this machine'
  }
} as const satisfies ConnectorSettings

export const tastytrade: ConnectorDeclaration<typeof settings> = {
  name: 'tastytrade',
  provides: ['chains', 'bars', 'prints'],
  synthetic: false,
  terms: tastytradeTerms,
  settings,
  refusal({ 'tastytrade-secret': secret, 'tastytrade-token': token }, { asOf }) {
    if (asOf !== undefined) return '--as-of needs recorded data: tastytrade goes on with the clock'
    if (secret !== undefined && token !== undefined) return undefined
    const [missing, name] = secret === undefined ? ['a client secret', 'secret'] : ['a refresh token', 'token']
    return `tastytrade needs ${missing}: put it into GAMMAWALL_TASTYTRADE_${name.toUpperCase()}, or name its file with --tastytrade-${name}-file. Client secrets and refresh tokens are made at my.tastytrade.com, under API access, OAuth applications`
  },
  async create(values, { budget, onAnswer, onFrame }) {
    const { createTastytrade } = await import('./tastytrade-connector.ts')
    return createTastytrade({
      secret: values['tastytrade-secret'] ?? '',
      token: values['tastytrade-token'] ?? '',
      most: values['tastytrade-contracts'],
      url: values['tastytrade-url'],
      budget,
      onAnswer,
      onFrame
    })
  }
}
