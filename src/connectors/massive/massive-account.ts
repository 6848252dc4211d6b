import type { ConnectorSettings } from '../port/setting.ts'
import { parseWholeNumber, readKey, readPrivateAddress } from '../port/setting-text.ts'

/** License terms that an operator must read before serving Massive's data to others. */
export const massiveTerms =
  'Data of Massive by subscription. Personal plans are for the subscriber alone and forbid showing the data, or figures ' +
  'made from it, to others; business plans license that, with the fees of the exchanges apart.'

/** Configuration settings of a Massive account, shared by the chain connector and the dividend source. */
export const massiveAccountSettings = {
  'massive-key': {
    value: 'key',
    help: 'key of the account at Massive',
    secret: true,
    parse: readKey,
    expected: 'the key as Massive shows it: one word of printable characters'
  },
  'massive-requests': {
    value: 'count',
    help: 'REST requests a second at most',
    fallback: '50',
    parse: parseWholeNumber(1, 100),
    expected: 'a whole number from 1 to 100'
  },
  'massive-url': {
    value: 'address',
    help: 'where REST answers of Massive are fetched',
    fallback: 'https://api.massive.com',
    parse: readPrivateAddress,
    expected: 'an https address, or an http address of this machine'
  }
} as const satisfies ConnectorSettings

export const MASSIVE_NEEDS_KEY =
  'massive needs a key: put it into GAMMAWALL_MASSIVE_KEY, or name its file with --massive-key-file. Keys are made on the dashboard of massive.com'
