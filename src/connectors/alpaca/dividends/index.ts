import type { ReferenceDeclaration } from '../../port/reference.ts'
import { accountRefusal, accountSettings } from '../settings.ts'
import { terms } from '../terms.ts'

/** What the account at the vendor knows of dividends, whichever source the chains come from. */
export const alpacaDividends: ReferenceDeclaration<Record<never, never>, typeof accountSettings> = {
  name: 'alpaca',
  provides: ['dividends'],
  terms: terms.opra,
  settings: {},
  account: accountSettings,
  refusal: accountRefusal,
  async create(values, { onAnswer }) {
    const { createAlpacaDividends } = await import('./source.ts')
    const { 'alpaca-key': key = '', 'alpaca-secret': secret = '', 'alpaca-requests': requestsPerMinute } = values
    const { 'alpaca-url': url, 'alpaca-trading-url': tradingUrl } = values
    return createAlpacaDividends({ key, secret, url, tradingUrl, requestsPerMinute, onAnswer })
  }
}
