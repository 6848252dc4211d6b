import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { existingPath, readAddress } from '../port/setting-text.ts'
import { cboeTerms } from './cboe-terms.ts'

const settings = {
  'cboe-path': {
    value: 'path',
    help: 'folder or file of recorded Cboe payloads, instead of the address',
    parse: existingPath,
    expected: 'a folder or file that exists'
  },
  'cboe-url': {
    value: 'address',
    help: 'where delayed Cboe payloads are fetched',
    fallback: 'https://cdn.cboe.com/api/global/delayed_quotes/options',
    parse: readAddress,
    expected: 'an http or https address'
  }
} as const satisfies ConnectorSettings

export const cboe: ConnectorDeclaration<typeof settings> = {
  name: 'cboe',
  provides: ['chains', 'bars'],
  synthetic: false,
  terms: cboeTerms,
  settings,
  refusal({ 'cboe-path': path }, { asOf }) {
    if (path !== undefined || asOf === undefined) return undefined
    return '--as-of needs recorded data: the live feed knows the present only (see --cboe-path)'
  },
  async create({ 'cboe-path': path, 'cboe-url': url }, { capabilities, asOf, onAnswer, scans }) {
    if (path === undefined) {
      const { createCboeFeed } = await import('./cboe-feed.ts')
      return createCboeFeed({ url, barsAlone: !capabilities.includes('chains'), onAnswer, scans })
    }
    const { createCboeFiles } = await import('./cboe-files.ts')
    return createCboeFiles({ path, asOf, scans })
  }
}
