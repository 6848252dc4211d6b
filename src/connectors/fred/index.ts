import type { ReferenceDeclaration } from '../port/reference.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readKey, readPrivateAddress } from '../port/setting-text.ts'

const settings = {
  'fred-key': {
    value: 'key',
    help: 'API key of FRED',
    secret: true,
    parse: readKey,
    expected: 'the key as FRED shows it: one word of printable characters'
  },
  'fred-url': {
    value: 'address',
    help: 'where FRED is asked',
    fallback: 'https://api.stlouisfed.org/fred',
    parse: readPrivateAddress,
    expected: 'an https address, or an http address of this machine'
  }
} as const satisfies ConnectorSettings

export const fred: ReferenceDeclaration<typeof settings> = {
  name: 'fred',
  provides: ['rates', 'macro'],
  terms:
    'For use within the terms of the FRED API. The spread of high-yield bonds is ICE Data Indices, and may not be passed on to others.',
  settings,
  refusal({ 'fred-key': key }) {
    if (key !== undefined) return undefined
    return 'fred needs a key: put it into GAMMAWALL_FRED_KEY, or name its file with --fred-key-file. Keys are free at fred.stlouisfed.org, in the settings of an account under API Keys'
  },
  async create(values, { capabilities, onAnswer }) {
    const { createFred } = await import('./fred-series.ts')
    return createFred({ key: values['fred-key'] ?? '', url: values['fred-url'], capabilities, onAnswer })
  }
}
