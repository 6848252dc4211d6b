import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { parseWholeNumber } from '../port/setting-text.ts'
import { RATE, syntheticTerms } from './synthetic-terms.ts'

const settings = {
  seed: {
    value: 'number',
    help: 'seed of the synthetic market',
    fallback: '1',
    parse: parseWholeNumber(0, 2 ** 32 - 1),
    expected: 'a whole number from 0 to 4294967295',
    sharedWithCommands: true
  }
} as const satisfies ConnectorSettings

export const synthetic: ConnectorDeclaration<typeof settings> = {
  name: 'synthetic',
  provides: ['chains', 'bars', 'prints', 'earnings', 'macro'],
  synthetic: true,
  made: { exercise: 'european', rate: RATE },
  terms: syntheticTerms,
  settings,
  async create({ seed }) {
    const { createSynthetic } = await import('./synthetic-connector.ts')
    return createSynthetic({ seed })
  }
}
