import type { ReferenceDeclaration } from '../../port/reference.ts'
import { MASSIVE_NEEDS_KEY, massiveAccountSettings, massiveTerms } from '../massive-account.ts'

/** Describes Massive as a source of dividends. It can be combined with any vendor's chains. */
export const massiveDividends: ReferenceDeclaration<Record<never, never>, typeof massiveAccountSettings> = {
  name: 'massive',
  provides: ['dividends'],
  terms: massiveTerms,
  settings: {},
  account: massiveAccountSettings,
  refusal: ({ 'massive-key': key }) => (key === undefined ? MASSIVE_NEEDS_KEY : undefined),
  async create(values, { onAnswer }) {
    const { createMassiveDividends } = await import('./massive-dividends.ts')
    const { 'massive-key': key = '', 'massive-url': url, 'massive-requests': requestsPerSecond } = values
    return createMassiveDividends({ key, url, requestsPerSecond, onAnswer })
  }
}
