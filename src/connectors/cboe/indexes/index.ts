import type { ReferenceDeclaration } from '../../port/reference.ts'
import type { ConnectorSettings } from '../../port/setting.ts'
import { readAddress } from '../../port/setting-text.ts'
import { cboeTerms } from '../cboe-terms.ts'

const settings = {
  'cboe-indexes-url': {
    value: 'address',
    help: 'where the histories of Cboe indexes are fetched',
    fallback: 'https://cdn.cboe.com/api/global/us_indices/daily_prices',
    parse: readAddress,
    expected: 'an http or https address'
  }
} as const satisfies ConnectorSettings

export const cboeIndexes: ReferenceDeclaration<typeof settings> = {
  name: 'cboe',
  provides: ['macro'],
  terms: cboeTerms,
  settings,
  async create(values, { onAnswer }) {
    const { createCboeIndexes } = await import('./cboe-indexes.ts')
    return createCboeIndexes({ url: values['cboe-indexes-url'], onAnswer })
  }
}
