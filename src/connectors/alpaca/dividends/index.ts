import type { ReferenceDeclaration } from '../../port/reference.ts'
import { alpacaAccountRefusal, alpacaAccountSettings, alpacaTerms } from '../alpaca-account.ts'

/** Describes Alpaca as a source of dividends. It can be combined with any vendor's chains. */
export const alpacaDividends: ReferenceDeclaration<Record<never, never>, typeof alpacaAccountSettings> = {
  name: 'alpaca',
  provides: ['dividends'],
  terms: alpacaTerms.opra,
  settings: {},
  account: alpacaAccountSettings,
  refusal: alpacaAccountRefusal,
  async create(values, { onAnswer }) {
    const { createAlpacaDividends } = await import('./alpaca-dividends.ts')
    const { 'alpaca-key': key = '', 'alpaca-secret': secret = '', 'alpaca-requests': requestsPerMinute } = values
    const { 'alpaca-url': url, 'alpaca-trading-url': tradingUrl } = values
    return createAlpacaDividends({ key, secret, url, tradingUrl, requestsPerMinute, onAnswer })
  }
}
