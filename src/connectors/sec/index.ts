import type { ReferenceDeclaration } from '../port/reference.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readAddress } from '../port/setting-text.ts'

const settings = {
  'sec-contact': {
    value: 'address',
    help: 'e-mail address by which the SEC reaches who asks: it answers nobody without one',
    needed: true,
    parse: (text) => (/^[\x21-\x7e]{1,100}@[\x21-\x7e]{1,100}$/.test(text) ? text : undefined),
    expected: 'an e-mail address such as you@example.com'
  },
  'sec-url': {
    value: 'address',
    help: 'where the filings of companies are listed',
    fallback: 'https://data.sec.gov',
    parse: readAddress,
    expected: 'an http or https address'
  },
  'sec-tickers-url': {
    value: 'address',
    help: 'where the numbers of companies are listed by their tickers',
    fallback: 'https://www.sec.gov/files/company_tickers.json',
    parse: readAddress,
    expected: 'an http or https address'
  }
} as const satisfies ConnectorSettings

export const sec: ReferenceDeclaration<typeof settings> = {
  name: 'sec',
  provides: ['earnings'],
  terms: 'Filings with the US Securities and Exchange Commission, public and free of copyright.',
  settings,
  refusal({ 'sec-contact': contact }) {
    if (contact !== undefined) return undefined
    return 'sec needs a contact: the SEC answers programs that name an e-mail address. Name yours with --sec-contact'
  },
  async create(values, { onAnswer }) {
    const { createSec } = await import('./sec-source.ts')
    const { 'sec-contact': contact = '', 'sec-url': url, 'sec-tickers-url': tickersUrl } = values
    return createSec({ contact, url, tickersUrl, onAnswer })
  }
}
