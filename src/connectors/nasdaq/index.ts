import type { ReferenceDeclaration } from '../port/reference.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readAddress } from '../port/setting-text.ts'

const settings = {
  'nasdaq-url': {
    value: 'address',
    help: 'where the earnings calendar of Nasdaq is fetched',
    fallback: 'https://api.nasdaq.com/api',
    parse: readAddress,
    expected: 'an http or https address'
  }
} as const satisfies ConnectorSettings

export const nasdaq: ReferenceDeclaration<typeof settings> = {
  name: 'nasdaq',
  provides: ['earnings'],
  terms:
    'The calendar that nasdaq.com shows its readers, for personal use: the interface is not announced, and passing it on needs an agreement.',
  settings,
  async create(values, { onAnswer }) {
    const { createNasdaq } = await import('./nasdaq-calendar.ts')
    return createNasdaq({ url: values['nasdaq-url'], onAnswer })
  }
}
