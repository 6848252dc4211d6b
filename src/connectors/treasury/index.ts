import type { ReferenceDeclaration } from '../port/reference.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readAddress } from '../port/setting-text.ts'

const settings = {
  'treasury-url': {
    value: 'address',
    help: 'where the yields of the US Treasury are fetched',
    fallback: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates',
    parse: readAddress,
    expected: 'an http or https address'
  }
} as const satisfies ConnectorSettings

export const treasury: ReferenceDeclaration<typeof settings> = {
  name: 'treasury',
  provides: ['rates', 'macro'],
  terms: 'Works of the US government, free of copyright.',
  settings,
  async create(values, { onAnswer }) {
    const { createTreasury } = await import('./treasury-yields.ts')
    return createTreasury({ url: values['treasury-url'], onAnswer })
  }
}
