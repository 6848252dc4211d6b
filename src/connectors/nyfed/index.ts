import type { ReferenceDeclaration } from '../port/reference.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readAddress } from '../port/setting-text.ts'

const settings = {
  'nyfed-url': {
    value: 'address',
    help: 'where the rates of the New York Fed are fetched',
    fallback: 'https://markets.newyorkfed.org/api/rates',
    parse: readAddress,
    expected: 'an http or https address'
  }
} as const satisfies ConnectorSettings

export const nyfed: ReferenceDeclaration<typeof settings> = {
  name: 'nyfed',
  provides: ['rates', 'macro'],
  terms:
    'Reference rates of the Federal Reserve Bank of New York, under its terms of use: free, naming the bank as their source.',
  settings,
  async create(values, { capabilities, onAnswer }) {
    const { createNewYorkFed } = await import('./nyfed-rates.ts')
    return createNewYorkFed({ url: values['nyfed-url'], capabilities, onAnswer })
  }
}
