import type { ReferenceDeclaration } from '../../port/reference.ts'
import { NEEDS_KEY, restSettings } from '../settings.ts'
import { terms } from '../terms.ts'

/** What the account at the vendor knows of dividends, whichever source the chains come from. */
export const massiveDividends: ReferenceDeclaration<Record<never, never>, typeof restSettings> = {
  name: 'massive',
  provides: ['dividends'],
  terms,
  settings: {},
  account: restSettings,
  refusal: ({ 'massive-key': key }) => (key === undefined ? NEEDS_KEY : undefined),
  async create(values, { onAnswer }) {
    const { createMassiveDividends } = await import('./source.ts')
    const { 'massive-key': key = '', 'massive-url': url, 'massive-requests': requestsPerSecond } = values
    return createMassiveDividends({ key, url, requestsPerSecond, onAnswer })
  }
}
